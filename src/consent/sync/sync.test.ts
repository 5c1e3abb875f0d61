// Pushing records to a registry simulator over a real database.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startScene } from '../../../test/support/peers/consent-scene.ts';
import { audit } from '../../audit/invariants.ts';
import type { SyncStep } from './context.ts';
import { takeLease } from './lease.ts';
import { askForSync, consentSyncState } from './state.ts';
import { startConsentSync, syncOnce } from './sync.ts';
import { brand, draft, numbered, type Scene } from './sync-fixture.ts';

const one = numbered(1);
const two = numbered(2);
let scene: Scene;

beforeEach(async () => {
  scene = await startScene();
});
afterEach(() => scene.close());

const states = async () => (await scene.stored()).map(record => [record.status, record.state]);
const many = (count: number) => Array.from({ length: count }, (_, i) => draft(numbered(i)));

test('a queued record is accepted with its transaction id, and nothing is left for a second run', async () => {
  await scene.register(draft(one), draft(two));
  expect(await scene.sync()).toEqual({ sent: 2, accepted: 2, refused: 0, pulled: 0 });
  const stored = await scene.stored();
  expect(stored.map(record => record.state)).toEqual(['accepted', 'accepted']);
  expect(stored[0]?.transactionId).toMatch(/^[0-9a-f]{64}$/);
  expect(await scene.sync()).toEqual({ sent: 0, accepted: 0, refused: 0, pulled: 0 });
  expect((await scene.stats()).records).toBe(2);
});

test('without a registry nothing is done', async () => {
  const config = { ...scene.options.config, PEYK_REGISTRY_URL: '' };
  await scene.register(draft(one));
  expect(await scene.sync({ config })).toEqual({ sent: 0, accepted: 0, refused: 0, pulled: 0 });
  await (await startConsentSync({ ...scene.options, config })).stop();
  expect(await states()).toEqual([['ONAY', 'queued']]);
});

test('a RET that the registry refuses (H175) is shown refused in Turkish and still counts', async () => {
  await scene.register(draft(one, { status: 'RET' }));
  expect(await scene.sync()).toMatchObject({ sent: 1, accepted: 0, refused: 1 });
  const reason = 'Alıcının İYS’deki ilk kaydı RET olamaz; önce ONAY kaydı gerekir.';
  expect(await scene.stored()).toMatchObject([{ state: 'refused', code: 'H175', reason, counts: true }]);
});

test('an ONAY that the registry refuses no longer counts, so its recipient is not written to', async () => {
  await scene.citizen(one, 'RET');
  await scene.register(draft(one));
  expect(await scene.blocked(905550000001)).toEqual([0]);
  expect(await scene.sync()).toMatchObject({ sent: 1, refused: 1 });
  expect((await scene.stored())[0]).toMatchObject({ state: 'refused', code: 'H178', counts: false });
  expect(await scene.blocked(905550000001)).toEqual([3]);
  expect((await audit(scene.db)).findings).toEqual([]);
});

test('records of one recipient reach the registry one after another, oldest consent first', async () => {
  await scene.register(
    draft(one, { minutesAgo: 50, status: 'RET' }),
    draft(one, { minutesAgo: 60 }),
    draft(one, { minutesAgo: 40 }),
    draft(two),
  );
  expect(await scene.sync()).toMatchObject({ sent: 4, accepted: 4, refused: 0 });
  const held = await scene.held();
  expect(held.find(consent => consent.recipient === one)).toMatchObject({ status: 'ONAY', movements: 3 });
});

test('a recipient twice in a large list goes in two batches, the second after the first has its result', async () => {
  await scene.register(...many(200), draft(numbered(7), { minutesAgo: 30, status: 'RET' }));
  expect(await scene.sync()).toEqual({ sent: 201, accepted: 201, refused: 0, pulled: 0 });
  const twice = (await scene.stored()).filter(record => record.recipient === numbered(7));
  expect(twice.map(record => [record.status, record.state])).toEqual([
    ['ONAY', 'accepted'],
    ['RET', 'accepted'],
  ]);
  expect(twice[0]?.requestIndex).toBe(7);
  const { requests, records } = await scene.stats();
  expect([records, requests['addBatchV2'], requests['addOneV2']]).toEqual([201, 1, 1]);
});

test('5,000 records go in five batches and are all accepted', async () => {
  await scene.register(...many(5_000));
  expect(await scene.sync()).toEqual({ sent: 5_000, accepted: 5_000, refused: 0, pulled: 0 });
  const { requests, records } = await scene.stats();
  expect([records, requests['addBatchV2'], requests['addOneV2']]).toEqual([5_000, 5, undefined]);
  expect((await scene.db.query('select 1 from consent_batches')).rows).toEqual([]);
  expect((await audit(scene.db)).findings).toEqual([]);
});

