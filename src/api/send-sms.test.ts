// send-sms: every code it may answer, and which one wins when several apply.
import { afterAll, expect, test } from 'vitest';
import { expectRefusal, expectSuccess, nobodyConsents } from '../../test/support/customers/answers.ts';
import {
  brandCode,
  consentEntry,
  freshText,
  number,
  numbers,
  order,
  sender,
  shown,
} from '../../test/support/customers/samples.ts';
import { testApp } from '../../test/support/program/app.ts';
import { grantCredit } from '../balance/ledger.ts';
import { nowMs, setClock } from '../time/clock.ts';

const app = await testApp();
afterAll(() => app.close());
const account = await app.open({ senders: [sender], sms: 1_000 });

const send = (members: object, from = account) => from.call('send-sms', { order: members });

test('send-sms answers 200 with the order id as a string of digits, under both its names', async () => {
  const response = expectSuccess(await send(order()), 'order');
  expect(response.order).toEqual({ id: expect.stringMatching(/^\d{9,}$/), orderId: response.order!.id });
});

test('send-sms answers 402 when the price is above the balance, and takes nothing', async () => {
  const poor = await app.open({ senders: [sender], sms: -98 });
  expectRefusal(await send(order({}, freshText(), numbers(3)), poor), 402);
  expect((await poor.call('get-balance')).response.balance!.sms).toBe(2);
  expectSuccess(await send(order({}, freshText(), numbers(2)), poor), 'order');
});

test('send-sms answers 402 for a long text whose parts do not fit the balance', async () => {
  const poor = await app.open({ senders: [sender], sms: -98 });
  expectRefusal(await send(order({}, 'a'.repeat(155 + 153 + 1)), poor), 402);
  expectSuccess(await send(order({}, 'a'.repeat(155 + 153)), poor), 'order');
});

test('send-sms answers 422 when an idempotency key comes again with another body', async () => {
  const headers = { 'idempotency-key': 'bir' };
  expectSuccess(await account.call('send-sms', { order: order() }, { headers }), 'order');
  const errors = expectRefusal(await account.call('send-sms', { order: order() }, { headers }), 422);
  expect(errors).toEqual({ 'Idempotency-Key': 'Bu anahtar başka bir istekle kullanıldı.' });
});

test('send-sms answers 422 to an idempotency key that is empty, too long or not ASCII', async () => {
  for (const key of ['', 'x'.repeat(256), 'anahtar\u00fc'])
    expectRefusal(await account.call('send-sms', { order: order() }, { headers: { 'idempotency-key': key } }), 422);
});

test('send-sms answers 450 to a sender that is not approved, letter by letter', async () => {
  for (const wrong of ['BASKA', 'peyk', 'PEYK ', ' PEYK', '', null, undefined, 5, [sender], { sender }])
    expectRefusal(await send(order({ sender: wrong })), 450);
});

test('send-sms answers 450 to APITEST once a sender is approved', async () => {
  expectRefusal(await send(order({ sender: 'APITEST' })), 450);
});

test('send-sms answers 450 to the approved sender of another account', async () => {
  const other = await app.open();
  expectRefusal(await send(order(), other), 450);
});

test('send-sms answers 450 to a sender that was applied for but is not approved yet', async () => {
  const other = await app.open();
  await app.db.query("insert into senders (account_id, name, state) values ($1, 'YENI', 'applied')", [other.id]);
  expectRefusal(await send(order({ sender: 'YENI' }), other), 450);
});

test('send-sms answers 451 when the same text goes to the same recipients within 10 minutes', async () => {
  const text = freshText();
  expectSuccess(await send(order({}, text, numbers(2))), 'order');
  expectRefusal(await send(order({}, text, numbers(2))), 451);
  expectRefusal(await send(order({}, text, [number(1), `+90 ${number(0)}`, number(1)])), 451);
  expectRefusal(await send(order({ sendDateTime: '01/01/2099 10:00' }, text, numbers(2))), 451);
  expectSuccess(await send(order({}, text, numbers(3))), 'order');
  expectSuccess(await send(order({}, `${text}.`, numbers(2))), 'order');
});

