// Every fate a message can have at a carrier ends as it should: in the report, on the phone and in the credit.
import { beforeAll, describe, expect, test } from 'vitest';
import { fatedNumber } from '../support/customers/journey-numbers.ts';
import { type Customer, type Program, startProgram } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';

type Fate = { fate: number; name: string; status: 111 | 112; shown: boolean };

const fates: Fate[] = [
  { fate: 1, name: 'a plain number', status: 111, shown: true },
  { fate: 9001, name: 'an absent subscriber', status: 112, shown: false },
  { fate: 9002, name: 'an invalid destination', status: 112, shown: false },
  { fate: 9003, name: 'an expired message', status: 112, shown: false },
  { fate: 9004, name: 'a message without a receipt', status: 112, shown: true },
  { fate: 9005, name: 'a slow receipt', status: 111, shown: true },
  { fate: 9006, name: 'a receipt that comes twice', status: 111, shown: true },
  { fate: 9007, name: 'a throttled submit', status: 111, shown: true },
  { fate: 9008, name: 'a receipt before the answer', status: 111, shown: true },
  { fate: 9009, name: 'a rejected message', status: 112, shown: false },
  { fate: 9010, name: 'a full queue', status: 111, shown: true },
  { fate: 9011, name: 'a message on its way for a while', status: 111, shown: true },
];

const turkish = 'Çağrı merkezimiz İstanbul’da, Iğdır’da ve Şişli’de; ölçü, güç, öğüt. ';
const plain = 'Sayin musterimiz, siparisiniz yola cikti; takip numaraniz: {1234-5678}. ';

let program: Program;
const customers = {} as Record<'english' | 'turkish' | 'unicode', Customer>;

beforeAll(async () => {
  // Closed 10 s after the submit at the latest: validity and grace, and a tenth of both.
  program = await startProgram({ env: { PEYK_VALIDITY_SECONDS: '8', PEYK_RECEIPT_GRACE_SECONDS: '1' } });
  for (const mode of ['english', 'turkish', 'unicode'] as const)
    customers[mode] = await program.account({ credits: 900, set: { mode } });
});

test('each fate ends as specified, with a text of one part and with one of three', async () => {
  const { english } = customers;
  const long = plain.repeat(6).trim();
  const numbers = (series: number) => fates.map(one => fatedNumber(one.fate, series));
  const short = await english.send('Tek parca', numbers(1));
  const whole = await english.send(long, numbers(2));
  for (const [id, series, parts, text] of [
    [short, 1, 1, 'Tek parca'],
    [whole, 2, 3, long],
  ] as const) {
    const report = await english.finished(id);
    const delivered = fates.filter(one => one.status === 111).length;
    expect(report).toMatchObject({ status: 114, total: fates.length, delivered, price: delivered * parts });
    for (const [i, one] of fates.entries()) {
      expect.soft(report.message[i], one.name).toMatchObject({ status: one.status });
      const shown = await program.carrier.phone(numbers(series)[i]!);
      const expected = one.shown ? [expect.objectContaining({ from: 'APITEST', text: `${text} B186`, parts })] : [];
      expect.soft(shown, one.name).toEqual(expected);
    }
  }
  const consumed = fates.filter(one => one.status === 111).length * 4;
  expect(await english.balance()).toBe(1000 - consumed);
  expect(await program.audit()).toEqual({ ok: true, findings: [] });
});

describe('a phone shows the text as its account writes, the operator code once, and all parts joined', () => {
  const converted = "Cagri merkezimiz Istanbul'da, Igdir'da ve Sisli'de; olcu, guc, ogut. ";
  const emoji = 'Kampanya 🎉 başladı 😀😀 – hemen bakın! ';
  test.each([
    ['English, seven parts', 'english', `${plain.repeat(14)}${'x'.repeat(20)}`, undefined],
    ['English from Turkish letters', 'english', turkish.trim(), converted.trim()],
    ['Turkish, one part', 'turkish', 'Şifreniz: 1234, ığüşöç İĞÜŞÖÇ', undefined],
    ['Turkish, seven parts', 'turkish', turkish.replaceAll('’', "'").repeat(14).trim(), undefined],
    ['Unicode with emoji, one part', 'unicode', emoji.trim(), undefined],
    ['Unicode with emoji, seven parts', 'unicode', `${emoji.repeat(11)}😀`, undefined],
  ] as const)('%s', async (name, mode, text, expected) => {
    const customer = customers[mode];
    const number = fatedNumber(1, 10 + [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0));
    const before = await customer.balance();
    const id = await customer.send(text, [number]);
    const report = await customer.finished(id);
    expect(report).toMatchObject({ status: 114, delivered: 1 });
    expect(await customer.balance()).toBe(before - report.price);
    const [shown, ...more] = await program.carrier.phone(number);
    expect(more).toEqual([]);
    expect(shown!.text).toBe(`${expected ?? text} B186`);
    expect(shown!.parts).toBe(name.includes('seven') ? 7 : 1);
    expect(report.price).toBe(shown!.parts);
  });
});

test('a long message counts as delivered only when every part of it is', async () => {
  const { english } = customers;
  const number = fatedNumber(9005, 3);
  const before = await english.balance();
  await program.carrier.fault('receipt-flood', 2);
  const id = await english.send(plain.repeat(4).trim(), [number]);
  await wait('the phone to show it', async () => (await program.carrier.phone(number)).length === 1);
  expect((await english.report(id)).message[0]!.status).toBe(110);
  expect((await english.finished(id)).message[0]!.status).toBe(111);
  expect(await english.balance()).toBe(before - 2);
});
