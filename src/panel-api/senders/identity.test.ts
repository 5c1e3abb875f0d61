// The identity step of a subscription: once to the service and back by the same applicant, or a manual check by staff.
import { afterAll, expect, test } from 'vitest';
import { startRegistry } from '../../../simulators/registry/server.ts';
import { type Browser, startPanel } from '../panel-fixture.ts';

const service = await startRegistry({ port: 0 });
const panel = await startPanel('no-build-here', 'http://panel.test', service.url);
afterAll(async () => {
  await panel.stop();
  await service.stop();
});
const staff = await panel.staff();
const pdf = Buffer.from('%PDF-1.4 deneme');

async function applicant(at = panel) {
  const owner = await at.owner();
  const documents = [(await owner.upload(pdf, 'application/pdf', 'a.pdf')).json().data.id as number];
  const { id } = await owner.ok('subscription.apply', {
    applicantKind: 'sole-trader',
    title: 'Deneme',
    taxOffice: 'X',
    taxNumber: '1234567890',
    address: 'Adres',
    contactName: 'Kişi',
    contactMobile: '5550000000',
    documents,
  });
  return Object.assign(owner, { id });
}

/** Acts as the applicant's browser: reads the page, chooses, and is sent back. */
async function choose(url: string, verdict: 'confirmed' | 'refused', change: Record<string, string> = {}) {
  const html = await (await fetch(url)).text();
  const hidden = [...html.matchAll(/name="(state|nonce|return)" value="([^"]*)"/g)].map(([, name, value]) => [
    name!,
    value!.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
  ]);
  const form = new URLSearchParams({ ...Object.fromEntries(hidden), name: 'Deneme Kişisi', verdict, ...change });
  const answer = await fetch(new URL('/identity', url), { method: 'POST', body: form, redirect: 'manual' });
  const back = new URL(answer.headers.get('location')!);
  expect(back.origin + back.pathname).toBe('http://panel.test/panel/basliklar/abonelik');
  return { state: back.searchParams.get('state')!, code: back.searchParams.get('code')! };
}

const checks = async (id: number) =>
  (await staff.ok('staff.application', { id })).identity.map(({ method, state, detail }) => ({
    method,
    state,
    detail,
  }));

test('a confirmed and a refused identity stand beside the application, for staff and for the applicant', async () => {
  for (const verdict of ['confirmed', 'refused'] as const) {
    const owner = await applicant();
    expect((await owner.ok('subscription.read', {})).identity).toEqual({ method: 'simulator', checks: [] });
    const { url } = await owner.ok('identity.begin', { id: owner.id });
    const back = await choose(url, verdict);
    await owner.ok('identity.finish', back);
    const detail = verdict === 'confirmed' ? 'Deneme Kişisi' : '';
    expect(await checks(owner.id)).toEqual([{ method: 'simulator', state: verdict, detail }]);
    expect((await owner.ok('subscription.read', {})).identity.checks[0]!.state).toBe(verdict);
  }
});

test('what comes back is good once, for the account it was begun for, and only with its own verdict', async () => {
  const owner = await applicant();
  const begin = async (who: Browser & { id: number }) => (await who.ok('identity.begin', { id: who.id })).url;
  const back = await choose(await begin(owner), 'confirmed');
  const other = await applicant();
  expect((await other.refusal('identity.finish', back)).code).toBe('identity-failed');
  const all = await Promise.all(Array.from({ length: 8 }, () => owner.send('identity.finish', back)));
  expect(all.filter(one => one.body.ok)).toHaveLength(1);
  expect((await owner.refusal('identity.finish', back)).code).toBe('identity-failed');

  // A verdict about another person is useless with one's own state.
  const own = await choose(await begin(other), 'refused');
  const stolen = await choose(await begin(owner), 'confirmed');
  expect((await other.refusal('identity.finish', { state: own.state, code: stolen.code })).code).toBe(
    'identity-failed',
  );
  expect((await other.refusal('identity.finish', own)).code).toBe('identity-failed');
  expect((await checks(other.id))[0]).toMatchObject({ state: 'failed' });
  for (const wrong of [
    { state: 'x', code: 'y' },
    { state: '', code: '' },
  ])
    expect((await other.refusal('identity.finish', wrong)).code).toMatch(/identity-failed|bad-input/);
});

test('a state is worth nothing after half an hour, nor an application that is decided or another’s', async () => {
  const owner = await applicant();
  const { url } = await owner.ok('identity.begin', { id: owner.id });
  const back = await choose(url, 'confirmed');
  await panel.database.pool.query("update identity_checks set expires_at = now() - interval '1 second'");
  expect((await owner.refusal('identity.finish', back)).code).toBe('identity-failed');
  const other = await applicant();
  expect((await other.refusal('identity.begin', { id: owner.id })).code).toBe('not-found');
  await staff.ok('staff.decide', { id: owner.id, decision: 'approve' });
  expect((await owner.refusal('identity.begin', { id: owner.id })).code).toBe('already-decided');
  expect((await staff.refusal('staff.noteIdentity', { id: owner.id, confirmed: true, note: 'x' })).code).toBe(
    'not-found',
  );
});

test('without a service staff look for themselves, and note what they found', async () => {
  const plain = await startPanel();
  try {
    const watcher = await plain.staff();
    const owner = await applicant(plain);
    const { id } = owner;
    expect((await owner.ok('subscription.read', {})).identity.method).toBe('manual');
    expect((await owner.refusal('identity.begin', { id })).code).toBe('identity-manual');
    const seen = await watcher.ok('staff.noteIdentity', { id, confirmed: true, note: 'Kimlik görüldü' });
    expect(seen.identity).toMatchObject([{ method: 'manual', state: 'confirmed', detail: 'Kimlik görüldü' }]);
    expect((await owner.ok('subscription.read', {})).identity.checks[0]).toMatchObject({
      state: 'confirmed',
      by: null,
    });
  } finally {
    await plain.stop();
  }
});

test('a service that does not answer is reported as such, and the next attempt is free', async () => {
  const gone = await startRegistry({ port: 0 });
  const other = await startPanel('no-build-here', 'http://panel.test', gone.url);
  try {
    const owner = await applicant(other);
    const { id } = owner;
    const { url } = await owner.ok('identity.begin', { id });
    const back = await choose(url, 'confirmed');
    await gone.stop();
    expect((await owner.refusal('identity.finish', back)).code).toBe('identity-silent');
    expect((await owner.ok('subscription.read', {})).identity.checks[0]!.state).toBe('failed');
    await owner.ok('identity.begin', { id });
  } finally {
    await other.stop();
  }
});
