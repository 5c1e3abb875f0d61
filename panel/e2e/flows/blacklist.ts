import { expect, test } from 'vitest';
import { numberFaultWords } from '../../../src/text/number-fault-words.ts';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { customer } from '../people.ts';
import { eventually } from '../visitor.ts';

test('numbers are blocked, found by their last digits, exported and released with a reason', async () => {
  const person = await customer();
  await person.open(paths.blacklist(), tr.blacklist.title);
  await person.reads(tr.blacklist.empty);
  await person.press(tr.blacklist.add);
  await person
    .field(tr.order.number, person.dialog)
    .fill('0555 000 02 01\n+90 555 000 02 02, 5550000203\n5550000201\n123');
  await person.field(tr.blacklist.note, person.dialog).fill('=1+1');
  await person.press(tr.blacklist.addAction, person.dialog);
  await person.reads(tr.blacklist.report('3', '0', '1'), person.dialog);
  await person.row(new RegExp(`^4123${numberFaultWords['too-short'].tr}$`)).waitFor();
  await person.reads(tr.blacklist.repeated('1'), person.dialog);
  await person.button(tr.common.close, person.dialog).last().click();
  await person.row('+90 555 000 02 03').waitFor();

  await person.page.getByLabel(tr.blacklist.search).fill('0202');
  await eventually(() => person.page.locator('tbody tr').count()).toBe(1);
  await person.row('+90 555 000 02 02').waitFor();
  expect(new URL(person.page.url()).searchParams.get('ara')).toBe('0202');

  const csv = await person.exported(tr.table.csv);
  expect(csv.startsWith('\ufeff')).toBe(true);
  const lines = csv.trim().split(/\r?\n/);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(';');
  expect(lines[1]).toContain("'=1+1");

  await person.press(`${tr.common.remove}: +90 555 000 02 02`);
  await person.reads(tr.blacklist.removeTitle('+90 555 000 02 02'), person.dialog);
  expect(await person.button(tr.common.remove, person.dialog).isDisabled()).toBe(true);
  await person.confirm(tr.common.remove, 'Alıcı istedi');
  await person.reads(tr.table.noneMatch);
  await person.press(tr.table.clear);
  await eventually(() => person.page.locator('tbody tr').count()).toBe(2);
});

test('on a phone rows are chosen and released together, and the list is exported from the line of its search', async () => {
  const person = await customer({}, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await person.call('blacklist.add', { numbers: ['5550000231', '5550000232', '5550000233'] });
  await person.open(paths.blacklist(), tr.blacklist.title);
  for (const number of ['+90 555 000 02 31', '+90 555 000 02 33'])
    await person.page.getByRole('checkbox', { name: tr.table.selectRow(number) }).check();
  await person.reads(tr.table.selected('2'));
  const [field, menu] = await Promise.all(
    [person.page.getByLabel(tr.blacklist.search), person.button(tr.table.export)].map(one => one.boundingBox()),
  );
  expect(menu!.y).toBeLessThan(field!.y + field!.height);
  await person.press(tr.blacklist.removeMany('2'));
  await person.confirm(tr.common.remove, 'Alıcılar istedi');
  await person.reads(tr.blacklist.removedMany('2'));
  const { rows } = await person.call('blacklist.list', {});
  expect(rows.map(row => row.number)).toEqual(['+905550000232']);
});

test('the page of a number says why each message did not arrive, and what the person wrote', async () => {
  const person = await customer();
  const reachable = '5550000211';
  const off = '5550009002';
  const send = (to: string, text: string) => person.sendOrder(text, [to]);
  const failed = await send(off, 'Ulasmayan mesaj');
  await eventually(async () => (await person.call('orders.read', { id: failed.orderId })).state).toBe('finished');
  await person.page.goto('/panel/');
  await person.heading(tr.overview.title).waitFor();
  await person.page.keyboard.press('Control+K');
  await person.page.getByPlaceholder(tr.shell.searchPlaceholder).fill('0555 000 90 02');
  await person.page.getByRole('button', { name: '+90 555 000 90 02' }).first().click();
  await person.heading('+90 555 000 90 02').waitFor();
  await person.reads(tr.messageStates.undelivered);
  const reason = (await person.call('orders.recipients', { id: failed.orderId })).rows[0]!.reason!;
  await person.reads(`${reason.tr} ${reason.advice.tr}`);
  await person.reads(tr.common.credits('0'));

  await person.open(paths.number(`90${reachable}`), '+90 555 000 02 11');
  await person.reads(tr.number.none);
  await person.press(tr.number.block);
  await person.reads(/^Kara listede \(Panel, /);
  const filtered = await send(reachable, 'Engelliye').catch((error: Error) => error.message);
  expect(filtered).toMatch(/452/);
  await person.call('blacklist.remove', { numbers: [reachable], reason: 'test' });
  const first = await send(reachable, 'Ulasan mesaj');
  await eventually(async () => (await person.call('orders.read', { id: first.orderId })).delivered).toBe(1);
  await person.page.reload();
  await person.reads(tr.messageStates.delivered);
  await person.reads(tr.number.notBlocked);
  await person.link(tr.order.name(String(first.orderId))).click();
  await person.reads(tr.message.reached, person.dialog);
  await person.press(tr.message.technical, person.dialog);
  await person.reads('111', person.dialog);
});
