// Every description that comes with the program against a simulator of its provider: what was taken, refused, too fast, busy,
// and how it is reported; all through the dispatcher as the program runs it.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HttpCarrier } from '../../../simulators/http-carrier/main.ts';
import { wait } from '../../../test/support/run/wait.ts';
import { addBrand } from '../../consent/brands.ts';
import { decideSender } from '../../senders/senders.ts';
import { type DispatchBench, dispatchBench, secretKey } from '../../sending/dispatch-fixture.ts';
import { HttpBench } from '../../sending/http/http-fixture.ts';
import { clientOf } from '../../sending/http/http-link.ts';
import { httpTemplate } from '../../sending/http/template.ts';
import { Token } from '../../sending/http/token.ts';
import { carriersWithPasswords, findCarrier, listCarriers } from '../carriers.ts';
import { definitionFaults } from './check-definition.ts';
import { type ConsentChoice, consentChoices } from './placeholders.ts';
import { presets } from './presets.ts';

const names = Object.keys(presets);
let bench: DispatchBench;
let http: HttpBench;
const simulators = new Map<string, HttpCarrier>();

/** 90 555 0NN 9001: of the preset NN, with the fate 9001. */
const numberOf = (name: string, fate: string) => `905550${String(names.indexOf(name)).padStart(2, '0')}${fate}`;

beforeAll(async () => {
  bench = await dispatchBench();
  http = await new HttpBench(bench.db).start();
  for (const name of names) {
    const prefixes = numberOf(name, '');
    simulators.set(name, await http.carrier(name, { prefixes, window: '5' }));
  }
  await bench.dispatcher();
});
afterAll(async () => {
  await bench.close();
  await http.close();
});

test('every description is as the schema and its rules want it', () => {
  expect(names.map(name => [name, definitionFaults(presets[name])])).toEqual(names.map(name => [name, []]));
});

const delivered = ['0000', '9006', '9007', '9008', '9010'];
const undelivered = ['9001', '9002', '9003', '9009'];

test('each provider’s answers and receipts bring each message to its true end, each sent once', async () => {
  const account = await bench.account();
  const fates = [...delivered, ...undelivered];
  const numbers = names.flatMap(name => fates.map(fate => numberOf(name, fate)));
  const order = await bench.accept(account, 'Merhaba {{to}}, "ışık" & <b>çay</b>', numbers);
  const ends = new Map((await bench.finished(order)).map(one => [String(one.number), one]));
  for (const name of names) {
    const states = fates.map(fate => [fate, ends.get(numberOf(name, fate))!.status]);
    expect([name, states]).toEqual([name, fates.map(fate => [fate, delivered.includes(fate) ? 111 : 112])]);
    const { taken } = simulators.get(name)!;
    expect(taken.map(one => one.to).sort()).toEqual(
      fates
        .filter(fate => fate !== '9002' && fate !== '9009')
        .map(fate => numberOf(name, fate))
        .sort(),
    );
    expect(new Set(taken.map(one => one.from))).toEqual(new Set(['APITEST']));
    const text = presets[name]!.operatorCode ? / B186$/ : /çay<\/b>$|cay<\/b>$/;
    for (const one of taken) expect(one.text).toMatch(text);
  }
});

test('an answer that no rule knows is never "sent": the link closes instead of losing a window', async () => {
  const account = await bench.account();
  const order = await bench.accept(
    account,
    'Bakım',
    names.map(name => numberOf(name, '9013')),
  );
  const ends = await bench.finished(order);
  expect(ends.map(one => [one.status, one.reason])).toEqual(names.map(() => [112, 15]));
  const lines = await listCarriers(bench.db);
  const { rows } = await bench.db.query(
    `select distinct carrier_id from carrier_errors where error like 'an answer that no rule knows%' or error like 'an answer without an id%'`,
  );
  expect(rows).toHaveLength(lines.length);
});

test('inbound messages are stored before they are answered; a post that comes again, even at once, stores nothing', async () => {
  const account = await bench.account();
  await bench.db.query(`insert into inbound_numbers (account_id, number) values ($1, '7889')`, [account]);
  const withInbound = names.filter(name => presets[name]!.inbound);
  for (const name of withInbound) {
    // The same words again are another message; without an id a repeated post looks the same.
    const times = presets[name]!.inbound!.id === undefined ? 1 : 3;
    for (let i = 0; i < 2; i++) {
      const answers = await simulators.get(name)!.inbound('905550000000', '7889', `${name}: "evet" & <ok>`, times);
      expect([name, ...answers]).toEqual([name, ...Array(times).fill(200)]);
    }
  }
  const { rows } = await bench.db.query('select text from inbound_messages where account_id = $1 order by id', [
    account,
  ]);
  expect(rows.map(one => one.text)).toEqual(
    withInbound.flatMap(name => [`${name}: "evet" & <ok>`, `${name}: "evet" & <ok>`]),
  );
});

