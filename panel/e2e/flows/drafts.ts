// Faults of a draft (file, text, credit): each has its own sentence at its place.
import { closeSync, ftruncateSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import writeExcelFile from 'write-excel-file/node';
import { plainNumbers } from '../../../test/support/customers/journey-numbers.ts';
import { temporaryFolder } from '../../../test/support/run/temporary-folder.ts';
import { number } from '../../src/format.ts';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { byStaff, customer, program } from '../people.ts';
import { openFileTab } from '../send-page.ts';
import { eventually, type Visitor } from '../visitor.ts';

const fileBytesMax = 50 * 1024 * 1024;
const perOrder = 50_000;

test('every way a file can be wrong has its own sentence, and a sheet can be chosen', async () => {
  const person = await customer();
  await openFileTab(person);
  await give(person, 'bos.csv', '');
  await person.reads(tr.send.problemEmpty);
  await give(person, 'adlar.csv', 'ad;soyad\r\nAyşe;A\r\nİpek;B\r\n');
  await person.reads(tr.send.problemNoNumbers);
  await person.reads(tr.send.fileRead('adlar.csv', '2'));
  await give(person, 'eski.xls', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0, 0, 0]));
  await person.reads(tr.send.problemProtected);
  await person.page.locator('input[type="file"]').setInputFiles(tooLargeFile());
  await person.reads(tr.send.problemTooLarge);

  const rows = (numbers: string[]) => [['numara'], ...numbers.map(one => [one])];
  const sheets = await writeExcelFile([
    { data: rows(plainNumbers(2)), sheet: 'Ocak' },
    { data: rows(plainNumbers(3, 1)), sheet: 'Şubat' },
  ]).toBuffer();
  await give(person, 'aylar.xlsx', sheets);
  await person.reads(tr.send.sheetsNote(2));
  await person.reads(tr.send.fileRead('aylar.xlsx', '2'));
  await person.select(tr.send.sheet).selectOption({ label: 'Şubat' });
  await person.reads(tr.send.fileRead('aylar.xlsx', '3'));
});

test('Ctrl Enter while the list is being checked sends it once the check is done, and not after an edit', async () => {
  const person = await customer();
  await person.open(paths.send(), tr.send.title);
  const held: (() => void)[] = [];
  await person.context.route(/drafts\.(create|save|prepare)$/, async route => {
    await new Promise<void>(resolve => held.push(resolve));
    return route.continue();
  });
  /** What the page shows once every answer that it waits for has come. */
  const afterAll = (shown: () => unknown) =>
    eventually(async () => {
      for (const goOn of held.splice(0)) goOn();
      return shown();
    });
  await person.field(tr.send.numbers).fill('5550000861');
  await person.field(tr.send.text).fill('Denetlenirken');
  await eventually(() => held.length).toBeGreaterThan(0);
  await person.page.keyboard.press('Control+Enter');
  await person.button(tr.send.goesWhenChecked).waitFor();
  await person.field(tr.send.text).fill('Denetlenirken degisti');
  await person.button(tr.send.checking).waitFor();
  await afterAll(() => person.button(tr.send.submit('1')).count()).toBe(1);
  expect((await person.call('orders.list', {})).rows).toHaveLength(0);

  await person.field(tr.send.text).fill('Denetlenirken gonderildi');
  await person.button(tr.send.checking).waitFor();
  await person.page.keyboard.press('Control+Enter');
  await person.page.keyboard.press('Control+Enter');
  await afterAll(() => person.page.url()).toMatch(/siparisler\/\d+$/);
  expect((await person.call('orders.list', {})).rows.map(row => row.textStart)).toEqual(['Denetlenirken gonderildi']);
});

test('the page answers to typing while 61,000 rows are read, a reload and another machine go on with the draft, and what is sent is the whole list once', async () => {
  // Slow, so that the rest of the file does not run beside 60,000 deliveries.
  const person = await customer({ credits: 100_000, rate: 1 });
  await openFileTab(person);
  // The last thousand rows name numbers of the first order again.
  const numbers = [...plainNumbers(60_000), ...plainNumbers(1_000)];
  await give(person, 'buyuk.csv', `numara\r\n${numbers.join('\r\n')}\r\n`);
  await person.field(tr.send.text).pressSequentially('Yarim kalan mesaj');
  expect(await person.field(tr.send.text).inputValue()).toBe('Yarim kalan mesaj');
  await person.reads(tr.send.fileRead('buyuk.csv', number(numbers.length)));
  await person.reads(tr.send.split(Math.ceil(60_000 / perOrder)));
  const send = tr.send.submit(number(60_000));
  await person.button(send).waitFor();
  await person.page.reload();
  await person.button(send).waitFor();
  await person.reads(number(1_000), person.page.locator('[data-kind="duplicate"]'));

  const elsewhere = await person.tab();
  await elsewhere.open(paths.send(), tr.send.title);
  await elsewhere.reads('Yarim kalan mesaj');
  await elsewhere.press(tr.send.draftResume);
  await elsewhere.reads(tr.send.fileRead('buyuk.csv', number(61_000)));
  expect(await elsewhere.field(tr.send.text).inputValue()).toBe('Yarim kalan mesaj');
  await elsewhere.page.close();

  await eventually(() => person.button(send).getAttribute('aria-disabled')).toBe(null);
  await person.press(send);
  await person.dialog.getByRole('textbox').fill('60000');
  await person.press(tr.send.confirmAction, person.dialog);
  await person.page.waitForURL(/siparisler(\?|$)/);
  const { rows } = await person.call('orders.list', {});
  expect(rows.map(row => row.total).sort()).toEqual([10_000, 50_000]);
  expect((await person.call('drafts.list', {})).drafts).toEqual([]);
});

