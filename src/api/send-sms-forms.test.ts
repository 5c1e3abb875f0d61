// send-sms accepts the spellings of published clients (each one below is used by one of them) and stores the same thing for
// all.
import { afterAll, expect, test } from 'vitest';
import { expectRefusal, expectSuccess } from '../../test/support/customers/answers.ts';
import {
  brandCode,
  consentEntry,
  freshText,
  number,
  numbers,
  order,
  sender,
  shown,
  wallClock,
} from '../../test/support/customers/samples.ts';
import { pathOf, type TestAccount, testApp } from '../../test/support/program/app.ts';
import { nowMs, setClock } from '../time/clock.ts';

const app = await testApp();
afterAll(() => app.close());
const account = await app.open({ senders: [sender], sms: 1_000 });

async function report(id: string, from: TestAccount = account) {
  return expectSuccess(await from.call('get-report', { order: { id } }), 'order').order!;
}

test('a number is read in every usual spelling and shown with +90', async () => {
  const spellings = [
    '5550000000',
    '05550000000',
    '905550000000',
    '+905550000000',
    '00905550000000',
    '+90 555 000 00 00',
    '0 (555) 000-00-00',
    '555 000 00 00',
    5550000000,
    905550000000,
  ];
  for (const spelling of spellings) {
    const { message } = await report(await account.send(order({}, freshText(), [spelling])));
    expect(message).toEqual([{ number: '+905550000000', status: 110 }]);
  }
});

test('a lone number instead of a list is taken, as a string or as an integer', async () => {
  for (const lone of [number(), Number(number())])
    expect(await report(await account.send(order({}, freshText(), lone)))).toMatchObject({ total: 1 });
});

test('where a list is expected, an object with whole numbers for keys is the list of its values in their order', async () => {
  // PHP's array_unique and array_filter leave gaps, and then a list is sent as an object.
  const given = {
    10: number(2),
    2: Number(number(1)),
    0: `+90${number(0)}`,
    5550000009: number(4),
    5550000008: number(3),
  };
  const found = await report(await account.send(order({}, freshText(), given)));
  expect(found.message.map(one => one.number)).toEqual([0, 1, 2, 3, 4].map(shown));
  const text = (i: number) => ({ text: freshText(), receipents: { number: { 3: number(i) } } });
  const several = await report(await account.send({ sender, message: { 7: text(1), 1: text(0) } }));
  expect(several.message.map(one => one.number)).toEqual([shown(0), shown(1)]);
  const id = await account.send(order({ sendDateTime: { 4: '25/12/2098 10:05' } }));
  expectRefusal(await account.call('get-report', { order: { id } }), 456);
  const brand = await app.open({ brands: [brandCode] });
  const list = { 1: consentEntry({ recipient: shown(1) }), 3: consentEntry({ recipient: shown(3), type: 'YOK' }) };
  const errors = expectRefusal(await brand.call('iys-register', { consent: { brandCode, list } }), 422);
  expect(errors).toHaveProperty(['list.1.type']);
  expectSuccess(await brand.call('iys-register', { consent: { brandCode, list: { 1: list[1] } } }));
});

test('an object with any other key is no list', async () => {
  for (const given of [{ 0: number(), a: number(1) }, { number: number() }, { '1.5': number() }, {}])
    expectRefusal(await account.call('send-sms', { order: order({}, freshText(), given) }), 452);
});

test('commas and semicolons inside a number separate several, alone or among others', async () => {
  const lists = [
    `${number(0)},${number(1)};+90 555 000 00 02`,
    [`${number(0)}, ${number(1)}`, number(2)],
    [number(0), `${number(1)};;${number(2)};`],
    { 1: `${number(0)},`, 4: `,${number(1)},${number(2)}` },
  ];
  for (const given of lists) {
    const { message } = await report(await account.send(order({}, freshText(), given)));
    expect(message.map(one => one.number)).toEqual([shown(0), shown(1), shown(2)]);
  }
  const mixed = await report(await account.send(order({}, freshText(), `${number(0)},yok`)));
  expect(mixed).toMatchObject({ total: 2, undelivered: 1, price: 1 });
});

test('the bound of recipients counts what stands between the commas', async () => {
  const joined = (count: number) => numbers(count).join(',');
  for (const given of [
    joined(50_001),
    [joined(25_000), joined(25_001)],
    ','.repeat(600_000),
    Array(49_999).fill(',,,,'),
  ])
    expectRefusal(await account.call('send-sms', { order: order({}, freshText(), given) }), 452);
  const rich = await app.open({ senders: [sender], sms: 50_000 });
  const id = await rich.send(order({}, freshText(), `${joined(50_000)},`));
  expect((await report(id, rich)).total).toBe(50_000);
});