test('send-sms answers 451 no longer after 10 minutes', async () => {
  const text = freshText();
  expectSuccess(await send(order({}, text)), 'order');
  const start = nowMs();
  const restore = setClock(() => start + 10 * 60_000 - 5_000);
  expectRefusal(await send(order({}, text)), 451);
  restore();
  const later = setClock(() => start + 10 * 60_000 + 5_000);
  expectSuccess(await send(order({}, text)), 'order');
  later();
});

test('send-sms answers 451 neither after a cancelled nor after a refused order', async () => {
  const text = freshText();
  const id = await account.send(order({ sendDateTime: '01/01/2099 10:00' }, text));
  expectRefusal(await send(order({}, text)), 451);
  expectSuccess(await account.call('cancel-order', { order: { id } }));
  expectSuccess(await send(order({}, text)), 'order');

  const poor = await app.open({ senders: [sender], sms: -100 });
  expectRefusal(await send(order({}, text), poor), 402);
  expectRefusal(await send(order({}, text), poor), 402);
});

test('send-sms answers 452 when there is no recipient', async () => {
  for (const given of [[], null, '', {}, true]) expectRefusal(await send(order({}, freshText(), given)), 452);
  expectRefusal(await send({ sender, message: { text: freshText() } }), 452);
  expectRefusal(await send({ sender, message: { text: freshText(), receipents: numbers(1) } }), 452);
});

test('send-sms answers 452 when not one number is valid', async () => {
  for (const given of ['5999000000', '555000000', '+49 1511 2345678', 'abc', '', 'x'.repeat(10_000)])
    expectRefusal(await send(order({}, freshText(), [given, '123'])), 452);
});

test('send-sms answers 452 when every recipient is on the blacklist', async () => {
  const strict = await app.open({ senders: [sender] });
  await strict.call('add-blacklist', { blacklist: { number: number(1) } });
  expectRefusal(await send(order({}, freshText(), [number(1), '123']), strict), 452);
  expectSuccess(await send(order({}, freshText(), numbers(2)), strict), 'order');
});

test('send-sms answers 452 to 50,001 entries, counted before duplicates are merged', async () => {
  expectRefusal(await send(order({}, freshText(), Array(50_001).fill(number()))), 452);
  const half = numbers(25_001);
  const message = [0, 1].map(() => ({ text: freshText(), receipents: { number: half } }));
  expectRefusal(await send({ sender, message }), 452);
  expectSuccess(await send(order({}, freshText(), Array(50_000).fill(number()))), 'order');
});

test('send-sms answers 453 to a text of more than 7 parts', async () => {
  expectSuccess(await send(order({}, 'a'.repeat(155 + 6 * 153))), 'order');
  expectRefusal(await send(order({}, 'a'.repeat(155 + 6 * 153 + 1))), 453);
  expectRefusal(await send(order({}, 'a'.repeat(1_000_000))), 453);
});

test('send-sms answers 453 by the encoding of the account, Turkish and Unicode being shorter', async () => {
  for (const [mode, letter, first, following] of [
    ['turkish', 'ş', 150, 148],
    ['unicode', 'ж', 65, 63],
  ] as const) {
    const writer = await app.open({ senders: [sender], settings: { mode } });
    expectSuccess(await send(order({}, letter.repeat(first + 6 * following)), writer), 'order');
    expectRefusal(await send(order({}, letter.repeat(first + 6 * following + 1)), writer), 453);
  }
});

test('send-sms answers 454 to a text that is empty, blank, missing or empty after conversion', async () => {
  for (const text of ['', ' \n\t', '🎉', '\u200b', null, undefined, {}, [], true])
    expectRefusal(await send({ sender, message: { text, receipents: { number: numbers(1) } } }), 454);
  for (const message of [undefined, null, [], 'text', [{}]]) expectRefusal(await send({ sender, message }), 454);
});

