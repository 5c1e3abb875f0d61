// The one path of every panel request: identify the caller, check the role, call the handler, wrap the answer. Only this file
// renders refusals; any other error is a fault of the program, logged once and answered 503.

import { Overloaded } from '../../accept/order-line.ts';
import { AccountLeaving, findAccount } from '../../accounts/account.ts';
import { addressAllowed } from '../../accounts/address.ts';
import { readJson } from '../../api/large-json.ts';
import { asMembers } from '../../contract/reader.ts';
import { warnSeldom } from '../../log.ts';
import { Denial } from '../../people/denial.ts';
import { pendingKinds } from '../../people/legal-texts.ts';
import { findSession, type Session, type Visitor, withSecondFactor } from '../../people/sessions.ts';
import { Refusal } from '../../status.ts';
import { now } from '../../time/clock.ts';
import { type Answer, type OperationName, operations } from '../contract/contract.ts';
import { memberRoles, type Role } from '../contract/facts.ts';
import { inputReader, type Members } from '../contract/input.ts';
import { schemas } from '../contract/schemas.ts';
import { PanelRefusal, panelError, refusalError } from '../words/errors.ts';
import { afterChange, homeDb, isAboutAccount, placeOfAccount, placeOfStaff } from './cells.ts';
import type { AccountCall, Cookie, PanelServices, PublicCall, UserCall } from './context.ts';
import { masked, withoutSecrets } from './masking.ts';
import { handlers } from './operations.ts';

export type PanelRequest = { token: string; visitor: Visitor; body: Buffer; baseUrl: string };
export type PanelAnswer = { status: number; body: Answer<unknown>; cookie: Cookie };

// Available even if the caller's address is no longer on the account's IP list.
const openToUnlisted = new Set<string>(['session.signOut', 'session.switchAccount']);

export async function answerPanel(services: PanelServices, name: string, request: PanelRequest): Promise<PanelAnswer> {
  const cookie: Cookie = {};
  try {
    if (!Object.hasOwn(operations, name)) throw new PanelRefusal('no-such-operation');
    const operation = name as OperationName;
    const sent = await readBody(request.body);
    const call: PublicCall = { ...services, ...request, now: now(), cookie };
    const { role, changes } = operations[operation];
    const admitted = await admit(call, role, openToUnlisted.has(name));
    requireOwnSession(admitted, operation, changes);
    if (changes && 'account' in admitted) await requireChangeable(admitted);
    // The table in operations.ts gives each handler a call with its role; admit has checked it.
    const handler = handlers[operation] as (call: PublicCall & { input: unknown }) => Promise<unknown>;
    const input = readerFor(operation)(sent);
    const place = role === 'staff' ? await placeOfStaff(admitted, operation, input) : {};
    const placed = { ...admitted, ...place, input };
    const data = await handler(placed);
    if (changes && placed.home && (role !== 'staff' || isAboutAccount(operation)))
      await afterChange(placed, accountOf(placed));
    return { status: 200, body: { ok: true, data: shownTo(admitted, operation, data) }, cookie };
  } catch (error) {
    const { status, error: shown } = renderRefusal(services, name, error);
    // The cookie of an ended session stays: removing it here could remove that of a newer session.
    return { status, body: { ok: false, error: shown }, cookie };
  }
}

// What staff may do while they view an account as its people do. Every other change is refused, also in their own name, so that
// it is always clear in whose name a change was made.
const allowedInView = new Set<OperationName>(['session.signOut', 'staff.viewAs', 'staff.viewReveal', 'staff.viewEnd']);
// Their rows say "reads", but they try something in the account's name.
const refusedInView = new Set<OperationName>(['settings.testCredentials']);

function requireOwnSession(call: PublicCall | UserCall, name: OperationName, changes: boolean): void {
  if (!('session' in call) || !call.session.viewing || allowedInView.has(name)) return;
  if (changes || refusedInView.has(name)) throw new PanelRefusal('viewing');
}

