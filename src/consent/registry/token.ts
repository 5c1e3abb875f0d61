// The registry's token: one request at a time, refreshed before it expires, and never more requests than allowed in an hour.
// Beyond that number the registry refuses for an hour and restarts the hour at every attempt, so the count is kept with the
// token (`TokenMemory`), where restarts and other processes find it.
import { backoffMs } from '../../time/backoff.ts';
import { failureOf, field, isJson, parseJson, textField } from './answer.ts';
import type { Wire } from './http.ts';
import type { Failed, Later, Unauthorised } from './outcome.ts';
import type { Pacer, RegistryClock } from './pace.ts';

const hourMs = 3_600_000;
// Refreshed 5 minutes before it expires, or a tenth of a shorter lifetime.
const earlyMs = 5 * 60_000;
// A refused login is not repeated at once, so that a wrong password cannot lock the account.
const refusedPauseMs = 60_000;
const refusedPauseMaxMs = 15 * 60_000;
// Pause after requests that arrived without a result: 5 s doubling to 10 minutes makes fewer than 10 in any hour, so an outage
// never uses up the allowance.
const failurePauseMs = 5_000;
const failurePauseMaxMs = 10 * 60_000;

type Held = { access: string; refresh: string; renewAtMs: number; endsAtMs: number; refreshEndsAtMs: number };
export type TokenState = {
  held: Held | null;
  /** The time of each request of the last hour. */
  askedAtMs: number[];
  closedUntilMs: number;
  refusals: number;
  failures: number;
  pausedUntilMs: number;
};
export type TokenMemory = { load(): Promise<TokenState | null>; save(state: TokenState): Promise<void> };

type TokenSource = {
  get(): Promise<string | Failed>;
  /** Marks a token as refused by the registry; it is not used again. */
  reject(token: string): Promise<void>;
  /** Marks a token as accepted, which resets the count of refusals. */
  accept(): Promise<void>;
};
type Login = { username: string; password: string };

