// The one path of every request: open the envelope, authenticate, find the operation's object, call the handler, close the
// envelope. Only this file renders a Refusal; any other error is a fault of the program, logged once and answered 503.
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Overloaded } from '../accept/order-line.ts';
import { type Account, AccountLeaving, OutdatedAccount } from '../accounts/account.ts';
import type { ApiCallLog } from '../accounts/api-calls.ts';
import type { ApiUsage } from '../accounts/api-usage.ts';
import type { Authenticate } from '../accounts/authenticate.ts';
import { type KeyLimits, mayCall } from '../accounts/key-limits.ts';
import type { ApiRefusal, RefusalLog } from '../accounts/refusals.ts';
import type { SlowDown } from '../accounts/slow-down.ts';
import { readId } from '../contract/habits.ts';
import { type Log, warnSeldom } from '../log.ts';
import type { OrderTraces } from '../orders/traces.ts';
import { Refusal, type StatusCode } from '../status.ts';
import { monotonicMs, now } from '../time/clock.ts';
import type { ApiParts } from './context.ts';
import { asMembers, closeEnvelope, type Members, own, type ResponseBody } from './envelope.ts';
import { headerCredentials } from './header-credentials.ts';
import type { Operation } from './operations.ts';

/** The parts that exist once per cell. */
type ApiCellParts = ApiParts & {
  refusals: RefusalLog;
  usage?: ApiUsage;
  calls?: ApiCallLog;
  /** Where traces are exported. */
  traces?: OrderTraces;
};

export type ApiServices = ApiCellParts & {
  authenticate: Authenticate;
  slowDown: SlowDown;
  log: Log;
  /** Parts of the cells beside the home cell. */
  cells?: { of(cell: number): ApiCellParts };
};

/** The home cell's parts serve nearly every account. */
export function partsAt(services: ApiServices, cell: number | undefined): ApiCellParts {
  return cell ? services.cells!.of(cell) : services;
}

/** Verifies `request.authentication` of a large body before the rest is parsed; refuses with 401. */
type Verify = (authentication: unknown) => Promise<void>;

export type Incoming = {
  /**
   * Parses the body into the `request` object, or refuses with 400. A large body is parsed in steps, after its credentials were
   * verified.
   */
  open(verify: Verify): Members | Promise<Members>;
  /** The memory that a large body occupies until it is answered. */
  hold: { verify(): Promise<void>; leave(): void } | null;
  body: Buffer;
  address: string;
  agent: string;
  /** The Authorization header, used when the body has no credentials. */
  authorization?: string | undefined;
  idempotencyKey: string | undefined;
  /** Limits where the key itself has none; set for assistants. */
  usual?: Partial<Pick<KeyLimits, 'recipientsMax' | 'dailyMax'>>;
};

/** `traceparent` of a request that is traced. */
export type Answer = { code: StatusCode; body: ResponseBody; traceparent?: string };

export async function answerCall(services: ApiServices, operation: Operation, incoming: Incoming): Promise<Answer> {
  let account: Account | undefined;
  let key: string | null | undefined;
  let limits: KeyLimits | undefined;
  const startedMs = monotonicMs();
  const known = async (authentication: unknown, mayBeOld: boolean): Promise<Account> => {
    const caller = await identify(services, operation, authentication, incoming, mayBeOld);
    key = caller.key;
    limits = caller.limits;
    return caller.account;
  };
  try {
    const mayBeOld = operation.optimistic === true;
    const opened = incoming.open(async authentication => {
      account = await known(authentication, mayBeOld);
      await incoming.hold?.verify();
    });
    const request = opened instanceof Promise ? await opened : opened;
    const authentication = own(request, 'authentication');
    account ??= await known(authentication, mayBeOld);
    requireObject(operation, request);
    const handle = (identified: Account) => {
      const { db, orders } = partsAt(services, identified.cell);
      return operation.handler({
        db,
        orders,
        account: identified,
        request,
        now: now(),
        idempotencyKey: incoming.idempotencyKey,
        key: limitsOf(key, limits, incoming.usual),
        bodyDigest: () => createHash('sha256').update(`${operation.path}\n`).update(incoming.body).digest(),
      });
    };
    const result = await handle(account).catch(async error => {
      if (!(error instanceof OutdatedAccount || (account!.remembered && error instanceof Refusal))) throw error;
      // The remembered account may be outdated. Retry once with the account as it is now before refusing.
      account = undefined;
      account = await known(authentication, false);
      return handle(account);
    });
    const { usage, calls } = partsAt(services, account.cell);
    usage?.accepted(account.id, operation.name, incoming.address);
    calls?.add({
      accountId: account.id,
      operation: operation.name,
      ms: Math.round(monotonicMs() - startedMs),
      orderId: orderOf(result) ?? orderOf(request),
      key: key ?? null,
      address: incoming.address,
    });
    return { code: 200, body: closeEnvelope(200, result) };
  } catch (error) {
    return refused(services, operation, incoming, account && { account, key: key ?? null }, error);
  }
}

