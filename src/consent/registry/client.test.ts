// The client against the registry simulator over real sockets. Both use one clock that moves only when the client waits or the
// test says so, which makes rates and delays exact and tests quick.
import { describe, expect, test } from 'vitest';
import { registryScene } from '../../../test/support/peers/registry-scene.ts';
import { type ConsentRecord, registryLimits } from './client.ts';
import { registryCodes } from './codes.ts';

const brand = 7001;
const hour = 3_600_000;
const day = 24 * hour;

const scene = registryScene({ resultDelayMs: 300_000 });
const { start, connect, control, stats } = scene;
const minutesAgo = (minutes: number) => new Date(scene.time - minutes * 60_000);

function record(change: Partial<ConsentRecord> = {}): ConsentRecord {
  return {
    recipient: '+905550000001',
    recipientType: 'BIREYSEL',
    type: 'MESAJ',
    source: 'HS_WEB',
    status: 'ONAY',
    consentDate: minutesAgo(60),
    ...change,
  };
}

describe('rules', () => {
  const stored = (change: Partial<ConsentRecord> = {}) => [record({ consentDate: minutesAgo(120), ...change })];
  const wrong = (field: string, value: unknown) => record({ [field]: value } as Partial<ConsentRecord>);
  const rows: [string, () => ConsentRecord[], () => ConsentRecord][] = [
    ['H175', () => [], () => record({ status: 'RET' })],
    [
      'H174',
      () => [...stored(), record({ status: 'RET', consentDate: minutesAgo(90) })],
      () => record({ status: 'RET' }),
    ],
    ['H178', stored, () => record({ status: 'RET', consentDate: minutesAgo(180) })],
    ['H178', stored, () => record({ status: 'RET', consentDate: minutesAgo(120) })],
    ['H408', () => [], () => record({ source: 'HS_KARAR' })],
    ['H486', () => [], () => record({ source: 'HS_KARAR', status: 'RET' })],
    ['H155', () => [], () => record({ source: 'HS_2015' })],
    ['H156', () => [], () => record({ consentDate: new Date('2015-04-30T20:59:59Z') })],
    ['H162', () => [], () => record({ consentDate: new Date(scene.time + 60_000) })],
    ['H467', () => [], () => record({ consentDate: new Date(scene.time - 6 * day) })],
    [
      'H462',
      () => stored({ recipientType: 'TACIR' }),
      () => record({ recipientType: 'TACIR', consentDate: undefined }),
    ],
    ['H463', () => stored({ recipientType: 'TACIR' }), () => record({ recipientType: 'TACIR', source: undefined })],
    ['H110', () => [], () => wrong('status', undefined)],
    ['H115', () => [], () => wrong('status', 'RED')],
    ['H111', () => [], () => wrong('type', undefined)],
    ['H117', () => [], () => wrong('type', 'SMS')],
    ['H112', () => [], () => wrong('consentDate', undefined)],
    ['H113', () => [], () => wrong('source', undefined)],
    ['H119', () => [], () => wrong('source', 'HS_YOK')],
    ['H114', () => [], () => wrong('recipient', '')],
    ['H120', () => [], () => record({ type: 'EPOSTA', recipient: 'ornek' })],
    ['H121', () => [], () => wrong('recipient', '05550000001')],
    ['H160', () => [], () => wrong('recipient', '+9055500000000000')],
    ['H170', () => [], () => wrong('recipientType', undefined)],
    ['H116', () => [], () => wrong('recipientType', 'KURUM')],
  ];

  test.each(rows)('%s is refused as the record’s own fault, with a Turkish reason', async (code, earlier, bad) => {
    const client = await start();
    for (const good of earlier()) expect((await client.addOne(brand, good)).kind).toBe('ok');
    const answer = await client.addOne(brand, bad());
    expect(answer).toMatchObject({ kind: 'refused', scope: 'record', code });
    expect(answer).toHaveProperty('message', registryCodes[code as keyof typeof registryCodes].tr);
  });

  test.each(rows)('%s in a batch names the record, at once or in the result', async (code, earlier, bad) => {
    const client = await start();
    for (const good of earlier()) expect((await client.addOne(brand, good)).kind).toBe('ok');
    const other = record({ recipient: '+905550000099' });
    const answer = await client.addBatch(brand, [other, bad()]);
    if (answer.kind === 'refused') {
      expect(answer).toMatchObject({ scope: 'record', code, index: 1 });
      expect(answer.errors.every(error => error.index === 1)).toBe(true);
      return;
    }
    expect(answer.kind).toBe('ok');
    scene.time += registryLimits.resultAfterMs;
    const requestId = answer.kind === 'ok' ? answer.requestId : '';
    const result = await client.batchResult(brand, requestId);
    expect(result).toMatchObject({
      kind: 'ok',
      items: [
        { index: 0, state: 'accepted' },
        { index: 1, state: 'refused', class: 'record', code },
      ],
    });
  });

  test('the same address twice in one batch is refused with H194 and the second one’s index', async () => {
    const client = await start();
    const twice = [record(), record({ recipient: '+905550000002' }), record({ status: 'RET' })];
    expect(await client.addBatch(brand, twice)).toMatchObject({ kind: 'refused', code: 'H194', index: 2 });
    expect(await control(`consents?brandCode=${brand}`)).toEqual([]);
  });

  test('a Friday consent is still accepted on the third business day and refused after it', async () => {
    const client = await start();
    const friday = new Date('2026-03-06T09:00:00Z');
    scene.time = Date.parse('2026-03-11T08:59:00Z');
    expect((await client.addOne(brand, record({ consentDate: friday }))).kind).toBe('ok');
    scene.time = Date.parse('2026-03-11T09:01:00Z');
    const late = record({ recipient: '+905550000002', consentDate: friday });
    expect(await client.addOne(brand, late)).toMatchObject({ kind: 'refused', code: 'H467' });
  });

  test('a consent of 2015 is accepted with its one date, and a merchant’s first record without source and date', async () => {
    const client = await start();
    const old = record({ source: 'HS_2015', consentDate: new Date('2015-04-30T21:00:00Z') });
    expect((await client.addOne(brand, old)).kind).toBe('ok');
    const bare = record({ recipientType: 'TACIR', source: undefined, consentDate: undefined });
    expect((await client.addOne(brand, bare)).kind).toBe('ok');
  });

  test('each state of a subscription differs from a fault of the record', async () => {
    const client = await start();
    const states = { PAUSED: 'H520', EXPIRED: 'H520', CLOSED: 'H521', NONE: 'H524', NO_API: 'H586' };
    for (const [status, code] of Object.entries(states)) {
      await control('subscription', { brandCode: brand, status });
      expect(await client.addOne(brand, record())).toMatchObject({ kind: 'refused', scope: 'subscription', code });
    }
    await control('subscription', { brandCode: brand, status: 'ACTIVE', consentLimit: 1 });
    expect((await client.addOne(brand, record())).kind).toBe('ok');
    const second = record({ recipient: '+905550000002' });
    expect(await client.addOne(brand, second)).toMatchObject({ kind: 'refused', scope: 'quota', code: 'H525' });
    expect(await client.addBatch(brand, [second])).toMatchObject({ kind: 'refused', scope: 'quota', code: 'H525' });
  });

  test('a brand of somebody else is refused with H353 although the key is spelled with a colon', async () => {
    const client = await start({ strictCodes: 1 });
    expect(await client.addOne(brand, record())).toMatchObject({
      kind: 'refused',
      scope: 'subscription',
      code: 'H353',
    });
    await control('brand', { brandCode: brand, iysCode: 600, name: 'Örnek' });
    expect((await client.addOne(brand, record())).kind).toBe('ok');
  });
});

