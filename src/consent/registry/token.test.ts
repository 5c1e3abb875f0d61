// Tokens and rates: the client stays within the registry's hourly and per-second limits, on a clock that the test controls.
import { expect, test } from 'vitest';
import { registryScene } from '../../../test/support/peers/registry-scene.ts';
import type { TokenMemory, TokenState } from './token.ts';

const minute = 60_000;
const hour = 60 * minute;
const address = { recipient: '+905550000001', recipientType: 'BIREYSEL', type: 'MESAJ' } as const;

const scene = registryScene();
const { start: open, connect, control, stats } = scene;
const tokenRequests = async () => (await stats()).requests['token'] ?? 0;

test('many calls at once ask for one token', async () => {
  const client = await open({ ratePerSecond: 0 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.brands()));
  expect(answers.every(answer => answer.kind === 'ok')).toBe(true);
  expect(await tokenRequests()).toBe(1);
});

test('a token is renewed by its refresh token before it ends, and by password when that has ended too', async () => {
  const client = await open();
  await client.brands();
  scene.time += 2 * hour - 4 * minute;
  expect((await client.brands()).kind).toBe('ok');
  expect(await tokenRequests()).toBe(2);
  scene.time += 5 * hour;
  expect((await client.brands()).kind).toBe('ok');
  expect(await tokenRequests()).toBe(3);
  expect((await stats()).answers).toEqual({ 200: 6 });
});

test('a refresh token that is no longer taken is followed by the password', async () => {
  const client = await open({ refreshLifetimeMs: minute });
  await client.brands();
  const other = connect({ tokenMemory: stale() });
  scene.time += 2 * hour;
  expect((await other.brands()).kind).toBe('ok');
  expect(await tokenRequests()).toBe(3);
});

/** Remembers a refresh token that the registry never issued. */
function stale(): TokenMemory {
  const held = { access: 'x', refresh: 'y', renewAtMs: 0, endsAtMs: 0, refreshEndsAtMs: Number.MAX_SAFE_INTEGER };
  let state: TokenState = { held, askedAtMs: [], closedUntilMs: 0, refusals: 0, failures: 0, pausedUntilMs: 0 };
  return {
    load: async () => state,
    save: async next => {
      state = next;
    },
  };
}

test('a token that the registry no longer accepts is replaced at once', async () => {
  const client = await open({ tokenLifetimeMs: 10_000 });
  await client.brands();
  await control('settings', { tokenLifetimeMs: 7_200_000 });
  const memory = stale();
  const state = await memory.load();
  if (state?.held) Object.assign(state.held, { renewAtMs: scene.time + hour, endsAtMs: scene.time + hour });
  const other = connect({ tokenMemory: memory });
  expect((await other.brands()).kind).toBe('ok');
});

test('tokens that are refused again and again are asked for ever more rarely, never more than ten an hour', async () => {
  const client = await open();
  await control('fault', { kind: 'token', seconds: 7_200 });
  for (let i = 0; i < 240; i++) {
    expect((await client.brands()).kind).toBe('unauthorised');
    scene.time += minute / 4;
  }
  expect(await tokenRequests()).toBeLessThanOrEqual(10);
  expect((await stats()).answers['429']).toBeUndefined();
  await control('fault', { kind: 'none' });
  scene.time += 16 * minute;
  expect((await client.brands()).kind).toBe('ok');
});

test('a wrong password is not tried again for at least a minute', async () => {
  await open({ login: { username: 'api@example.org', password: 'parola' } });
  const client = connect({ password: 'yanlış' });
  for (let i = 0; i < 5; i++) expect((await client.brands()).kind).toBe('unauthorised');
  expect(await tokenRequests()).toBe(1);
  scene.time += minute;
  expect((await client.brands()).kind).toBe('unauthorised');
  expect(await tokenRequests()).toBe(2);
});

test('an outage without a token does not use up the hour’s tokens', async () => {
  const client = await open();
  await control('fault', { kind: 'down', seconds: 1_800 });
  for (let i = 0; i < 1_800; i += 10) {
    expect(['later', 'unreachable']).toContain((await client.brands()).kind);
    scene.time += 10_000;
  }
  scene.time += 10 * minute;
  expect((await client.brands()).kind).toBe('ok');
});