// Thousands of texts in every mode: src/panel-api/send/counter.test.ts.
test('the counter under the text agrees with the server in the character mode of the account', async () => {
  const person = await customer();
  const texts = ['Şişli’de ğüzel çığlık', '€uro {ve} [köşeli]', 'Ağ'.repeat(80)];
  await person.call('settings.setSending', { mode: 'turkish' });
  await person.open(paths.send(), tr.send.title);
  await person.field(tr.send.numbers).fill('0555 000 10 01');
  for (const text of texts) {
    const draft = { sender: 'APITEST', text, recipients: ['5550001001'], sendAt: null, commercial: false };
    const counted = (await person.call('send.prepare', draft)).longest!;
    const parts = number(counted.parts);
    await person.field(tr.send.text).fill(text);
    await person.reads(
      tr.send.counter(tr.encodings[counted.encoding], number(counted.units), parts, parts),
      person.page.getByTestId('text-counter'),
    );
    expect(await person.text(person.page.getByTestId('bubble'))).toBe(`${counted.text} B186`);
  }
});

test('what the server would refuse stands on the review with a way to correct it', async () => {
  const person = await customer();
  const { orderId } = await person.call('send.submit', {
    sender: 'APITEST',
    text: 'Ikinci kez',
    recipients: ['5550001011'],
    sendAt: null,
    commercial: false,
    idempotencyKey: 'ikinci-kez',
  });
  await person.open(paths.send(), tr.send.title);
  await refused(person, ['123'], 'Merhaba', '452');
  await person.press(tr.send.fixThere);
  await person.field(tr.send.numbers).waitFor();
  await refused(person, ['5550001011'], 'Ikinci kez', '451');
  await person.link(tr.send.earlier(String(orderId))).waitFor();
  await refused(person, plainNumbers(150, 3), 'Merhaba', '402');
  await person.reads(tr.send.lacking(number(51)));
  await refused(person, ['5550001012'], 'a'.repeat(1_100), '453');
  await refused(person, ['5550001012'], '🎉', '454');
});

test('what a commercial message or a lost sender ID lacks is said on the review', async () => {
  const person = await customer({ senders: ['ORNEK'] });
  await person.open(paths.send(), tr.send.title);
  const commercial = { sender: 'ORNEK', commercial: true, list: 'BIREYSEL' } as const;
  await review(person, ['5550001021'], 'Indirim', commercial);
  await saysProblem(person, ['5550001021'], 'Indirim', '470', commercial);
  await byStaff('staff.addBrand', { id: person.accountId, code: 701_704, quota: 5_000 });
  await review(person, ['5550001022'], 'Indirim', commercial);
  await saysProblem(person, ['5550001022'], 'Indirim', '469', commercial);
  await person.press(tr.send.fixThere);
  await person.page.getByRole('switch', { name: tr.send.commercial }).click();
  await program.cli('sender', 'reject', String(person.accountId), 'ORNEK');
  await review(person, ['5550001023'], 'Haber', { sender: 'ORNEK' });
  await saysProblem(person, ['5550001023'], 'Haber', '450', { sender: 'ORNEK' });
});

type DraftOptions = { sender?: string; commercial?: boolean; list?: 'BIREYSEL' | 'TACIR' };

/** The server's sentence for the draft on the form, and a button that does not send. */
async function refused(person: Visitor, recipients: string[], text: string, code: string): Promise<void> {
  await review(person, recipients, text);
  await saysProblem(person, recipients, text, code);
}

async function saysProblem(
  person: Visitor,
  recipients: string[],
  text: string,
  code: string,
  options: DraftOptions = {},
): Promise<void> {
  const draft = { sender: 'APITEST', text, recipients, sendAt: null, commercial: false, ...options };
  const { problems } = await person.call('send.prepare', draft);
  expect(problems.map(problem => problem.code)).toContain(code);
  await person.reads(problems.find(problem => problem.code === code)!.tr);
  // The button is never disabled: pressed now it leads to the problem, and nothing is sent.
  await person.press(/kişiye gönder/);
  expect(person.page.url()).toContain(paths.send());
}

/** Starts another draft. */
async function review(person: Visitor, numbers: string[], text: string, options: DraftOptions = {}): Promise<void> {
  await person.field(tr.send.numbers).fill(numbers.join('\n'));
  await person.field(tr.send.text).fill(text);
  if (options.commercial) await person.page.getByRole('switch', { name: tr.send.commercial }).check();
  await eventually(() => person.page.getByTestId('send-counters').getAttribute('aria-busy')).toBe('false');
}

async function give(person: Visitor, name: string, content: string | Buffer): Promise<void> {
  const buffer = Buffer.isBuffer(content) ? content : Buffer.from(content);
  await person.page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'text/csv', buffer });
}

/** A sparse file: nothing is written to the disk. */
function tooLargeFile(): string {
  const path = join(temporaryFolder(), 'dev.csv');
  const file = openSync(path, 'w');
  ftruncateSync(file, fileBytesMax + 1);
  closeSync(file);
  return path;
}