test('in a batch with wrong records only those are refused, by the answer and by the result', async () => {
  const old = draft(numbered(3), { minutesAgo: 30 * 24 * 60 });
  await scene.register(...many(150).filter(record => record.recipient !== numbered(3)), old);
  await scene.register(draft(numbered(999), { status: 'RET' }));
  expect(await scene.sync()).toEqual({ sent: 151, accepted: 149, refused: 2, pulled: 0 });
  const refused = (await scene.stored()).filter(record => record.state === 'refused');
  expect(refused).toMatchObject([
    { recipient: numbered(3), code: 'H467', counts: false },
    { recipient: numbered(999), code: 'H175', counts: true },
  ]);
});

test('with the registry’s real delay the command returns at once and a later run collects the result', async () => {
  const pace = { askAfterMs: 300_000 };
  await scene.register(...many(120));
  expect(await scene.sync({ pace })).toEqual({ sent: 120, accepted: 0, refused: 0, pulled: 0 });
  expect((await scene.stored())[5]).toMatchObject({ state: 'sent', requestIndex: 5 });
  await scene.db.query('update consent_batches set ask_after = now()');
  expect(await scene.sync({ pace })).toEqual({ sent: 0, accepted: 120, refused: 0, pulled: 0 });
});

test('a batch that the registry has forgotten is sent again', async () => {
  await scene.register(...many(110));
  await scene.sync({ pace: { askAfterMs: 300_000 } });
  await scene.control('reset', {});
  await scene.db.query(`update consent_batches set ask_after = now(), sent_at = now() - interval '2 days'`);
  expect(await scene.sync()).toEqual({ sent: 110, accepted: 110, refused: 0, pulled: 0 });
  expect((await scene.stats()).records).toBe(110);
});

test('when the answer is lost after the work was done, the repeat is counted once', async () => {
  await scene.register(draft(one));
  await scene.sync();
  await scene.register(draft(two));
  await scene.fault('accept-then-drop');
  // The token was fetched before, so only the answer about the record is lost; the retry comes after a pause.
  const sync = scene.sync({ onStep: step => void (step === 'one added' && scene.fault('none')) });
  expect(await sync).toMatchObject({ sent: 1, accepted: 1 });
  expect(await states()).toEqual([
    ['ONAY', 'accepted'],
    ['ONAY', 'accepted'],
  ]);
  const { records, duplicates } = await scene.stats();
  expect(records).toBe(2);
  expect(duplicates).toBeGreaterThan(0);
});

const deaths: [SyncStep, number][] = [
  ['claimed', 3],
  ['one added', 3],
  ['claimed', 130],
  ['batch added', 130],
  ['result read', 130],
];
test.each(deaths)(
  'a worker that dies at "%s" with %i records loses none and has none counted twice',
  async (step, count) => {
    await scene.register(...many(count));
    const onStep = (reached: SyncStep) => {
      if (reached === step) throw new Error('died here');
    };
    await expect(scene.sync({ onStep })).rejects.toThrow('died here');
    await scene.sync();
    expect((await scene.stored()).every(record => record.state === 'accepted')).toBe(true);
    const { records, movements } = await scene.stats();
    expect([records, movements]).toEqual([count, count]);
  },
);

test('a repeat that has become too old is accepted when the first try was stored, and refused when it was not', async () => {
  let aheadMs = 0;
  await scene.close();
  scene = await startScene({ now: () => Date.now() + aheadMs });
  const dying = (step: SyncStep) => {
    if (step === 'one added') throw new Error('died here');
  };
  for (const recipient of [one, two]) {
    await scene.register(draft(recipient));
    await expect(scene.sync({ onStep: dying })).rejects.toThrow('died here');
    await scene.db.query(`update consent_records set sync_after = 'infinity'`);
  }
  await scene.register(draft(numbered(3)));
  await scene.db.query('update consent_records set sync_attempts = 1');
  aheadMs = 10 * 24 * 3_600_000;
  // The registry's current record is a later decision; only its history contains ours.
  await scene.citizen(two, 'RET');
  expect(await scene.sync()).toMatchObject({ accepted: 2, refused: 1, pulled: 1 });
  const own = (await scene.stored()).filter(record => record.origin === 'api');
  expect(own).toMatchObject([{ state: 'accepted' }, { state: 'accepted' }, { state: 'refused', code: 'H467' }]);
});