test('over ten tokens an hour we wait by ourselves, and count across restarts when the memory is kept', async () => {
  await open();
  let kept: TokenState | null = null;
  // Forgets the token at every noon, but not the count.
  const tokenMemory: TokenMemory = {
    load: async () => kept,
    save: async state => {
      kept = structuredClone({ ...state });
    },
  };
  for (let i = 0; i < 10; i++) {
    expect((await connect({ tokenMemory }).brands()).kind).toBe('ok');
    kept = kept === null ? null : { ...(kept as TokenState), held: null };
    scene.time += 1_000;
  }
  const answer = await connect({ tokenMemory }).brands();
  expect(answer).toMatchObject({ kind: 'later', code: 'H084' });
  expect(await tokenRequests()).toBe(10);
  scene.time += answer.kind === 'later' ? answer.afterMs : 0;
  expect((await connect({ tokenMemory }).brands()).kind).toBe('ok');
});

test('the registry’s H084 keeps us silent for an hour, since asking again would noon the hour anew', async () => {
  const client = await open({ tokensPerHour: 1 });
  await client.brands();
  const other = connect();
  expect(await other.brands()).toMatchObject({ kind: 'later', code: 'H084', afterMs: hour });
  for (let i = 0; i < 5; i++) {
    scene.time += 10 * minute;
    expect(await other.brands()).toMatchObject({ kind: 'later', code: 'H084' });
  }
  expect(await tokenRequests()).toBe(2);
  scene.time += 10 * minute + 1_000;
  expect((await other.brands()).kind).toBe('ok');
});

test('a hundred calls one after another stay within ten a second and none is refused', async () => {
  const client = await open();
  for (let i = 0; i < 100; i++) expect((await client.brands()).kind).toBe('ok');
  expect((await stats()).answers).toEqual({ 200: 101 });
});

test('a call that would wait too long for its turn gets later', async () => {
  await open();
  const client = connect({ limits: { turnMsMax: 1_000 }, clock: { ...scene.clock, sleep: async () => {} } });
  const answers = await Promise.all(Array.from({ length: 50 }, () => client.brands()));
  const waits = answers.filter(answer => answer.kind === 'later');
  expect(waits.length).toBeGreaterThan(30);
  expect(waits.every(answer => answer.kind === 'later' && answer.afterMs > 1_000)).toBe(true);
});

test('after a 429 nobody goes before the pause is over', async () => {
  const client = await open({ ratePerSecond: 1 });
  expect(await client.brands()).toMatchObject({ kind: 'later', code: 'H124', afterMs: 1_000 });
  const before = scene.time;
  expect((await client.brands()).kind).toBe('ok');
  expect(scene.time - before).toBeGreaterThanOrEqual(1_000);
});

test('single status and history queries stop at their hourly number', async () => {
  await open({ ratePerSecond: 0 });
  const client = connect({ limits: { statusPerHour: 3, historyPerHour: 2 } });
  for (let i = 0; i < 3; i++) expect((await client.statusOf(7001, address)).kind).toBe('ok');
  expect(await client.statusOf(7001, address)).toMatchObject({ kind: 'later', code: 'H086' });
  for (let i = 0; i < 2; i++) expect((await client.history(7001, address)).kind).toBe('ok');
  expect(await client.history(7001, address)).toMatchObject({ kind: 'later', code: 'H089' });
  scene.time += hour;
  expect((await client.statusOf(7001, address)).kind).toBe('ok');
});

test('the registry’s own hourly limits are understood', async () => {
  const client = await open({ statusPerHour: 1, historyPerHour: 1 });
  await client.statusOf(7001, address);
  expect(await client.statusOf(7001, address)).toMatchObject({ kind: 'later', code: 'H086' });
  await client.history(7001, address);
  expect(await client.history(7001, address)).toMatchObject({ kind: 'later', code: 'H089' });
});