function limitsOf(key: string | null | undefined, limits: KeyLimits | undefined, usual: Incoming['usual']) {
  if (!key || !(limits || usual)) return undefined;
  return {
    key,
    scopes: limits?.scopes ?? null,
    recipientsMax: limits?.recipientsMax ?? usual?.recipientsMax ?? null,
    dailyMax: limits?.dailyMax ?? usual?.dailyMax ?? null,
  };
}

/** The order id of the answer, or else of the request. */
function orderOf(members: Members | undefined): number | null {
  const order = members && asMembers(own(members, 'order'));
  return (order && readId(own(order, 'id'))) ?? null;
}

type Named = Pick<Operation, 'name'>;
type Sender = Pick<Incoming, 'address' | 'agent' | 'authorization' | 'hold'>;
type Caller = { account: Account; key: string | null; limits?: KeyLimits };

/** Returns the caller, or refuses with 401; repeated failures are slowed down. */
export async function identify(
  services: ApiServices,
  operation: Named,
  authentication: unknown,
  incoming: Sender,
  mayBeOld: boolean,
): Promise<Caller> {
  const given: Members = asMembers(authentication ?? headerCredentials(incoming.authorization)) ?? {};
  const isOld = own(given, 'key') === undefined && own(given, 'hash') === undefined;
  const key = own(given, isOld ? 'username' : 'key');
  const secret = own(given, isOld ? 'password' : 'hash');
  const way = isOld ? 'old-login' : 'key';
  const result = await services.authenticate(key, secret, incoming.address, mayBeOld, way);
  if (result.ok && result.limits && !mayCall(result.limits, operation.name)) {
    const { account } = result;
    // The remembered account may be outdated, so read it again before refusing.
    if (account.remembered) return identify(services, operation, authentication, incoming, false);
    const refusal = {
      accountId: account.id,
      code: 401,
      cause: 'key-scope',
      ...(result.key ? { key: result.key } : {}),
    } as const;
    remember(partsAt(services, account.cell), operation, incoming, refusal);
    incoming.hold?.leave();
    throw new Refusal(401);
  }
  if (result.ok) {
    partsAt(services, result.account.cell).usage?.add(result.account.id, operation.name, incoming.address, result.key);
    return result;
  }
  const { cause, accountId, cell } = result;
  services.log.info(
    { cause, account: accountId, operation: operation.name, address: incoming.address },
    'authentication failed',
  );
  if (accountId !== null)
    remember(partsAt(services, cell), operation, incoming, { accountId, code: 401, cause, key: result.key });
  // Release the body's memory now: it is not used any more, and the answer may be delayed.
  incoming.hold?.leave();
  const delayMs = services.slowDown.failed(incoming.address, key);
  if (delayMs > 0) await wait(delayMs);
  throw new Refusal(401);
}

/** One published client sends `request.filter: null` when it has no filter; an absent object is 400. */
function requireObject(operation: Operation, request: Members): void {
  if (operation.needs === null) return;
  const value = own(request, operation.needs);
  const empty = operation.needs === 'filter' && value === null;
  if (!empty && !asMembers(value)) throw new Refusal(400);
}

function refused(
  services: ApiServices,
  operation: Operation,
  incoming: Incoming,
  caller: Caller | undefined,
  error: unknown,
): Answer {
  if (error instanceof Refusal) {
    if (caller)
      remember(partsAt(services, caller.account.cell), operation, incoming, {
        accountId: caller.account.id,
        code: error.code,
        cause: refusalCause(error),
        key: caller.key ?? undefined,
      });
    return { code: error.code, body: closeEnvelope(error.code, undefined, error.errors, error.message) };
  }
  const { message, cause } = error as Error;
  const fields = {
    operation: operation.name,
    account: caller?.account.id,
    error: message,
    cause: (cause as Error)?.message,
  };
  if (error instanceof Overloaded) warnSeldom(services.log, fields, 'overloaded');
  else if (error instanceof AccountLeaving) services.log.info(fields, 'account on its way');
  else services.log.error({ ...fields, stack: (error as Error).stack }, 'request failed');
  return { code: 503, body: closeEnvelope(503) };
}

function refusalCause(refusal: Refusal): string {
  return refusal.errors ? JSON.stringify(refusal.errors).slice(0, 500) : refusal.message;
}

function remember(
  { refusals }: Pick<ApiCellParts, 'refusals'>,
  operation: Named,
  incoming: Sender,
  refusal: Pick<ApiRefusal, 'accountId' | 'code' | 'cause' | 'key'>,
): void {
  refusals.add({
    ...refusal,
    operation: operation.name,
    address: incoming.address,
    agent: incoming.agent.replace(/[^\x20-\x7e]/g, '?').slice(0, 200),
  });
}
