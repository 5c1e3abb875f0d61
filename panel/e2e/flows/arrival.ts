// Commands of the palette, replies on a phone, and the simulated phones.
import { expect, test } from 'vitest';
import { paths } from '../../src/paths.ts';
import { en } from '../../src/text/en.ts';
import { tr } from '../../src/text/tr.ts';
import { byStaff, customer, newVisitor, program, staffMember } from '../people.ts';
import { eventually, type Visitor } from '../visitor.ts';

test('the palette knows commands beside pages: blacklist, draft, language, appearance, export, sign-out', async () => {
  const person = await customer();
  await person.open(paths.orders(), tr.orders.title);
  await command(person, tr.palette.block);
  await person.reads(tr.blacklist.addTitle, person.dialog);
  await person.press(tr.common.close, person.dialog);
  await command(person, tr.palette.draft);
  await person.heading(tr.send.title).waitFor();
  const download = person.page.waitForEvent('download');
  await command(person, tr.palette.export);
  expect((await download).suggestedFilename()).toMatch(/\.xlsx$/);
  await command(person, `${tr.shell.theme}: ${tr.shell.dark}`);
  await eventually(() => person.page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
  await command(person, tr.palette.language);
  await person.heading(en.send.title).waitFor();
  await command(person, en.shell.signOut, en.shell.searchPlaceholder);
  await person.heading(en.signIn.title).waitFor();
});

test('on a phone a conversation is opened from the inbox and answered, and what was sent stands beside what was written', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
  const person = await customer({}, phone);
  const staff = await staffMember();
  await staff.call('staff.addNumber', { id: person.accountId, number: '908500000101', keyword: '' });
  await program.carrier.write('5550007301', '908500000101', 'Siparisim nerede?');
  await eventually(async () => (await person.call('inbox.list', {})).rows.length).toBe(1);
  await person.open(`${paths.inbox()}?sekme=konusma`, tr.inbox.title);
  await person.page.getByText('Siparisim nerede?').click();
  await person.reads('Siparisim nerede?', person.dialog);
  await person.field(tr.inbox.reply, person.dialog).fill('Yarin elinizde olacak.');
  await person.press(tr.inbox.sendReply, person.dialog);
  await person.reads('Yarin elinizde olacak.', person.dialog.locator('.bubble.ours'));
  await eventually(async () => (await program.carrier.phone('5550007301')).map(one => one.text)).toEqual([
    'Yarin elinizde olacak. B186',
  ]);
});

test('beside the inbox the newest conversation is open; j opens the next, r leads to the reply', async () => {
  const person = await customer();
  await byStaff('staff.addNumber', { id: person.accountId, number: '908500000102', keyword: '' });
  const written = { '5550007311': 'Ilk soru', '5550007312': 'Son soru' };
  for (const [number, text] of Object.entries(written)) {
    await program.carrier.write(number, '908500000102', text);
    await eventually(async () => (await person.call('inbox.list', {})).rows.some(row => row.text === text)).toBe(true);
  }
  await person.open(paths.inbox(), tr.inbox.title);
  const side = person.page.getByRole('complementary');
  await person.reads('Son soru', side.locator('.bubble'));
  const rows = person.page.locator('ul.rows > li');
  expect(await rows.locator('xpath=self::*[@aria-current="true"]').allInnerTexts()).toHaveLength(1);
  await person.page.keyboard.press('j');
  await person.page.keyboard.press('j');
  await person.reads('Ilk soru', side.locator('.bubble'));
  await person.page.keyboard.press('r');
  await person.page.keyboard.type('Geliyor.');
  expect(await person.field(tr.inbox.reply, side).inputValue()).toBe('Geliyor.');
  await person.press(tr.inbox.sendReply, side);
  await person.reads('Geliyor.', side.locator('.bubble.ours'));
  await eventually(async () => (await program.carrier.phone('5550007311')).length).toBe(1);
  expect(await program.carrier.phone('5550007312')).toEqual([]);
});

test('the phones page has the newest message in view, and a phone added by its number shows its earlier messages', async () => {
  const sender = await customer({ credits: 1_000 });
  await sender.sendOrder('En eski mesaj', ['5550007001']);
  await eventually(async () => (await program.carrier.phone('5550007001')).length).toBe(1);
  const others = Array.from({ length: 230 }, (_, i) => `5550008${String(i).padStart(3, '0')}`);
  await sender.sendOrder('Kalabalik', others);
  await eventually(async () => (await program.carrier.phone('5550008229')).length).toBe(1);
  const watcher = await newVisitor();
  await watcher.page.goto(program.ready.smscHttp!);
  await watcher.page.locator('.phone').first().waitFor();
  expect(await watcher.page.getByText('En eski mesaj').count()).toBe(0);
  await watcher.page.locator('#add-number').fill('0555 000 70 01');
  await watcher.page.locator('#add button').click();
  await watcher.page.getByText('En eski mesaj').waitFor();
  for (let i = 0; i < 12; i++) await sender.sendOrder(`Siradaki mesaj ${i}`, ['5550007001']);
  await watcher.page.getByText('Siradaki mesaj 11').waitFor();
  await eventually(() => isInView(watcher, 'Siradaki mesaj 11')).toBe(true);
});

async function command(person: Visitor, name: string, placeholder?: string): Promise<void> {
  await person.page.keyboard.press('Control+K');
  const field = person.page.getByPlaceholder(
    placeholder ?? new RegExp(`${tr.shell.searchPlaceholder}|${en.shell.searchPlaceholder}`),
  );
  await field.fill(name);
  await person.page.getByRole('button', { name }).first().click();
  await field.waitFor({ state: 'detached' });
}

function isInView(person: Visitor, text: string): Promise<boolean> {
  return person.page.getByText(text).evaluate(element => {
    const box = element.getBoundingClientRect();
    const frame = element.closest('ol')!.getBoundingClientRect();
    return box.top >= frame.top && box.bottom <= frame.bottom && frame.left >= 0 && frame.right <= innerWidth;
  });
}
