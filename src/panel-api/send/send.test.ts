import { afterAll, expect, test } from 'vitest';
import { decideSender } from '../../senders/senders.ts';
import { startPanel } from '../panel-fixture.ts';
import type { SendDraft } from './contract.ts';

const panel = await startPanel();
const { pool } = panel.database;
afterAll(() => panel.stop());

let keys = 0;
const freshKey = () => `anahtar-${++keys}`;

function draft(change: Partial<SendDraft> = {}): SendDraft {
  return { sender: 'APITEST', text: 'Merhaba', recipients: ['5550000001'], sendAt: null, commercial: false, ...change };
}

async function grant(accountId: number, sms: number): Promise<void> {
  await pool.query(
    `with g as (update balances set sms = sms + $2 where account_id = $1)
     insert into ledger_entries (account_id, kind, sms) values ($1, 'grant', $2)`,
    [accountId, sms],
  );
}

test('the dry run tells who gets it, who not and why, and what it costs', async () => {
  const owner = await panel.owner();
  await owner.ok('blacklist.add', { numbers: ['5550000003'] });
  const recipients = ['555 000 00 01', '+905550000001', '5550000002', '5550000003', 'abc', '12345', 'abc'];
  const preview = await owner.ok('send.prepare', draft({ text: 'a'.repeat(160), recipients }));
  expect(preview).toMatchObject({
    given: 7,
    sendable: 2,
    invalid: 2,
    duplicate: 2,
    blacklisted: 1,
    nonConsented: 0,
    credits: 4,
    balance: 100,
    balanceAfter: 96,
    texts: 1,
    problems: [],
  });
  expect(preview.rows.invalid).toEqual([
    { row: 4, number: 'abc', fault: 'not-digits' },
    { row: 5, number: '12345', fault: 'too-short' },
  ]);
  expect(preview.rows.duplicate.map(one => one.row)).toEqual([1, 6]);
  expect(preview.rows.blacklisted).toEqual([{ row: 3, number: '+905550000003' }]);
  expect(preview.first).toMatchObject({ encoding: 'gsm7', units: 160, parts: 2 });
});

test('the order that follows costs and counts what the dry run said', async () => {
  const owner = await panel.owner();
  await owner.ok('blacklist.add', { numbers: ['5550000003'] });
  const given = draft({ recipients: ['5550000001', '5550000001', '5550000002', '5550000003', 'abc'] });
  const preview = await owner.ok('send.prepare', given);
  const { orderId } = await owner.ok('send.submit', { ...given, idempotencyKey: freshKey() });
  const order = await owner.ok('orders.read', { id: orderId });
  expect(order).toMatchObject({
    total: 4,
    filtered: 2,
    queued: 2,
    undelivered: 0,
    credits: preview.credits,
    state: 'sending',
  });
  expect(order.source).toEqual({ kind: 'panel', who: owner.email });
  expect((await owner.ok('balance.read', {})).sms).toBe(preview.balanceAfter);
  expect(order.reasons.map(one => [one.key, one.count])).toEqual(
    expect.arrayContaining([
      ['blacklisted', 1],
      ['bad-number', 1],
    ]),
  );
});

test('fields are filled once per row, empty ones with their fallback, and equal texts are stored once', async () => {
  const owner = await panel.owner();
  const given = draft({
    text: 'Sayın {Ad}, kodunuz {kod}. {yok}',
    recipients: ['5550000001', '5550000002', '5550000003'],
    fields: ['ad', 'KOD'],
    values: [
      ['Ayşe', '{ad}'],
      ['', '2'],
      ['', '2'],
    ],
    fallbacks: { ad: 'müşterimiz' },
  });
  const preview = await owner.ok('send.prepare', given);
  expect(preview.texts).toBe(2);
  expect(preview.emptyFields).toEqual({ Ad: 2 });
  expect(preview.unknownFields).toEqual(['yok']);
  expect(preview.first?.text).toBe('Sayin Ayse, kodunuz {ad}. {yok}');
  const { orderId } = await owner.ok('send.submit', { ...given, idempotencyKey: freshKey() });
  const { textList } = await owner.ok('orders.read', { id: orderId });
  expect(textList.map(one => [one.text, one.recipients])).toEqual([
    ['Sayin Ayse, kodunuz {ad}. {yok}', 1],
    ['Sayin musterimiz, kodunuz 2. {yok}', 2],
  ]);
});

test('a repeated submit with the same key makes one order, with another body it is refused', async () => {
  const owner = await panel.owner();
  const given = { ...draft({ text: 'bir kez' }), idempotencyKey: freshKey() };
  const first = await owner.ok('send.submit', given);
  expect(await owner.ok('send.submit', given)).toEqual(first);
  expect((await owner.refusal('send.submit', { ...given, text: 'başka' })).code).toBe('422');
  expect((await owner.ok('orders.list', {})).rows).toHaveLength(1);
});

test('the same order again within ten minutes is refused and names the first one', async () => {
  const owner = await panel.owner();
  const { orderId } = await owner.ok('send.submit', { ...draft(), idempotencyKey: freshKey() });
  const error = await owner.refusal('send.submit', { ...draft(), idempotencyKey: freshKey() });
  expect(error).toMatchObject({ code: '451', orderId, field: 'text' });
  expect((await owner.ok('send.prepare', draft())).problems).toMatchObject([{ code: '451', orderId }]);
});