test('records of a brand with a closed subscription wait, and the panel can say why', async () => {
  await scene.control('subscription', { brandCode: brand, status: 'CLOSED' });
  await scene.register(draft(one));
  expect(await scene.sync()).toEqual({ sent: 0, accepted: 0, refused: 0, pulled: 0 });
  const { brands } = await consentSyncState(scene.db, scene.accountId);
  expect(brands).toMatchObject([
    { brand, waiting: 1, pause: { code: 'H521', reason: 'İYS aboneliğiniz kapatılmış.' } },
  ]);
  await scene.control('subscription', { brandCode: brand, status: 'ACTIVE' });
  expect(await scene.sync()).toMatchObject({ accepted: 1 });
});

test('over the registry’s quota an ONAY waits, while the RET of a known recipient gets through', async () => {
  await scene.register(draft(one));
  await scene.sync();
  await scene.control('subscription', { brandCode: brand, status: 'ACTIVE', consentLimit: 1 });
  await scene.register(...many(120).slice(2), draft(one, { status: 'RET', minutesAgo: 10 }));
  expect(await scene.sync()).toMatchObject({ sent: 1, accepted: 1, refused: 0 });
  expect((await scene.held())[0]).toMatchObject({ recipient: one, status: 'RET' });
});

test('however often it is started, one token is enough', async () => {
  for (let i = 0; i < 4; i++) {
    await scene.register(draft(numbered(i)));
    await scene.sync();
  }
  expect((await scene.stats()).requests['token']).toBe(1);
  const kept = (await scene.db.query('select state::text, held from registry_tokens')).rows;
  expect(kept).toHaveLength(1);
  expect(kept[0].state).not.toContain('access');
});

test('the running worker takes new records by itself, and a command beside it counts what it did itself', async () => {
  const worker = await startConsentSync(scene.options);
  try {
    await scene.register(draft(one));
    await vi.waitFor(async () => expect(await states()).toEqual([['ONAY', 'accepted']]), { timeout: 90_000 });
    await scene.register(draft(two));
    const config = { ...scene.options.config, PEYK_REGISTRY_URL: '' };
    const { sent } = await syncOnce({ ...scene.options, config });
    await vi.waitFor(async () => expect((await states())[1]).toEqual(['ONAY', 'accepted']), { timeout: 90_000 });
    expect(sent).toBeLessThanOrEqual(1);
    expect((await scene.stats()).records).toBe(2);
  } finally {
    await worker.stop();
  }
});

test('the worker goes on by itself after the registry was down', async () => {
  await scene.fault('down', 600);
  const worker = await startConsentSync(scene.options);
  try {
    await scene.register(draft(one));
    await vi.waitFor(async () => {
      expect((await consentSyncState(scene.db, scene.accountId)).trouble).toMatchObject({ code: expect.any(String) });
    });
    await scene.fault('none');
    // The client has stored its own pause; the test sets it to now instead of waiting.
    await scene.db.query(`update registry_tokens set state = state || '{"pausedUntilMs":0}'`);
    await vi.waitFor(async () => expect(await states()).toEqual([['ONAY', 'accepted']]), { timeout: 90_000 });
  } finally {
    await worker.stop();
  }
});

test('asked by a person, the worker ends its rest after trouble at once', async () => {
  await scene.register(draft(two));
  await scene.sync();
  await scene.fault('down', 600);
  // As long as the registry is left alone after an error: half a minute, longer than this test waits.
  const worker = await startConsentSync({ ...scene.options, pace: { ...scene.options.pace, pauseMaxMs: 600_000 } });
  try {
    await scene.register(draft(one));
    await vi.waitFor(
      async () => {
        expect((await consentSyncState(scene.db, scene.accountId)).trouble).toMatchObject({ code: 'H192' });
      },
      { timeout: 90_000 },
    );
    await scene.fault('none');
    await askForSync(scene.db);
    await vi.waitFor(async () => expect((await states())[1]).toEqual(['ONAY', 'accepted']), { timeout: 90_000 });
  } finally {
    await worker.stop();
  }
});

test('two never hold the lease at once, and the second gets it when the first lets go', async () => {
  const first = await takeLease(scene.db, 'first', 0, 0);
  expect(await takeLease(scene.db, 'second', 0, 0)).toBeNull();
  const second = takeLease(scene.db, 'second', 0, 10_000);
  await first?.release();
  const taken = await second;
  expect(taken?.isLost()).toBe(false);
  await taken?.release();
});
