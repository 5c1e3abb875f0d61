// The registry's operations: one row each, with the path, the hourly rate that counts it and its work. The common checks
// (faults, rates, token, codes, subscription) are in gate.ts.
import { randomUUID } from 'node:crypto';
import { type Adding, isObject } from './adding.ts';
import { type Answer, type Code, ok, refuse, refuseAll } from './answers.ts';
import type { createPush } from './push.ts';
import {
  addressRules,
  brokenForm,
  consentTypes,
  isEmail,
  isPhone,
  type Moment,
  type Raw,
  recipientTypes,
} from './rules.ts';
import type { Settings } from './settings.ts';
import { addressKey, type Brand, cursorOf, pullWindowMs, type Store, shown } from './store.ts';

const recipientsMax = 1_000;
const changesMax = 1_000;
const historyMax = 100;

export type Call = {
  iysCode: number;
  brand: Brand;
  /** Addresses that the subscription allows this brand. */
  limit: number;
  parts: string[];
  query: URLSearchParams;
  /** undefined if the body is not JSON. */
  body: unknown;
  moment: Moment;
};
export type World = { store: Store; adding: Adding; push: ReturnType<typeof createPush>; settings: Settings };
export type Operation = {
  name: string;
  method: 'GET' | 'POST';
  path: RegExp;
  hourly?: 'status' | 'history';
  answer(call: Call, world: World): Answer | Promise<Answer>;
};

const brand = String.raw`\/sps\/[^/]+\/brands\/[^/]+`;
const at = (rest: string, prefix = '') => new RegExp(`^${prefix}${brand}\\/${rest}$`);

export const operations: Operation[] = [
  { name: 'brands', method: 'GET', path: /^\/sps\/[^/]+\/brands$/, answer: brandList },
  {
    name: 'addOne',
    method: 'POST',
    path: at('consents'),
    answer: (call, { adding }) => adding.addOne(call.brand, call.limit, call.body, false, call.moment),
  },
  {
    name: 'addOneV2',
    method: 'POST',
    path: at('consents', String.raw`\/v2`),
    answer: (call, { adding }) => adding.addOne(call.brand, call.limit, call.body, true, call.moment),
  },
  {
    name: 'addBatch',
    method: 'POST',
    path: at('consents/request'),
    answer: (call, { adding }) => adding.addBatch(call.brand, call.limit, call.body, false, call.moment),
  },
  {
    name: 'addBatchV2',
    method: 'POST',
    path: at('consents/request', String.raw`\/v2`),
    answer: (call, { adding }) => adding.addBatch(call.brand, call.limit, call.body, true, call.moment),
  },
  {
    name: 'batchResult',
    method: 'GET',
    path: at('consents/request/([^/]+)', String.raw`(?:\/v2)?`),
    answer: batchResult,
  },
  { name: 'status', method: 'POST', path: at('consents/status'), hourly: 'status', answer: singleStatus },
  { name: 'multiStatus', method: 'POST', path: at('consents/([^/]+)/status/([^/]+)'), answer: multiStatus },
  { name: 'history', method: 'POST', path: at('consents/history'), hourly: 'history', answer: history },
  { name: 'changes', method: 'GET', path: at('consents/changes'), answer: changes },
  { name: 'pushRegister', method: 'POST', path: at('push/registration'), answer: pushRegister },
  { name: 'pushList', method: 'GET', path: at('push/registration'), answer: (call, { push }) => push.list(call.brand) },
  { name: 'pushUnregister', method: 'POST', path: at('push/unregistration'), answer: pushUnregister },
  { name: 'subscription', method: 'GET', path: /^\/sps\/[^/]+\/subscription$/, answer: subscription },
];

function brandList({ iysCode }: Call, { store }: World): Answer {
  const own = [...store.brands.values()].filter(one => one.iysCode === iysCode);
  return ok(
    own.map(one => {
      const current = [...one.addresses.values()].map(address => address.current.status);
      const approval = current.filter(status => status === 'ONAY').length;
      const consents = { approval, rejection: current.length - approval, total: current.length };
      const { brandCode, name } = one;
      return { brandCode, name, master: brandCode === iysCode, stats: { consents, retailers: { total: 0 } } };
    }),
  );
}

function batchResult({ brand, parts, moment }: Call, { adding, settings }: World): Answer {
  return adding.result(brand.brandCode, parts[0] ?? '', settings.resultDelayMs, moment.nowMs);
}

/** The registry's answer for a missing record is not published; the simulator answers 204, as changes does. */
function singleStatus({ brand, body, moment }: Call): Answer {
  if (!isObject(body)) return refuse('H097');
  const faults = brokenForm(addressRules, body, moment);
  if (faults.length > 0) return refuseAll(faults);
  const stored = brand.addresses.get(addressKey(body['recipientType'], body['type'], body['recipient']));
  return stored === undefined ? { http: 204 } : ok({ ...shown(stored.current), retailerAccessCount: 0 });
}