describe('operations', () => {
  test('a batch has no result before the delay is over and one per record after it', async () => {
    const client = await start();
    const numbers = Array.from({ length: 1_000 }, (_, i) => `+9055500${String(i).padStart(5, '0')}`);
    const answer = await client.addBatch(
      brand,
      numbers.map(recipient => record({ recipient })),
    );
    if (answer.kind !== 'ok') throw new Error(answer.kind);
    expect(answer.subRequestIds).toHaveLength(1_000);
    expect(await client.batchResult(brand, answer.requestId)).toEqual({ kind: 'ok', items: null });
    scene.time += registryLimits.resultAfterMs;
    const result = await client.batchResult(brand, answer.requestId);
    if (result.kind !== 'ok' || result.items === null) throw new Error('no result');
    expect(result.items.map(item => item.index)).toEqual(numbers.map((_, i) => i));
    expect(result.items.every(item => item.state === 'accepted')).toBe(true);
    expect(await client.approvedOf(brand, 'BIREYSEL', 'MESAJ', numbers)).toEqual({
      kind: 'ok',
      approved: new Set(numbers),
    });
  });

  test('a batch of more than 1,000 never leaves us', async () => {
    const client = await start();
    const many = Array.from({ length: 1_001 }, () => record());
    expect(await client.addBatch(brand, many)).toMatchObject({ kind: 'refused', scope: 'request', code: 'H091' });
    expect((await stats()).requests).toEqual({});
  });

  test('status, history and the approved set follow the latest movement', async () => {
    const client = await start();
    const address = { recipient: '+905550000001', recipientType: 'BIREYSEL', type: 'MESAJ' } as const;
    expect(await client.statusOf(brand, address)).toEqual({ kind: 'ok', consent: null });
    await client.addOne(brand, record());
    scene.time += 1_000;
    await client.addOne(brand, record({ status: 'RET', consentDate: minutesAgo(5) }));
    const status = await client.statusOf(brand, address);
    expect(status).toMatchObject({ kind: 'ok', consent: { status: 'RET', source: 'HS_WEB' } });
    const history = await client.history(brand, address);
    expect(history).toMatchObject({ kind: 'ok', list: [{ status: 'RET' }, { status: 'ONAY' }] });
    expect(await client.history(brand, address, 1, 1)).toMatchObject({ list: [{ status: 'ONAY' }] });
    const approved = await client.approvedOf(brand, 'BIREYSEL', 'MESAJ', [address.recipient, address.recipient]);
    expect(approved).toEqual({ kind: 'ok', approved: new Set() });
  });

  test('a consent date survives the way to the registry and back to the second', async () => {
    const client = await start();
    const consentDate = new Date('2026-03-10T21:30:15Z');
    await client.addOne(brand, record({ consentDate }));
    const status = await client.statusOf(brand, record());
    expect(status).toMatchObject({ kind: 'ok', consent: { consentDate, creationDate: expect.any(Date) } });
  });

  test('a citizen’s refusal comes by the next pull, once, and the cursor goes on from there', async () => {
    const client = await start();
    await client.addOne(brand, record());
    expect(await client.changes(brand, null)).toEqual({ kind: 'ok', after: null, list: [], unreadable: 0 });
    await control('citizen', {
      brandCode: brand,
      recipient: '+905550000001',
      recipientType: 'BIREYSEL',
      type: 'MESAJ',
      status: 'RET',
    });
    const first = await client.changes(brand, null);
    if (first.kind !== 'ok') throw new Error(first.kind);
    expect(first.list).toMatchObject([{ recipient: '+905550000001', status: 'RET', source: 'IYS_WEB' }]);
    expect(await client.changes(brand, first.after)).toMatchObject({ after: first.after, list: [] });
    await control('citizen', {
      brandCode: brand,
      recipient: '+905550000002',
      recipientType: 'BIREYSEL',
      type: 'MESAJ',
      status: 'ONAY',
    });
    expect(await client.changes(brand, first.after)).toMatchObject({ list: [{ recipient: '+905550000002' }] });
    expect(await client.changes(brand, null, 'HS')).toMatchObject({ list: [{ source: 'HS_WEB' }] });
    expect(await client.changes(brand + 1, null)).toMatchObject({ list: [] });
  });

  test('pull holds back what is too young and forgets what is older than seven days', async () => {
    const client = await start({ pullDelayMs: hour });
    await control('citizen', { brandCode: brand, recipient: '+905550000001', status: 'RET' });
    expect(await client.changes(brand, null)).toMatchObject({ list: [] });
    scene.time += hour;
    expect(await client.changes(brand, null)).toMatchObject({ list: [{ status: 'RET' }] });
    scene.time += 7 * day;
    expect(await client.changes(brand, null)).toMatchObject({ list: [] });
  });

  test('brands and subscription are read with their counts', async () => {
    const client = await start();
    await client.addOne(brand, record());
    const own = { brandCode: brand, isMaster: false, approvals: 1, rejections: 0 };
    expect(await client.brands()).toMatchObject({ kind: 'ok', brands: [own] });
    expect(await client.subscription()).toMatchObject({
      kind: 'ok',
      subscription: { status: 'ACTIVE', usedConsentLimit: 1 },
    });
    await control('subscription', { iysCode: 600, status: 'PAUSED' });
    expect(await client.subscription()).toMatchObject({ subscription: { status: 'PAUSED' } });
    await control('subscription', { iysCode: 600, status: 'NONE' });
    expect(await client.subscription()).toMatchObject({ kind: 'refused', scope: 'subscription', code: 'H437' });
  });
});