test('send-sms answers 454 when one of several texts is empty', async () => {
  const message = [freshText(), ' '].map(text => ({ text, receipents: { number: numbers(1) } }));
  expectRefusal(await send({ sender, message }), 454);
});

test('send-sms answers 457 to a time that is none, and sends nothing at once instead', async () => {
  const wrong = ['tomorrow', '2099-01-01', '31/02/2099 10:00', '01/13/2099 10:00', '01/01/2099', '01/01/2099 24:00'];
  const worse = ['2099-01-01T10:00:00Z', '1/1/2099 10:00', 4_070_908_800, {}, true, ['01/01/2099 10:00', '']];
  const reports = () => app.db.query('select count(*)::int as n from orders where account_id = $1', [account.id]);
  const before = (await reports()).rows;
  for (const sendDateTime of [...wrong, ...worse]) expectRefusal(await send(order({ sendDateTime })), 457);
  expect((await reports()).rows).toEqual(before);
});

test('send-sms answers 468 when iys is neither 0 nor 1', async () => {
  for (const iys of ['2', 2, 'evet', [], {}, '01']) expectRefusal(await send(order({ iys, iysList: 'BIREYSEL' })), 468);
});

test('send-sms answers 469 when iys is 1 without a list it knows', async () => {
  const brand = await app.open({ senders: [sender], brands: [brandCode] });
  for (const iysList of [undefined, null, '', 'bireysel', 'HEPSI', ['BIREYSEL'], 1])
    expectRefusal(await send(order({ iys: '1', iysList }), brand), 469);
});

test('send-sms answers 469 when not one recipient consents, and says so', async () => {
  const brand = await app.open({ senders: [sender], brands: [brandCode] });
  const list = [consentEntry(), consentEntry({ recipient: shown(1), status: 'RET' })];
  expectSuccess(await brand.call('iys-register', { consent: { brandCode, list } }));
  const refused = async (iysList: string, recipients: string[]) =>
    expectRefusal(await send(order({ iys: '1', iysList }, freshText(), recipients), brand), 469, nobodyConsents);
  await refused('BIREYSEL', [number(1), number(2)]);
  await refused('TACIR', [number(0)]);
  // An order of many recipients.
  await refused('BIREYSEL', numbers(1_500, 1));
  expectSuccess(await send(order({ iys: '1', iysList: 'BIREYSEL' }, freshText(), numbers(3)), brand), 'order');
});

test('send-sms answers 470 when iys is 1 and the account has no brand code', async () => {
  expectRefusal(await send(order({ iys: '1', iysList: 'BIREYSEL' })), 470);
});

test('of several faults the first in the order of the specification is answered', async () => {
  const poor = await app.open({ senders: [sender], sms: -100 });
  const repeated = { text: freshText(), receipents: { number: numbers(1) } };
  const faulty = {
    sender: 'BASKA',
    message: [{ text: '' }, { text: 'a'.repeat(5_000) }] as unknown,
    sendDateTime: 'never',
    iys: 'maybe',
    iysList: 'nobody',
  };
  const step = async (code: number, corrected: object, message?: string) => {
    expectRefusal(await send(faulty, poor), code, message);
    Object.assign(faulty, corrected);
  };
  await step(450, { sender });
  await step(454, { message: { text: 'a'.repeat(5_000) } });
  await step(453, { message: { text: repeated.text } });
  await step(457, { sendDateTime: '' });
  await step(468, { iys: '1' });
  await step(469, { iysList: 'BIREYSEL' });
  await step(470, {});
  await app.db.query('insert into brands (account_id, code) values ($1, 5)', [poor.id]);
  await step(452, { message: repeated });
  await step(469, { iys: '0' }, nobodyConsents);
  await grantCredit(app.db, poor.id, 1, 'test', 'test');
  expectSuccess(await send(faulty, poor), 'order');
  await step(451, { message: { ...repeated, text: freshText() } });
  await step(402, {});
});

test('nothing of all this broke an invariant or was a fault of the server', async () => {
  expect(await app.audit()).toEqual({ ok: true, findings: [] });
  expect(app.faults).toEqual([]);
});
