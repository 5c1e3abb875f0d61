// The simulator's control interface, without a token: citizens who decide by themselves, faults, settings, and the contents of
// the registry. It is never faulty and never rate-limited, so that a test can always reach it.
import { isObject, type Tally } from './adding.ts';
import { type Answer, ok } from './answers.ts';
import type { Faults } from './faults.ts';
import { codeOf, type Gate, parsed, type Stats, subscriptionStates } from './gate.ts';
import type { World } from './operations.ts';
import type { PushTally } from './push.ts';
import { addressRules, brokenForm, type Raw, statuses } from './rules.ts';
import { changeSettings } from './settings.ts';
import { addressesMax, addressKey, type Brand, type Subscription, shown } from './store.ts';

const consentsShownMax = 50_000;

type ControlWorld = World & {
  faults: Faults;
  gate: Gate;
  stats: Stats;
  tally: Tally;
  pushTally: PushTally;
  now: () => number;
};
type Handler = (body: Raw, query: URLSearchParams, world: ControlWorld) => Answer;

const wrong = (message: string): Answer => ({ http: 422, body: { error: message } });
const done = ok({ ok: true });

const controls: Record<string, Handler> = {
  'POST /control/citizen': citizen,
  'POST /control/fault': fault,
  'POST /control/brand': brandMade,
  'POST /control/subscription': subscription,
  'POST /control/settings': (body, _query, { settings }) => {
    const problem = changeSettings(settings, body);
    return problem === null ? ok(settings) : wrong(problem);
  },
  'GET /control/settings': (_body, _query, { settings }) => ok(settings),
  'GET /control/consents': consents,
  'GET /control/stats': statsShown,
  'POST /control/reset': reset,
};

export function control(
  method: string,
  path: string,
  query: URLSearchParams,
  text: string,
  world: ControlWorld,
): Answer {
  const handler = controls[`${method} ${path}`];
  if (handler === undefined) return { http: 404, body: { error: `known: ${Object.keys(controls).join(', ')}` } };
  const body = text === '' ? {} : parsed(text);
  return isObject(body) ? handler(body, query, world) : wrong('the body must be a JSON object');
}

function brandNamed(body: Raw, world: ControlWorld): Brand | null {
  const brandCode = codeOf(body['brandCode']);
  return brandCode === null ? null : world.store.brand(brandCode);
}

/** A citizen may decide anything at any time: only the form of the address is checked. */
function citizen(body: Raw, _query: URLSearchParams, world: ControlWorld): Answer {
  const brand = brandNamed(body, world);
  if (brand === null) return wrong('brandCode must be an integer');
  const recipient = String(body['recipient']).replace(/^(?=90\d{10}$)/, '+');
  const given: Raw = { recipientType: 'BIREYSEL', type: 'MESAJ', ...body, recipient };
  const nowMs = world.now();
  const faults = brokenForm(addressRules, given, { nowMs, businessDaysMax: 0 });
  if (faults.length > 0) return wrong(`${faults[0]?.code} ${faults[0]?.location}`);
  const { recipientType, type, status } = given as Record<string, string>;
  if (recipientType === undefined || type === undefined || status === undefined || !statuses.includes(status))
    return wrong('status must be ONAY or RET');
  const isNew = !brand.addresses.has(addressKey(recipientType, type, recipient));
  if (isNew && world.store.addressCount() >= addressesMax) return wrong('the simulator is full');
  const source = typeof body['source'] === 'string' ? body['source'] : 'IYS_WEB';
  const consentDate = typeof body['consentDate'] === 'string' ? body['consentDate'] : undefined;
  const movement = world.store.record(brand, { recipient, recipientType, type, status, source, consentDate }, nowMs);
  world.push.send(brand, movement);
  return ok({ transactionId: movement.transactionId, creationDate: movement.creationDate });
}

function fault(body: Raw, _query: URLSearchParams, { faults }: ControlWorld): Answer {
  const problem = faults.set(body['kind'], body['seconds'], body['ms']);
  return problem === null ? done : wrong(problem);
}

function brandMade(body: Raw, _query: URLSearchParams, world: ControlWorld): Answer {
  const brand = brandNamed(body, world);
  const iysCode = codeOf(body['iysCode']);
  if (brand === null || iysCode === null) return wrong('brandCode and iysCode must be integers');
  brand.iysCode = iysCode;
  if (typeof body['name'] === 'string') brand.name = body['name'];
  return done;
}

/** For a whole iysCode, or for one brand only, which then takes precedence. */
function subscription(body: Raw, _query: URLSearchParams, world: ControlWorld): Answer {
  const { status = 'ACTIVE', consentLimit = 1_000_000_000, consentLimitExceed = false } = body;
  if (!subscriptionStates.includes(status as string)) return wrong(`status: ${subscriptionStates.join(', ')}`);
  if (typeof consentLimit !== 'number') return wrong('consentLimit must be a number');
  const wanted = { status, consentLimit, consentLimitExceed: consentLimitExceed === true } as Subscription;
  const iysCode = codeOf(body['iysCode']);
  const brand = brandNamed(body, world);
  if (brand !== null) brand.subscription = wanted;
  else if (iysCode !== null) world.store.subscriptions.set(iysCode, wanted);
  else return wrong('iysCode or brandCode must be given');
  return ok(wanted);
}

function consents(_body: Raw, query: URLSearchParams, { store }: ControlWorld): Answer {
  const brandCode = query.get('brandCode');
  const wanted = query.get('recipient');
  const list: Raw[] = [];
  for (const brand of store.brands.values()) {
    if (brandCode !== null && brand.brandCode !== codeOf(brandCode)) continue;
    for (const { current, movements } of brand.addresses.values()) {
      if (list.length >= consentsShownMax) return ok(list);
      if (wanted !== null && current.recipient.replace('+', '') !== wanted.trim().replace('+', '')) continue;
      list.push({ brandCode: brand.brandCode, ...shown(current), movements: movements.length });
    }
  }
  return ok(list);
}

function statsShown(_body: Raw, _query: URLSearchParams, { stats, tally, pushTally, store }: ControlWorld): Answer {
  const held = { addresses: store.addressCount(), movements: store.movementCount() };
  return ok({ requests: stats.requests, answers: stats.answers, ...tally, pushes: pushTally, ...held });
}

/** Everything except the settings. */
function reset(_body: Raw, _query: URLSearchParams, world: ControlWorld): Answer {
  for (const part of [world.store, world.adding, world.push, world.faults, world.gate]) part.clear();
  Object.assign(world.stats, { requests: {}, answers: {} });
  Object.assign(world.tally, { records: 0, duplicates: 0, refused: {} });
  Object.assign(world.pushTally, { sent: 0, failed: 0 });
  return done;
}
