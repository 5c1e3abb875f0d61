// Consent records: one by hand, many from a file, and their state at the registry.
import { expect, test } from 'vitest';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { customer } from '../people.ts';
import { eventually } from '../visitor.ts';

const turkeyTime = (ms: number): string => new Date(ms + 3 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

test('without a brand code the page says how to get one', async () => {
  const person = await customer();
  await person.open(paths.consents(), tr.consents.title);
  await person.reads(tr.consents.noBrandBody);
});

test('a consent is added, answered for at once, and later shown as accepted by the registry', async () => {
  const person = await customer({ brand: 701_701 });
  await person.open(paths.consents(), tr.consents.title);
  await person.reads(tr.consents.empty);
  await person.press(tr.consents.add);
  await person.field(tr.consents.recipient, person.dialog).fill('0555 000 03 01');
  await person.press(tr.consents.addAction, person.dialog);
  await person.reads(tr.consents.added('1'));
  const row = person.row('+90 555 000 03 01').first();
  await row.getByText(tr.consentStatuses.ONAY, { exact: true }).waitFor();

  const query = person.card(tr.consents.query);
  await person.field(tr.consents.recipient, query).fill('5550000301');
  await person.press(tr.consents.queryAction, query);
  await person.reads(/^Geçerli kayıt: Onay, \d\d\.\d\d\.\d{4}$/, query);
  await person.field(tr.consents.recipient, query).fill('5550000302');
  await person.press(tr.consents.queryAction, query);
  await person.reads(tr.consents.noRecord, query);

  await eventually(async () => (await person.call('consent.list', {})).rows[0]!.syncState).toMatch(/sent|accepted/);
  await person.page.reload();
  await person
    .row(/Gönderildi|İYS kabul etti/)
    .first()
    .waitFor();
});

test('an import names every row that breaks a rule before anything is stored, and stores the rest', async () => {
  const person = await customer({ brand: 701_702 });
  await person.open(paths.consents(), tr.consents.title);
  await person.link(tr.consents.import).first().click();
  await person.heading(tr.consentImport.title).waitFor();
  const now = turkeyTime(Date.now() - 60_000);
  const lines = [
    'telefon;kanal;izin;kaynak;tarih',
    `5550000311;MESAJ;ONAY;HS_WEB;${now}`,
    `5550000312;MESAJ;ONAY;HS_WEB;${now.replace(/^(\d+)-(\d+)-(\d+) (\d+:\d+):.*$/, '$3.$2.$1 $4')}`,
    `5550000313;MESAJ;ONAY;HS_WEB;${turkeyTime(Date.now() - 5 * 86_400_000)}`,
    `5550000314;MESAJ;ONAY;HS_WEB;${turkeyTime(Date.now() + 86_400_000)}`,
    `5550000311;MESAJ;ONAY;HS_WEB;${now}`,
    `123;MESAJ;ONAY;HS_WEB;${now}`,
    `5550000315;MESAJ;BELKI;HS_WEB;${now}`,
  ];
  const file = { name: 'izinler.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) };
  await person.page.locator('input[type="file"]').setInputFiles(file);
  await person.press(tr.consentImport.check);
  await person.reads(tr.consentImport.checked('3', '7'));
  for (const rule of ['date-old', 'date-future', 'duplicate', 'recipient', 'status'] as const)
    await person.reads(new RegExp(`^${tr.consentRules[rule]}: 1$`));
  expect((await person.call('consent.list', {})).rows).toEqual([]);

  await person.page.getByRole('link', { name: tr.nav.blacklist }).first().click();
  await person.reads(tr.confirm.leave, person.dialog);
  await person.press(tr.common.cancel, person.dialog);
  await person.press(tr.consentImport.storeValid('3'));
  await person.heading(tr.consents.title).waitFor();
  await eventually(() => person.page.locator('tbody tr').count()).toBe(3);
  expect((await person.call('consent.list', {})).rows.map(row => row.recipient).sort()).toEqual([
    '+905550000311',
    '+905550000311',
    '+905550000312',
  ]);
});
