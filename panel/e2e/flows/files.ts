// Reading files in the worker, under the real content policy, in the three places that take a file. Unusable rows are named by
// their line in the file.
import { expect, test } from 'vitest';
import { numberFaultWords } from '../../../src/text/number-fault-words.ts';
import { plainNumbers } from '../../../test/support/customers/journey-numbers.ts';
import { largeWorkbook, peopleRows, workbookFile, workbookOf } from '../../../test/support/customers/workbook-file.ts';
import { number } from '../../src/format.ts';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { engine } from '../chromium.ts';
import { customer } from '../people.ts';
import { inWindows1254 } from '../recipient-file.ts';
import { counters, openFileTab } from '../send-page.ts';
import { eventually, type Visitor } from '../visitor.ts';

// Workbooks of 200,000 cells are read in the page.
engine.optimises = true;

const mimeType = 'application/octet-stream';

async function give(person: Visitor, name: string, buffer: Buffer): Promise<void> {
  await person.page.locator('input[type="file"]').setInputFiles({ name, mimeType, buffer });
}

// Half a million cells are read in src/tables/workbook.test.ts.
test('an XLSX of 50,000 rows is read in the browser under our own policy', async () => {
  const person = await customer();
  await openFileTab(person);
  const policy = (await person.context.request.get('/panel/')).headers()['content-security-policy'];
  expect(policy).toContain("worker-src 'self';");
  await give(person, 'ellibin.xlsx', largeWorkbook());
  await person.page.getByTestId('file-reading').waitFor();
  await person.reads(tr.send.fileRead('ellibin.xlsx', '50.000'));
  await person.reads('değer 0-1');
  await eventually(() => counters(person)).toMatchObject({ [tr.send.duplicate]: '0' });
});

test('a reading can be given up, and a file that cannot be read shows nothing of the one before it', async () => {
  const person = await customer();
  await openFileTab(person);
  await give(person, 'önceki.csv', Buffer.from('Numara;Şehir\r\n5550001101;İzmir\r\n'));
  await person.reads('İzmir');
  // 24 MB of comments; three million rows would take ten seconds of CPU.
  const sheet = `<worksheet>${`<!--${' '.repeat(100_000)}-->`.repeat(240)}`;
  await give(person, 'bomba.xlsx', workbookOf([['xl/worksheets/sheet1.xml', sheet]]));
  await person.reads(tr.send.problemTooFull);
  expect(await person.page.getByText('İzmir').count()).toBe(0);
  expect(await person.select(tr.send.numberColumn).count()).toBe(0);
  await give(person, 'uzun.xlsx', largeWorkbook());
  await person.press(tr.common.cancel, person.page.getByTestId('file-reading'));
  await person.page.getByTestId('file-reading').waitFor({ state: 'detached' });
  await give(person, 'sonraki.csv', Buffer.from('Numara;Şehir\r\n5550001102;Ankara\r\n'));
  await person.reads('Ankara');
  await person.reads(tr.send.fileRead('sonraki.csv', '1'));
});

test('cells that look filled in Excel and are empty in the file are named with their cause', async () => {
  const person = await customer();
  await openFileTab(person);
  const sheet = `<worksheet><sheetData>
    <row r="1"><c r="A1" t="inlineStr"><is><t>numara</t></is></c><c r="B1" t="inlineStr"><is><t>ad</t></is></c></row>
    <row r="2"><c r="A2"><v>5550001111</v></c><c r="B2"><f>C2&amp;D2</f></c></row>
    <row r="3"><c r="A3"><v>5550001112</v></c></row></sheetData>
    <mergeCells count="1"><mergeCell ref="C2:C3"/></mergeCells></worksheet>`;
  await give(person, 'formüllü.xlsx', workbookOf([['xl/worksheets/sheet1.xml', sheet]]));
  await person.reads(tr.send.gapsFormula('B2'));
  await person.reads(tr.send.gapsMerged('C2:C3'));
});