test('encoding chooses the mode of an order, anything else leaves it to the account', async () => {
  const text = 'Şifre 🎉 ';
  const sent = async (encoding: unknown, from: TestAccount) => {
    const id = await from.send(order({ encoding }, text + freshText()));
    const { rows } = await app.db.query('select text, encoding from order_texts where order_id = $1', [id]);
    return { start: rows[0].text.slice(0, 8), encoding: rows[0].encoding };
  };
  const english = { start: 'Sifre  M', encoding: 0 };
  const turkish = { start: 'Şifre  M', encoding: 1 };
  const unicode = { start: 'Şifre 🎉', encoding: 3 };
  const open = (mode: string) => app.open({ senders: [sender], settings: { mode } });
  for (const [mode, own] of [
    ['english', english],
    ['turkish', turkish],
    ['unicode', unicode],
  ] as const) {
    const from = await open(mode);
    expect(await sent('utf8', from)).toEqual(unicode);
    expect(await sent('gsm0338-tr', from)).toEqual(turkish);
    expect(await sent('gsm0338', from)).toEqual(english);
    for (const other of [undefined, null, '', 'latin1', 8, {}]) expect(await sent(other, from)).toEqual(own);
  }
});

test('a number given twice in one text is sent once, whatever its spelling', async () => {
  const given = [number(1), `0${number(0)}`, Number(number(1)), `+90${number(0)}`, number(2)];
  const found = await report(await account.send(order({}, freshText(), given)));
  expect(found.message.map(one => one.number)).toEqual([shown(1), shown(0), shown(2)]);
  expect(found).toMatchObject({ total: 3, waiting: 3, price: 3 });
});

test('several texts in one order each go to their own recipients and are priced by their own length', async () => {
  const message = [
    { text: freshText(), receipents: { number: [number(0), number(1)] } },
    { text: 'a'.repeat(156), receipents: { number: [Number(number(0))] } },
  ];
  const id = await account.send({ sender, message });
  const found = await report(id);
  expect(found.message.map(one => one.number)).toEqual([shown(0), shown(1), shown(0)]);
  expect(found).toMatchObject({ total: 3, price: 4 });
  const { rows } = await app.db.query('select text_no, credits from messages where order_id = $1 order by id', [id]);
  expect(rows).toEqual([
    { text_no: 1, credits: 1 },
    { text_no: 1, credits: 1 },
    { text_no: 2, credits: 2 },
  ]);
});

test('the only recipient of an order gets the text it was given with, also where another text has none', async () => {
  const [unused, meant] = ['a'.repeat(156), freshText()];
  const message = [
    { text: unused, receipents: { number: [] } },
    { text: meant, receipents: { number: [number(0)] } },
  ];
  const id = await account.send({ sender, message });
  expect(await report(id)).toMatchObject({ total: 1, price: 1 });
  const { rows } = await app.db.query(
    `select t.text, m.credits from messages m join order_texts t on t.order_id = m.order_id and t.no = m.text_no
     where m.order_id = $1`,
    [id],
  );
  expect(rows).toEqual([{ text: meant, credits: 1 }]);
});

test('bad numbers stand in the report as given, at most 20 characters, undelivered and free', async () => {
  const given = ['12345', number(0), 'Ayşe', null, 'x'.repeat(30), { number: 1 }, '+491511234567'];
  const found = await report(await account.send(order({}, freshText(), given)));
  expect(found.message).toEqual([
    { number: '12345', status: 112 },
    { number: shown(0), status: 110 },
    { number: 'Ayşe', status: 112 },
    { number: '', status: 112 },
    { number: 'x'.repeat(20), status: 112 },
    { number: '{…}', status: 112 },
    { number: '+491511234567', status: 112 },
  ]);
  expect(found).toMatchObject({ status: 113, total: 7, undelivered: 6, delivered: 0, waiting: 1, price: 1 });
});

test('blacklisted recipients are undelivered and free, the others are sent', async () => {
  const strict = await app.open({ senders: [sender] });
  await strict.call('add-blacklist', { blacklist: { number: `+90${number(1)}` } });
  const found = await report(await strict.send(order({}, freshText(), numbers(3))), strict);
  expect(found.message.map(one => one.status)).toEqual([110, 112, 110]);
  expect(found).toMatchObject({ undelivered: 1, price: 2 });
  expect((await strict.call('get-balance')).response.balance!.sms).toBe(98);
});

test('with iys 1 only recipients whose latest record is ONAY are sent', async () => {
  const brand = await app.open({ senders: [sender], brands: [brandCode] });
  const entry = (i: number, status: string, ago: number) =>
    consentEntry({ recipient: shown(i), status, consentDate: wallClock(nowMs() - ago) });
  const list = [
    entry(0, 'ONAY', 60_000),
    entry(1, 'ONAY', 60_000),
    entry(1, 'RET', 30_000),
    entry(2, 'RET', 60_000),
    entry(2, 'ONAY', 30_000),
  ];
  expectSuccess(await brand.call('iys-register', { consent: { brandCode, list } }));
  for (const iys of ['1', 1, true]) {
    const found = await report(await brand.send(order({ iys, iysList: 'BIREYSEL' }, freshText(), numbers(4))), brand);
    expect(found.message.map(one => one.status)).toEqual([110, 112, 110, 112]);
    expect(found.price).toBe(2);
  }
});