export function createTokenSource(
  wire: Wire,
  pacer: Pacer,
  clock: RegistryClock,
  login: Login,
  perHourMax: number,
  memory: TokenMemory = inProcess(),
): TokenSource {
  let running: Promise<string | Failed> | null = null;
  let troubled = false;

  async function find(): Promise<string | Failed> {
    const state = (await memory.load()) ?? emptyState();
    const now = clock.nowMs();
    const { held } = state;
    if (held !== null && now < held.renewAtMs) return held.access;
    const usable = held !== null && now < held.endsAtMs ? held.access : null;
    const fresh = await renew(state, now);
    // A valid token is better than an error about fetching a new one.
    return typeof fresh === 'string' ? fresh : (usable ?? fresh);
  }

  async function renew(state: TokenState, now: number): Promise<string | Failed> {
    const wait = blocked(state);
    if (wait !== null) return wait;
    const { held } = state;
    if (held !== null && now < held.refreshEndsAtMs) {
      const refreshed = await ask(state, { grant_type: 'refresh_token', refresh_token: held.refresh });
      if (typeof refreshed === 'string' || refreshed.kind !== 'unauthorised') return refreshed;
    }
    const fresh = await ask(state, { grant_type: 'password', ...login });
    if (typeof fresh === 'string' || fresh.kind !== 'unauthorised') return fresh;
    await remember(state, refused(state));
    return fresh;
  }

  function refused(state: TokenState): Pick<TokenState, 'refusals' | 'closedUntilMs'> {
    const pauseMs = backoffMs(state.refusals, refusedPauseMs, refusedPauseMaxMs, () => 0.5);
    return { refusals: state.refusals + 1, closedUntilMs: clock.nowMs() + pauseMs };
  }

  async function ask(state: TokenState, body: object): Promise<string | Failed> {
    const wait = blocked(state);
    if (wait !== null) return wait;
    const queueMs = await pacer.turn();
    if (queueMs > 0) return { kind: 'later', code: 'H124', afterMs: queueMs };
    // Counted and stored before it is sent, because a request without an answer also counts at the registry.
    await remember(state, { askedAtMs: [...state.askedAtMs, clock.nowMs()] });
    const exchange = await wire.send('POST', '/oauth2/token', null, body);
    if ('why' in exchange) return lost(state, exchange.why, exchange.mayHaveArrived);
    const answer = parseJson(exchange.text);
    if (exchange.http === 200) return keep(state, answer);
    const oauthError = exchange.http === 400 && isJson(answer) && textField(answer, 'error') !== '';
    const failed = oauthError ? unauthorised : failureOf(exchange.http, answer);
    if (failed.kind === 'later' && failed.code === 'H084')
      await remember(state, { closedUntilMs: clock.nowMs() + hourMs });
    if (failed.kind === 'unauthorised') return failed;
    const silent = await lost(state, `token answer ${exchange.http}`, true);
    return failed.kind === 'later' ? failed : silent;
  }

  /** The caller's own request was not sent, so this says nothing about it. */
  async function lost(state: TokenState, why: string, arrived: boolean): Promise<Failed> {
    const pausedUntilMs = clock.nowMs() + backoffMs(state.failures, failurePauseMs, failurePauseMaxMs, () => 0.5);
    if (arrived) await remember(state, { failures: state.failures + 1, pausedUntilMs });
    else await remember(state, { askedAtMs: state.askedAtMs.slice(0, -1) });
    return { kind: 'unreachable', why, mayHaveArrived: false };
  }

  function blocked(state: TokenState): Failed | null {
    const now = clock.nowMs();
    if (now < state.closedUntilMs) return state.refusals > 0 ? unauthorised : later('H084', state.closedUntilMs - now);
    if (now < state.pausedUntilMs) return later('H192', state.pausedUntilMs - now);
    state.askedAtMs = state.askedAtMs.filter(time => time > now - hourMs && time <= now);
    if (state.askedAtMs.length < perHourMax) return null;
    return later('H084', (state.askedAtMs[0] ?? now) + hourMs - now);
  }

  async function keep(state: TokenState, answer: unknown): Promise<string | Failed> {
    const access = textField(answer, 'access_token');
    if (access === '') return lost(state, 'a token answer without a token', true);
    const now = clock.nowMs();
    const lifeMs = (Number(field(answer, 'expires_in')) || 0) * 1000;
    const refreshLifeMs = (Number(field(answer, 'refresh_expires_in')) || 0) * 1000;
    const held = {
      access,
      refresh: textField(answer, 'refresh_token'),
      renewAtMs: now + lifeMs - Math.min(earlyMs, lifeMs / 10),
      endsAtMs: now + lifeMs,
      refreshEndsAtMs: now + refreshLifeMs,
    };
    await remember(state, { held, closedUntilMs: 0, failures: 0, pausedUntilMs: 0 });
    return access;
  }

  async function remember(state: TokenState, change: Partial<TokenState>): Promise<void> {
    Object.assign(state, change);
    troubled = state.refusals > 0;
    await memory.save(state);
  }

  return {
    get() {
      running ??= find().finally(() => {
        running = null;
      });
      return running;
    },
    async reject(token) {
      const state = await memory.load();
      if (state?.held?.access !== token) return;
      // A second refused token in a row means that new tokens do not help: wait before the next.
      const again = state.refusals > 0;
      await remember(state, again ? { held: null, ...refused(state) } : { held: null, refusals: 1 });
    },
    async accept() {
      if (!troubled) return;
      const state = await memory.load();
      if (state !== null) await remember(state, { refusals: 0, closedUntilMs: 0 });
    },
  };
}

const unauthorised: Unauthorised = { kind: 'unauthorised' };

function emptyState(): TokenState {
  return { held: null, askedAtMs: [], closedUntilMs: 0, refusals: 0, failures: 0, pausedUntilMs: 0 };
}

function later(code: string, afterMs: number): Later {
  return { kind: 'later', code, afterMs };
}

function inProcess(): TokenMemory {
  let kept: TokenState | null = null;
  return {
    load: async () => kept,
    save: async state => {
      kept = state;
    },
  };
}
