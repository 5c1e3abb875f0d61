// New terms of use: every user is asked once. The last flow of its file, because it affects all users.
import { expect, test } from 'vitest';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { customer, program, staffMember } from '../people.ts';

test('a new version of the terms must be accepted before anything is changed, and is text whatever it holds', async () => {
  const person = await customer();
  const authentication = await person.call('settings.rotateKey', {});
  const staff = await staffMember();
  await staff.open(paths.staffTexts(), tr.staffTexts.staffTitle);
  await staff.reads(tr.legal.template);
  const text = 'Yeni koşullar.\n\n<img src=x onerror=alert(1)> yalnız metindir.';
  await staff.field(tr.staffTexts.turkish).fill(text);
  await staff.field(tr.staffTexts.english).fill('New terms.');
  await staff.press(tr.staffTexts.publish);
  await staff.confirm(tr.staffTexts.publish);
  await staff.reads(tr.staffTexts.published);
  await staff.row(tr.legal.version(2)).waitFor();

  await person.open(paths.overview(), tr.overview.title);
  await person.reads(tr.legal.newBody, person.dialog);
  await person.reads('<img src=x onerror=alert(1)> yalnız metindir.', person.dialog);
  expect(tr.legal.newBody).toContain('API’den gönderim sürer');
  await expect(person.call('blacklist.add', { numbers: ['5550000771'] })).rejects.toThrow(/terms-pending/);
  // The dialog says that sending over the API goes on: it does.
  const order = { sender: 'APITEST', message: { text: 'Sürüyor', receipents: { number: ['5550000772'] } } };
  expect((await program.client.post('/v1/send-sms/json', { request: { authentication, order } })).code).toBe(200);
  await person.page.keyboard.press('Escape');
  await person.press(tr.legal.accept, person.dialog);
  await person.reads(tr.legal.thanks);
  await person.dialog.waitFor({ state: 'detached' });
  await person.call('blacklist.add', { numbers: ['5550000771'] });
  await person.open(paths.myTexts(), tr.legal.mine);
  await person.row(tr.legal.kinds.terms).getByText(tr.legal.version(2)).waitFor();
});