test('iys as "0", 0, false, null, "" or absent asks for no consent, with or without a list', async () => {
  for (const iys of ['0', 0, false, null, '', undefined])
    for (const iysList of [undefined, 'BIREYSEL', 'nonsense']) await account.send(order({ iys, iysList }));
});

test('sendDateTime absent, null, "" or [] sends now: sendAt equals submitAt', async () => {
  for (const sendDateTime of [undefined, null, '', [], [''], [null]]) {
    const found = await report(await account.send(order({ sendDateTime })));
    expect(found.sendAt).toBe(found.submitAt);
  }
});

test('sendDateTime in each of its four spellings, alone or in a list, schedules at that time in Turkey', async () => {
  for (const spelling of ['25/12/2098 10:05', '25/12/2098 10:05:00', '2098-12-25 10:05', '2098-12-25 10:05:00'])
    for (const sendDateTime of [spelling, [spelling], ` ${spelling} `]) {
      const id = await account.send(order({ sendDateTime }));
      expectRefusal(await account.call('get-report', { order: { id } }), 456);
      const { rows } = await app.db.query('select send_at from orders where id = $1', [id]);
      expect(rows[0].send_at.toISOString()).toBe('2098-12-25T07:05:00.000Z');
    }
});

test('a sendDateTime of now or of the past sends now', async () => {
  const start = Math.floor(nowMs() / 60_000) * 60_000;
  const restore = setClock(() => start);
  for (const time of [start, start - 60_000, 0]) {
    const found = await report(await account.send(order({ sendDateTime: wallClock(time) })));
    expect(found).toMatchObject({ status: 113, submitAt: wallClock(start), sendAt: wallClock(start) });
  }
  restore();
});

test('unknown members and a charset in the content type change nothing', async () => {
  const request = {
    authentication: { key: account.key, hash: account.hash, username: 'x' },
    version: 2,
  };
  for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON;charset=UTF-8', 'application/vnd.x+json']) {
    const body = { request: { ...request, order: order({ encoding: 'utf8', campaign: { id: 5 } }) }, more: [] };
    expectSuccess(await app.client.post(pathOf('send-sms'), body, { 'content-type': type }), 'order');
  }
});

test('while no sender is approved APITEST sends, and never asks for consent', async () => {
  const fresh = await app.open();
  for (const iys of ['0', '1', 'nonsense'])
    expectSuccess(await fresh.call('send-sms', { order: order({ sender: 'APITEST', iys }) }), 'order');
  expectRefusal(await fresh.call('send-sms', { order: order({ sender: 'apitest' }) }), 450);
});

test('APITEST sends the text of the customer', async () => {
  const fresh = await app.open();
  const id = await fresh.send(order({ sender: 'APITEST' }, 'Kodunuz 1234'));
  const { rows } = await app.db.query('select text from order_texts where order_id = $1', [id]);
  expect(rows).toEqual([{ text: 'Kodunuz 1234' }]);
});

test('foreign numbers are bad numbers until abroad mode is on', async () => {
  const abroad = await app.open({ senders: [sender], settings: { abroad: 'on' } });
  const given = [number(0), '+44 7400 123456', '00447400123457', '447400123458'];
  const home = await report(await account.send(order({}, freshText(), given)));
  expect(home.message.map(one => one.status)).toEqual([110, 112, 112, 112]);
  const away = await report(await abroad.send(order({}, freshText(), given)), abroad);
  expect(away.message).toEqual([
    { number: shown(0), status: 110 },
    { number: '+447400123456', status: 110 },
    { number: '+447400123457', status: 110 },
    { number: '447400123458', status: 112 },
  ]);
});

test('50,000 recipients are one order, reported a thousand at a time in the order given', async () => {
  const rich = await app.open({ senders: [sender], sms: 50_000 });
  const given = numbers(50_000);
  const id = await rich.send(order({}, freshText(), given));
  const page = async (no: number) =>
    (await rich.call('get-report', { order: { id, page: no } })).response.order!.message.map(one => one.number);
  expect(await page(1)).toEqual(given.slice(0, 1_000).map(one => `+90${one}`));
  expect(await page(50)).toEqual(given.slice(-1_000).map(one => `+90${one}`));
  expect(await page(51)).toEqual([]);
  expect((await rich.call('get-balance')).response.balance!.sms).toBe(100);
});

test('nothing of all this broke an invariant or was a fault of the server', async () => {
  expect(await app.audit()).toEqual({ ok: true, findings: [] });
  expect(app.faults).toEqual([]);
});