test('a commercial order is sent as one', async () => {
  const account = await bench.account();
  const number = numberOf('netgsm', '0007');
  await decideSender(bench.db, account, 'PEYK', 'approved');
  await addBrand(bench.db, account, 701701, null);
  await bench.db.query(
    `insert into consent_records (account_id, brand, recipient, recipient_type, type, status, source, consent_date)
     values ($1, 701701, $2, 'BIREYSEL', 'MESAJ', 'ONAY', 'HS_WEB', now() - interval '1 day')`,
    [account, `+${number}`],
  );
  const order = await bench.accept(account, 'Kampanya', [number], {
    sender: 'PEYK',
    consentCheck: true,
    consentList: 'BIREYSEL',
  });
  await bench.finished(order);
  expect(simulators.get('netgsm')!.bodies.find(one => one.includes('Kampanya'))).toContain('"iysfilter":"11"');
});

test('trouble with the account pauses the carrier with the provider’s words, and the message waits', async () => {
  const account = await bench.account();
  const order = await bench.accept(
    account,
    'Bakiye',
    names.map(name => numberOf(name, '9012')),
  );
  for (const name of names)
    await wait(`${name} to be paused`, async () =>
      (await findCarrier(bench.db, name))?.pauseReason?.startsWith('account: HTTP '),
    );
  expect((await bench.messages(order)).map(one => one.status)).toEqual(names.map(() => 110));
});

test('an order’s choice of consents reaches the provider in its own words; the place is left out where it has none', async () => {
  const carriers = await carriersWithPasswords(bench.db, secretKey);
  const bodyOf = (name: string, consent: ConsentChoice) => {
    const carrier = carriers.find(one => one.name === name)!;
    return JSON.parse(
      httpTemplate(carrier, { sender: 'PEYK', text: 'x', encoding: 'gsm7', consent }, '')
        .encode('905550000000', 1)
        .request('').body!,
    );
  };
  const [netgsm, verimor, ttmesaj] = (['netgsm', 'verimor', 'ttmesaj'] as const).map(name =>
    consentChoices.map(consent => bodyOf(name, consent)),
  );
  expect(netgsm!.map(one => one.iysfilter)).toEqual(['0', '11', '12']);
  expect(verimor!.map(one => [one.is_commercial, one.iys_recipient_type])).toEqual([
    [false, undefined],
    [true, 'BIREYSEL'],
    [true, 'TACIR'],
  ]);
  expect(ttmesaj!.map(one => one.isNotification)).toEqual([true, false, false]);
  const orders = consentChoices.map(consent => bodyOf('iletimerkezi', consent).request.order);
  expect(orders.map(one => [one.iys, one.iysList])).toEqual([
    ['0', undefined],
    ['1', 'BIREYSEL'],
    ['1', 'TACIR'],
  ]);
});

test('any text arrives as it is, whatever the body is made of', async () => {
  const carriers = await carriersWithPasswords(bench.db, secretKey);
  const hostile = fc.constantFrom(
    '"',
    "'",
    '{{to}}',
    '{{secret:password}}',
    ']]>',
    '<!--',
    '&amp;',
    '%00',
    '\\u0000',
    '\n',
    '\r\n',
    '\r',
    '+',
    ' ',
    '=',
    '😀',
    'ğüşıöç',
    '\u2028',
    '$1',
    '\\',
  );
  // What an accepted text can hold: no controls but line ends, no halves of pairs.
  const text = fc
    .array(fc.oneof(hostile, fc.string({ unit: 'grapheme', maxLength: 8 })), { minLength: 1, maxLength: 12 })
    .map(parts => `x${parts.join('').replace(/[\0-\t\v\f\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff\ud800-\udfff]/gu, '')}x`);
  for (const carrier of carriers) {
    const simulator = simulators.get(carrier.name)!;
    const client = clientOf(carrier);
    const token = await new Token(carrier, client).ask();
    await fc.assert(
      fc.asyncProperty(text, async given => {
        const template = httpTemplate(carrier, { sender: 'PEYK', text: given, encoding: 'ucs2' }, '');
        await client.ask(template.encode(numberOf(carrier.name, '9004'), 1 + simulator.taken.length).request(token));
        expect(simulator.taken.at(-1)!.text).toBe(given);
      }),
      { numRuns: 25 },
    );
    client.close();
  }
});