test.each<[string, string, Partial<SendDraft>]>([
  ['450', 'sender', { sender: 'BASKA' }],
  ['454', 'text', { text: ' \n ' }],
  ['454', 'text', { text: '😀' }],
  ['453', 'text', { text: 'a'.repeat(1_100) }],
  ['457', 'sendAt', { sendAt: '2099-02-31 10:00' }],
  ['452', 'recipients', { recipients: [] }],
  ['452', 'recipients', { recipients: ['1', '2'] }],
  ['402', 'recipients', { recipients: Array.from({ length: 101 }, (_, i) => String(5_550_000_100 + i)) }],
])('code %s stands beside the field %s, in the dry run and in the order alike', async (code, field, change) => {
  const owner = await panel.owner();
  const { problems } = await owner.ok('send.prepare', draft(change));
  expect(problems[0]).toMatchObject({ code, field });
  const error = await owner.refusal('send.submit', { ...draft(change), idempotencyKey: freshKey() });
  expect(error).toMatchObject({ code, field });
  expect(error.tr.length).toBeGreaterThan(5);
});

test('commercial messages ask for the list, the brand code and consent', async () => {
  const owner = await panel.owner();
  await decideSender(pool, owner.accountId, 'MARKA', 'approved');
  const commercial = draft({ sender: 'MARKA', commercial: true });
  const first = async (change: Partial<SendDraft>) =>
    (await owner.ok('send.prepare', { ...commercial, ...change })).problems[0]?.code;
  expect(await first({})).toBe('469');
  expect(await first({ list: 'BIREYSEL' })).toBe('470');
  await pool.query('insert into brands (account_id, code) values ($1, 123)', [owner.accountId]);
  expect(await first({ list: 'BIREYSEL' })).toBe('469');
  await pool.query(
    `insert into consent_records (account_id, brand, recipient, recipient_type, type, status, source, consent_date)
     values ($1, 123, '+905550000002', 'BIREYSEL', 'MESAJ', 'ONAY', 'HS_WEB', now())`,
    [owner.accountId],
  );
  const given = { ...commercial, list: 'BIREYSEL' as const, recipients: ['5550000001', '5550000002'] };
  expect(await owner.ok('send.prepare', given)).toMatchObject({
    sendable: 1,
    nonConsented: 1,
    credits: 1,
    problems: [],
    endsAt: null,
  });
  const { orderId } = await owner.ok('send.submit', { ...given, idempotencyKey: freshKey() });
  expect(await owner.ok('orders.read', { id: orderId })).toMatchObject({ filtered: 1, commercial: 'BIREYSEL' });
});

test('a scheduled order can be cancelled once, and tells who did it', async () => {
  const owner = await panel.owner();
  const given = { ...draft({ sendAt: '2099-01-01 10:00' }), idempotencyKey: freshKey() };
  const { orderId } = await owner.ok('send.submit', given);
  expect((await owner.ok('orders.read', { id: orderId })).state).toBe('scheduled');
  expect((await owner.ok('live', {})).scheduled).toBe(1);
  await owner.ok('orders.reschedule', { id: orderId, sendAt: '2099-05-06 07:08' });
  expect((await owner.ok('orders.read', { id: orderId })).sendAt).toBe('2099-05-06T04:08:00.000Z');
  for (const sendAt of ['2020-01-01 10:00', '2099-02-31 10:00'])
    expect(await owner.refusal('orders.reschedule', { id: orderId, sendAt })).toMatchObject({ field: 'sendAt' });
  await owner.ok('orders.cancel', { id: orderId });
  expect((await owner.refusal('orders.cancel', { id: orderId })).code).toBe('too-late');
  const again = { id: orderId, sendAt: '2099-05-06 09:00' };
  expect((await owner.refusal('orders.reschedule', again)).code).toBe('too-late');
  const order = await owner.ok('orders.read', { id: orderId });
  expect(order).toMatchObject({ state: 'cancelled', cancelledBy: owner.email, filtered: 1, credits: 0 });
  expect((await owner.ok('balance.read', {})).sms).toBe(100);
});

test('fifty thousand personal rows are prepared and sent in one go', async () => {
  const owner = await panel.owner();
  await grant(owner.accountId, 50_000);
  const recipients = Array.from({ length: 50_000 }, (_, i) => String(5_551_000_000 + i));
  const values = recipients.map((_, i) => [`Kişi ${i % 1_000}`]);
  const given = draft({ text: 'Merhaba {ad}', recipients, fields: ['ad'], values });
  expect(await owner.ok('send.prepare', given)).toMatchObject({
    sendable: 50_000,
    texts: 1_000,
    credits: 50_000,
    problems: [],
  });
  const { orderId } = await owner.ok('send.submit', { ...given, idempotencyKey: freshKey() });
  expect(await owner.ok('orders.read', { id: orderId })).toMatchObject({ total: 50_000, queued: 50_000, texts: 1_000 });
  const one = (await owner.ok('orders.recipients', { id: orderId, number: '5551000777' })).rows[0]!;
  const message = await owner.ok('orders.message', { orderId, messageId: one.messageId });
  expect(message).toMatchObject({ number: '+905551000777', text: 'Merhaba Kisi 777', state: 'queued' });
});

test('one row more than fifty thousand is refused as the interface refuses it', async () => {
  const owner = await panel.owner();
  const recipients = Array.from({ length: 50_001 }, (_, i) => String(5_551_000_000 + i));
  expect((await owner.ok('send.prepare', draft({ recipients }))).problems[0]?.code).toBe('452');
});
