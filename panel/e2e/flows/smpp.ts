// SMPP users: login, limits, password, binds.
import { expect, test } from 'vitest';
import { type Login, SmppCustomer } from '../../../test/support/customers/smpp-customer.ts';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { type Customer, customer } from '../people.ts';
import { eventually } from '../visitor.ts';

test('an SMPP user shows its password once, is changed, rotated with an overlap, turned off and removed; a bind is shown and ended', async () => {
  const person = await customer();
  await person.open(paths.smpp(), tr.smpp.title);
  await person.reads(tr.smpp.none);
  await person.press(tr.smpp.add);
  await person.dialog.getByRole('textbox', { name: tr.smpp.name, exact: true }).fill('Depo');
  const addresses = person.field(tr.smpp.addresses, person.dialog);
  await addresses.fill('sunucum');
  await person.press(tr.smpp.make, person.dialog);
  await person.reads('“sunucum”', person.dialog);
  await addresses.fill('127.0.0.1');
  await person.press(tr.smpp.make, person.dialog);
  const first = await shownLogin(person);
  await person.row('Depo').getByText(first.systemId).waitFor();
  expect(await person.page.content()).not.toContain(first.password);

  // The settings of a user stand in a drawer; dialogs open above it.
  await person.row(first.systemId).first().click();
  const card = person.page.getByRole('dialog').filter({ hasText: tr.smpp.windows });
  await person.press(tr.smpp.edit, card);
  await person.field(tr.smpp.rate, person.dialog).fill('50');
  await person.dialog.getByLabel(tr.smpp.consentList).selectOption('TACIR');
  await person.press(tr.common.save, person.dialog);
  await person.reads(tr.smpp.perSecond('50'), card);
  await person.reads('TACIR', card);
  await person.press(tr.smpp.rotate, card);
  await person.reads(tr.smpp.rotateLater, person.dialog);
  await person.confirm(tr.smpp.rotate);
  const second = await shownLogin(person);
  expect(second.systemId).toBe(first.systemId);
  expect(second.password).not.toBe(first.password);
  await person.reads(/Eski parola .* geçerli/, card);

  // The old password still works for a day.
  await person.press(tr.common.close, card);
  const client = await SmppCustomer.bind(first.port, first);
  await person.row('transceiver').getByText('127.0.0.1').waitFor();
  await person.press(new RegExp(`^${tr.smpp.kick}:`));
  await person.confirm(tr.smpp.kick);
  await eventually(() => client.closed).toBe(true);
  client.destroy();

  await person.row(first.systemId).first().click();
  await person.press(tr.smpp.turnOff, card);
  await person.confirm(tr.smpp.turnOff);
  await person.reads(tr.smpp.offBody, card);
  await expect(SmppCustomer.bind(first.port, second)).rejects.toThrow('0xd');
  await eventually(async () => (await person.call('apiLog.list', {})).rows.map(row => row.sentence.tr)).toEqual([
    'SMPP kullanıcısı kapalı.',
  ]);
  await person.press(tr.smpp.remove, card);
  await person.confirm(tr.smpp.remove);
  await person.reads(tr.smpp.none);
});

/** The password in the dialog, which only its button closes. */
async function shownLogin(person: Customer): Promise<Login & { port: number }> {
  const shown = (label: string) => person.page.locator(`[data-secret="${label}"]`);
  const login = {
    systemId: await person.text(shown('system_id')),
    password: await person.text(shown(tr.smpp.password)),
    port: Number(await person.text(shown(tr.smpp.port))),
  };
  await person.press(tr.apiAccess.saved, person.dialog);
  await shown('system_id').waitFor({ state: 'detached' });
  return login;
}
