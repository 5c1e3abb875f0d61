// The checks of every registry request before its own work: rate, token, codes, subscription, hourly rate.
import { type Answer, type Code, ok, refuse } from './answers.ts';
import type { Faults } from './faults.ts';
import { type Call, type Operation, operations, type World } from './operations.ts';
import { createPenaltyWindow, createWindow } from './rates.ts';
import type { Brand, Subscription } from './store.ts';
import type { Tokens } from './tokens.ts';

type Incoming = {
  method: string;
  path: string;
  query: URLSearchParams;
  authorization: string | undefined;
  text: string;
};
export type Stats = { requests: Record<string, number>; answers: Record<string, number> };

const hourMs = 3_600_000;
const gates: Record<string, Code> = {
  PAUSED: 'H520',
  EXPIRED: 'H520',
  CLOSED: 'H521',
  NONE: 'H524',
  NO_API: 'H586',
};
export const subscriptionStates = ['ACTIVE', ...Object.keys(gates)];

export type Gate = ReturnType<typeof createGate>;

export function createGate(world: World, tokens: Tokens, faults: Faults, stats: Stats, now: () => number) {
  const { settings, store } = world;
  const perSecond = createWindow(1_000);
  const tokenHour = createPenaltyWindow(hourMs);
  const hours = { status: createWindow(hourMs), history: createWindow(hourMs) };
  const hourly = {
    status: { setting: 'statusPerHour', code: 'H086' },
    history: { setting: 'historyPerHour', code: 'H089' },
  } as const;

  function grant(incoming: Incoming): Answer {
    if (!tokenHour.take(settings.tokensPerHour, now())) return refuse('H084');
    const body = parsed(incoming.text) ?? Object.fromEntries(new URLSearchParams(incoming.text));
    const given = tokens.grant(body as Record<string, unknown>, now());
    return ok(given, 'error' in given ? 400 : 200);
  }

  function prepare(operation: Operation, incoming: Incoming): Call | Answer {
    const { path, query, text } = incoming;
    const [iysText = '', brandText] = path
      .replace(/^\/v2/, '')
      .split('/')
      .slice(2)
      .filter(part => part !== 'brands');
    const iysCode = codeOf(iysText);
    if (iysCode === null) return refuse('H190', { location: ['iysCode'], value: iysText });
    const hasBrand = /\/brands\/./.test(path);
    const brandCode = hasBrand ? codeOf(brandText ?? '') : iysCode;
    if (brandCode === null) return refuse('H191', { location: ['brandCode'], value: brandText });
    const brand = brandOf(iysCode, brandCode, hasBrand);
    if (brand === null) return refuse('H353');
    const own = brand.subscription ?? store.subscriptions.get(iysCode);
    const shut = operation.name === 'subscription' ? undefined : gates[own?.status ?? 'ACTIVE'];
    if (shut !== undefined) return refuse(shut);
    const moment = { nowMs: now(), businessDaysMax: settings.businessDaysMax };
    const parts = operation.path.exec(path)?.slice(1).map(decode) ?? [];
    return { iysCode, brand, limit: limitOf(own), parts, query, body: parsed(text), moment };
  }

  /** Unknown brands are created on first use, unless codes are strict; operations without a brand create none. */
  function brandOf(iysCode: number, brandCode: number, hasBrand: boolean): Brand | null {
    const strict = settings.strictCodes === 1;
    if (!hasBrand) {
      const known = !strict || [...store.brands.values()].some(one => one.iysCode === iysCode);
      const none = { brandCode, iysCode, name: '', addresses: new Map(), subscription: null };
      return known ? none : null;
    }
    if (strict) return store.brands.get(brandCode)?.iysCode === iysCode ? (store.brands.get(brandCode) ?? null) : null;
    const brand = store.brand(brandCode);
    if (brand !== null) brand.iysCode ??= iysCode;
    return brand;
  }

  async function answer(incoming: Incoming): Promise<Answer | null> {
    const { method, path } = incoming;
    const isToken = method === 'POST' && path === '/oauth2/token';
    const operation = operations.find(one => one.method === method && one.path.test(path));
    if (!isToken && operation === undefined) return null;
    const name = operation?.name ?? 'token';
    stats.requests[name] = (stats.requests[name] ?? 0) + 1;
    if (faults.isOn('down')) return refuse('H192');
    if (faults.isOn('rate') || !perSecond.take(settings.ratePerSecond, now())) return refuse('H124');
    if (operation === undefined) return grant(incoming);
    if (faults.isOn('token') || !tokens.accepts(incoming.authorization, now())) return refuse('H351');
    const call = prepare(operation, incoming);
    if ('http' in call) return call;
    if (operation.hourly !== undefined) {
      const { setting, code } = hourly[operation.hourly];
      if (!hours[operation.hourly].take(settings[setting], now())) return refuse(code);
    }
    return operation.answer(call, world);
  }

  return {
    answer,
    clear() {
      for (const window of [perSecond, tokenHour, hours.status, hours.history]) window.clear();
    },
  };
}

function limitOf(own: Subscription | undefined): number {
  return own === undefined || own.consentLimitExceed ? Number.POSITIVE_INFINITY : own.consentLimit;
}

export function codeOf(text: unknown): number | null {
  return /^\d{1,15}$/.test(String(text)) ? Number(text) : null;
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