type Wrong = { code: Code; detail?: object } | null;

function wrongRecipients(recipientType: string, type: string, recipients: unknown): Wrong {
  if (!recipientTypes.includes(recipientType)) return { code: 'H116' };
  if (!consentTypes.includes(type)) return { code: 'H117' };
  if (recipients === undefined) return { code: 'H168' };
  if (!Array.isArray(recipients)) return { code: 'H478' };
  if (recipients.length === 0) return { code: 'H164' };
  if (recipients.length > recipientsMax) return { code: 'H091' };
  const fits = type === 'EPOSTA' ? isEmail : isPhone;
  const seen = new Set<string>();
  for (const [index, recipient] of recipients.entries()) {
    if (!fits(recipient)) return { code: 'H464', detail: { location: ['recipient'], value: recipient } };
    const key = addressKey(recipientType, type, recipient);
    if (seen.has(key)) return { code: 'H193', detail: { location: ['recipients', index], value: recipient } };
    seen.add(key);
  }
  return null;
}

function multiStatus({ brand, parts, body }: Call): Answer {
  if (!isObject(body)) return refuse('H014');
  const [recipientType = '', type = ''] = parts;
  const wrong = wrongRecipients(recipientType, type, body['recipients']);
  if (wrong !== null) return refuse(wrong.code, wrong.detail);
  const list = (body['recipients'] as string[]).filter(
    recipient => brand.addresses.get(addressKey(recipientType, type, recipient))?.current.status === 'ONAY',
  );
  return ok({ requestId: randomUUID(), list });
}

function history({ brand, query, body, moment }: Call): Answer {
  if (!isObject(body)) return refuse('H014');
  const faults = brokenForm(addressRules, body, moment);
  if (faults.length > 0) return refuseAll(faults);
  const limit = Number(query.get('limit') ?? historyMax);
  const offset = Number(query.get('offset') ?? 0);
  if (!Number.isInteger(limit) || limit < 0) return refuse('H182', { location: ['limit'] });
  if (limit === 0) return refuse('H187', { location: ['limit'] });
  if (limit > historyMax) return refuse('H186', { location: ['limit'], value: limit });
  if (!Number.isInteger(offset) || offset < 0) return refuse('H183', { location: ['offset'] });
  const stored = brand.addresses.get(addressKey(body['recipientType'], body['type'], body['recipient']));
  const all = [...(stored?.movements ?? [])].reverse().sort((a, b) => (a.consentDate < b.consentDate ? 1 : -1));
  const list = all.slice(offset, offset + limit).map(shown);
  return ok({ list, pagination: { totalCount: all.length, pageSize: list.length, offset } });
}

function changes({ brand, query, moment }: Call, { store, settings }: World): Answer {
  const source = query.get('source') ?? 'IYS';
  if (source !== 'IYS' && source !== 'HS') return refuse('H506', { location: ['source'], value: source });
  const limit = Number(query.get('limit') ?? changesMax);
  if (!Number.isInteger(limit) || limit < 1) return refuse('H182', { location: ['limit'] });
  if (limit > changesMax) return refuse('H507', { location: ['limit'], value: limit });
  const from = moment.nowMs - pullWindowMs;
  const to = moment.nowMs - settings.pullDelayMs;
  const found = store.changes(brand.brandCode, query.get('after'), source, limit, from, to);
  const last = found.at(-1);
  return last === undefined ? { http: 204 } : ok({ after: cursorOf(last), list: found.map(shown) });
}

function pushRegister({ brand, body }: Call, { push }: World): Answer | Promise<Answer> {
  return isObject(body) ? push.register(brand, body) : refuse('H014');
}

function pushUnregister({ brand, body }: Call, { push }: World): Answer {
  return isObject(body) ? push.unregister(brand, body as Raw) : refuse('H014');
}

function subscription({ iysCode }: Call, { store }: World): Answer {
  const own = store.subscriptions.get(iysCode);
  if (own?.status === 'NONE') return refuse('H437');
  const used = [...store.brands.values()].filter(one => one.iysCode === iysCode);
  return ok({
    subscriptionId: `sim-${iysCode}`,
    subscriptionPackageName: 'Simülatör',
    startDate: '2024-01-01 00:00:00',
    expirationDate: '2099-12-31 23:59:59',
    status: own === undefined || own.status === 'NO_API' ? 'ACTIVE' : own.status,
    consentLimit: own?.consentLimit ?? 1_000_000_000,
    consentLimitExceed: own?.consentLimitExceed ?? false,
    usedConsentLimit: used.reduce((sum, one) => sum + one.addresses.size, 0),
  });
}