describe('repeats', () => {
  test('an unchanged repeat of one record gives the same transaction and is not counted', async () => {
    const client = await start();
    const one = record();
    const first = await client.addOne(brand, one);
    scene.time += 5_000;
    expect(await client.addOne(brand, one)).toEqual(first);
    expect(await stats()).toMatchObject({ records: 1, duplicates: 1, movements: 1 });
  });

  test('a batch whose answer never came is repeated without counting twice, and names the first request', async () => {
    const client = await start();
    await client.brands();
    const batch = [record(), record({ recipient: '+905550000002' })];
    await control('fault', { kind: 'accept-then-drop', seconds: 60 });
    expect(await client.addBatch(brand, batch)).toMatchObject({ kind: 'unreachable', mayHaveArrived: true });
    await control('fault', { kind: 'none' });
    const again = await client.addBatch(brand, batch);
    scene.time += registryLimits.resultAfterMs;
    const result = await client.batchResult(brand, again.kind === 'ok' ? again.requestId : '');
    const accepted = { state: 'accepted', original: { requestId: expect.any(String) } };
    expect(result).toMatchObject({ kind: 'ok', items: [accepted, accepted] });
    expect(await stats()).toMatchObject({ records: 2, duplicates: 2, movements: 2 });
  });

  test('a repeated consent does not undo what the citizen decided in between', async () => {
    const client = await start();
    const one = record();
    await client.addOne(brand, one);
    await control('citizen', { brandCode: brand, recipient: one.recipient, status: 'RET' });
    expect((await client.addOne(brand, one)).kind).toBe('ok');
    expect(await client.statusOf(brand, one)).toMatchObject({ consent: { status: 'RET' } });
  });
});

