// SMPP users: a login for a client of the customer's own, its limits, its password, and who is bound with it.
import { expect, test } from 'vitest';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { type Customer, customer, program } from '../people.ts';
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

  const card = person.page.locator('#kullanici');
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
  expect(second).toEqual({ systemId: first.systemId, password: expect.not.stringMatching(first.password) });
  await person.reads(/Eski parola .* geçerli/, card);

  const bindId = await bound(first.systemId);
  await person.row('transceiver').getByText('127.0.0.1').waitFor();
  await person.press(new RegExp(`^${tr.smpp.kick}:`));
  await person.confirm(tr.smpp.kick);
  const db = await program.db();
  const isThere = 'select 1 from smpp_binds where id = $1 and not kicked';
  await eventually(async () => (await db.query(isThere, [bindId])).rows).toEqual([]);

  await person.press(tr.smpp.turnOff, card);
  await person.confirm(tr.smpp.turnOff);
  await person.reads(tr.smpp.offBody, card);
  await person.press(tr.smpp.remove, card);
  await person.confirm(tr.smpp.remove);
  await person.reads(tr.smpp.none);
});

/** What the dialog shows once, which only its button closes. */
async function shownLogin(person: Customer): Promise<{ systemId: string; password: string }> {
  const shown = (label: string) => person.page.locator(`[data-secret="${label}"]`);
  const login = {
    systemId: await person.text(shown('system_id')),
    password: await person.text(shown(tr.smpp.password)),
  };
  await person.press(tr.apiAccess.saved, person.dialog);
  await shown('system_id').waitFor({ state: 'detached' });
  return login;
}

/** As a process that serves SMPP leaves it, of a node that nobody takes for dead. */
async function bound(systemId: string): Promise<number> {
  const { rows } = await (await program.db()).query(
    `with node as (insert into smpp_nodes (beat_at) values (now() + interval '1 hour') returning id)
     insert into smpp_binds (node_id, user_id, kind, address, secure)
     select node.id, u.id, 'transceiver', '127.0.0.1', false from node, smpp_users u where u.system_id = $1 returning id`,
    [systemId],
  );
  return rows[0].id;
}