function shownTo(call: PublicCall | UserCall, name: OperationName, data: unknown): unknown {
  const viewing = 'session' in call ? call.session.viewing : null;
  if (!viewing || operations[name].role === 'staff' || name === 'session.me') return data;
  return viewing.revealed ? withoutSecrets(data) : masked(data, schemas[name].output);
}

/** Returns the caller with the required role, or refuses. */
export async function admit(
  call: PublicCall,
  role: Role,
  isOpenToUnlisted = false,
): Promise<PublicCall | UserCall | AccountCall> {
  if (role === 'public') return call;
  const found = await findSession(call.db, call.token, call.visitor.address);
  if (!found) throw new PanelRefusal('signed-out');
  const session = call.options.staffSecondFactor ? withSecondFactor(found) : found;
  if (role === 'staff') {
    if (session.lacksSecondFactor) throw new PanelRefusal('second-factor-needed');
    if (!session.staff) throw new PanelRefusal('forbidden');
    return { ...call, session };
  }
  if (!isOpenToUnlisted) requireListedAddress(session, call.visitor.address);
  if (role === 'user') return { ...call, session };
  if (!session.account) throw new PanelRefusal('no-account');
  if (memberRoles.indexOf(session.account.role) < memberRoles.indexOf(role)) throw new PanelRefusal('forbidden');
  const place = await placeOfAccount(call, session.account.id);
  const account = await findAccount(place.db ?? call.db, session.account.id);
  if (!account) throw new PanelRefusal('unavailable');
  return { ...call, ...place, session, account, role: session.account.role };
}

/** The account of a call in another cell: the caller's own, or the one that staff name. */
function accountOf(call: object): number {
  const { account, input } = call as { account?: { id: number }; input: { id: number } };
  return account?.id ?? input.id;
}

/**
 * Calls that only concern the person's own login stay open; the account's operations wait for the account and the person to be
 * active.
 */
export async function requireChangeable(call: AccountCall): Promise<void> {
  if (call.account.isLeaving) throw new AccountLeaving();
  if (call.account.status === 'suspended') throw new PanelRefusal('suspended');
  if ((await pendingKinds(homeDb(call), call.session, call.now)).length > 0) throw new PanelRefusal('terms-pending');
}

function requireListedAddress(session: Session, address: string): void {
  if (session.account && !addressAllowed(session.account.panelIps, address))
    throw new PanelRefusal('address-not-listed');
}

const readers = new Map<OperationName, (sent: Members) => unknown>();

/** Built on first use. */
function readerFor(operation: OperationName): (sent: Members) => unknown {
  const known = readers.get(operation) ?? inputReader(schemas[operation].input);
  readers.set(operation, known);
  return known;
}

async function readBody(body: Buffer): Promise<Members> {
  if (body.length === 0) return {};
  let parsed: unknown;
  try {
    parsed = await readJson(body);
  } catch {
    throw new PanelRefusal('bad-request');
  }
  const input = asMembers(parsed);
  if (!input) throw new PanelRefusal('bad-request');
  return input;
}

export function renderRefusal(services: Pick<PanelServices, 'log'>, name: string, error: unknown) {
  if (error instanceof PanelRefusal) return panelError(error.code, error.extra);
  if (error instanceof Denial) {
    const { code, field, retryAfterMs } = error;
    return panelError(code, { ...(field ? { field } : {}), ...(retryAfterMs ? { retryAfterMs } : {}) });
  }
  if (error instanceof Refusal) return refusalError(error);
  const fields = { operation: name, error: (error as Error).message };
  if (error instanceof Overloaded) warnSeldom(services.log, fields, 'overloaded');
  else if (error instanceof AccountLeaving) services.log.info(fields, 'account on its way');
  else services.log.error({ ...fields, stack: (error as Error).stack }, 'panel request failed');
  return panelError('unavailable');
}