describe('faults', () => {
  const rows: [string, object][] = [
    ['down', { kind: 'later', code: 'H192' }],
    ['rate', { kind: 'later', code: 'H124' }],
    ['drop', { kind: 'unreachable' }],
    ['accept-then-drop', { kind: 'unreachable', mayHaveArrived: true }],
    ['bad-json', { kind: 'unreachable', mayHaveArrived: true }],
    ['token', { kind: 'unauthorised' }],
  ];
  test.each(rows)('%s is a value, and afterwards the same client works again', async (kind, outcome) => {
    const client = await start();
    expect((await client.brands()).kind).toBe('ok');
    await control('fault', { kind, seconds: 60 });
    expect(await client.addOne(brand, record())).toMatchObject(outcome);
    scene.time += 5 * 60_000;
    expect((await client.addOne(brand, record())).kind).toBe('ok');
  });

  test('an answer that takes too long is given up', async () => {
    await start();
    const client = connect({ limits: { timeoutMs: 100 } });
    await client.brands();
    await control('fault', { kind: 'slow', seconds: 60, ms: 60_000 });
    expect(await client.brands()).toMatchObject({ kind: 'unreachable', mayHaveArrived: true });
  });

  test('a registry that is not there is unreachable and uses up no token', async () => {
    const client = await start();
    await scene.registry.stop();
    for (let i = 0; i < 12; i++)
      expect(await client.brands()).toMatchObject({ kind: 'unreachable', mayHaveArrived: false });
    await scene.serve({ port: scene.registry.port });
    expect((await client.brands()).kind).toBe('ok');
  });
});