test('who stands in a file twice is counted once in the first step, on the review and in the order, with personal texts too', async () => {
  const person = await customer();
  await openFileTab(person);
  const numbers = plainNumbers(21, 900);
  const lines = [...numbers.map((one, at) => `Kişi ${at};${one}`), '', `Başka ad;0${numbers[3]}`, 'Ev;0212 000 00 00'];
  await give(person, 'liste.csv', inWindows1254(`ad;numara\r\n${lines.join('\r\n')}\r\n`));
  const promised = { [tr.send.sendable]: '21', [tr.send.duplicate]: '1', [tr.send.invalid]: '1' };
  await eventually(() => counters(person)).toMatchObject(promised);
  await person.page.locator('[data-kind="duplicate"]').click();
  await person.row(/^24/).waitFor();
  await person.press(tr.common.close, person.dialog);
  await person.page.locator('[data-kind="invalid"]').click();
  await person.row(new RegExp(`^25.*${numberFaultWords.landline.tr}`)).waitFor();
  await person.press(tr.common.close, person.dialog);
  await person.field(tr.send.text).fill('Merhaba {ad}');
  await eventually(() => counters(person)).toMatchObject(promised);
  const send = person.button(tr.send.submit('21'));
  await eventually(() => send.getAttribute('aria-disabled')).toBe(null);
  await send.click();
  await person.page.waitForURL(/siparisler\/\d+$/);
  const { rows } = await person.call('orders.list', {});
  expect(rows).toMatchObject([{ total: 22, filtered: 1, credits: 21 }]);
});

test('the blacklist takes a column of an XLSX, and names every bad row with its line and reason', async () => {
  const person = await customer();
  await person.open(paths.blacklist(), tr.blacklist.title);
  await person.press(tr.blacklist.add);
  const rows = peopleRows(5_000, 10, at => (at % 1_000 === 9 ? '0212 000 00 00' : `0${5_550_100_000 + at}`));
  // The numbers are in the second column; the first looks like numbers too.
  const moved = rows.map(([telephone, ...rest], at) => [
    at === 0 ? 'Müşteri no' : `${100_000 + at}`,
    telephone!,
    ...rest,
  ]);
  moved[20]![1] = '+49 1512 3456789';
  moved[30]![1] = '123';
  await give(person, 'ret.xlsx', workbookFile(moved));
  await person.reads(tr.send.fileRead('ret.xlsx', number(5_000)), person.dialog);
  expect(await person.select(tr.send.numberColumn, person.dialog).inputValue()).toBe('1');
  await person.press(tr.blacklist.addMany(number(5_000)), person.dialog);
  await person.reads(tr.blacklist.report(number(4_993), '0', '7'), person.dialog);
  const bad = person.dialog.getByRole('row');
  await bad
    .filter({ hasText: numberFaultWords.landline.tr })
    .filter({ hasText: number(4_011) })
    .waitFor();
  await bad.filter({ hasText: numberFaultWords['abroad-off'].tr }).filter({ hasText: '21' }).waitFor();
  await bad.filter({ hasText: numberFaultWords['too-short'].tr }).filter({ hasText: '31' }).waitFor();
  expect((await person.call('blacklist.list', {})).total).toBe(4_993);
});

test('consents come from an XLSX as well, a file that is too long or broken says so, and none is silent', async () => {
  const person = await customer({ brand: 701_709 });
  await person.open(paths.consentImport(), tr.consentImport.title);
  await give(person, 'çok.xlsx', largeWorkbook());
  await person.reads(tr.consentImport.tooMany(number(50_000)));
  await give(person, 'bozuk.xlsx', Buffer.from('PK\x03\x04 bozuk'));
  await person.reads(tr.send.problemUnreadable);
  const serial = (Date.now() - 60_000 + 3 * 3_600_000) / 86_400_000 + 25_569;
  const styles = '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>';
  const titles = ['Telefon', 'İzin', 'Tarih'].map(text => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('');
  const people = Array.from(
    { length: 5_000 },
    (_, at) =>
      `<row><c><v>${5_550_200_000 + at}</v></c><c t="inlineStr"><is><t>ONAY</t></is></c><c s="1"><v>${serial}</v></c></row>`,
  );
  const sheet = `<worksheet><sheetData><row>${titles}</row>${people.join('')}</sheetData></worksheet>`;
  await give(
    person,
    'izinler.xlsx',
    workbookOf([
      ['xl/worksheets/sheet1.xml', sheet],
      ['xl/styles.xml', styles],
    ]),
  );
  await person.press(tr.consentImport.check);
  await person.reads(tr.consentImport.checked(number(5_000), number(5_000)));
});

test('a reader that cannot start says so instead of reading for ever, and the next try starts another', async () => {
  const person = await customer();
  await openFileTab(person);
  await person.context.route(/book\.worker/, route => route.abort());
  await give(person, 'liste.csv', Buffer.from('Numara;Şehir\r\n5550001201;İzmir\r\n'));
  await person.reads(tr.send.problemTooSlow);
  await person.context.unroute(/book\.worker/);
  await give(person, 'liste2.csv', Buffer.from('Numara;Şehir\r\n5550001201;İzmir\r\n'));
  await person.reads(tr.send.fileRead('liste2.csv', '1'));
});
