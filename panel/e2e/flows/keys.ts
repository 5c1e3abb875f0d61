// API keys and address lists, and the causes of refused calls.
import { expect, test } from 'vitest';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { type Customer, customer, program } from '../people.ts';
import { eventually } from '../visitor.ts';

type Pair = { key: string; hash: string };

const getBalance = (authentication: Pair) =>
  program.client.post('/v1/get-balance/json', { request: { authentication } });

test('a new key shows its hash once, and calls with the old one are explained in the API log', async () => {
  const person = await customer();
  const old = await person.call('settings.rotateKey', {});
  expect((await getBalance(old)).code).toBe(200);
  const fresh = await rotate(person);
  expect(fresh.key).not.toBe(old.key);
  expect((await getBalance(old)).code).toBe(401);
  expect((await getBalance(fresh)).code).toBe(200);
  expect((await getBalance({ ...fresh, hash: `${fresh.hash} ` })).code).toBe(401);
  expect((await getBalance({ ...fresh, hash: 'a'.repeat(64) })).code).toBe(401);
  await person.call('settings.setApi', { enabled: false });
  expect((await getBalance(fresh)).code).toBe(401);
  await person.call('settings.setApi', { enabled: true });
  await person.call('settings.setAddresses', { list: 'api', addresses: ['203.0.113.7'] });
  expect((await getBalance(fresh)).code).toBe(401);

  await eventually(async () => (await person.call('apiLog.groups', {})).groups.length).toBe(5);
  await person.open(paths.apiLog(), tr.apiLog.title);
  for (const sentence of [
    'Bu anahtar yenilendi ya da kapatıldı.',
    'Hash doğru ama başında ya da sonunda boşluk var.',
    'Hash bu anahtara ait değil.',
    'API kullanımı kapalı (Ayarlar → Güvenlik → Erişim izinleri).',
    '127.0.0.1 sabit IP listesinde değil.',
  ])
    await person.row(sentence).waitFor();

  await person.row('sabit IP listesinde değil').getByText('sabit IP listesinde').first().click();
  await person.row('sabit IP listesinde değil').getByRole('cell').first().click();
  await person.press(tr.apiLog.addAddress('127.0.0.1'), person.dialog);
  await person.confirm(tr.common.add);
  await person.reads(tr.apiLog.added);
  expect((await getBalance(fresh)).code).toBe(200);

  await person.open(paths.apiAccess(), tr.apiAccess.title);
  await person.row(old.key.slice(0, 8)).waitFor();
  await person.reads(/127\.0\.0\.1 adresinden, get-balance/);
  const tester = person.card(tr.apiAccess.tester);
  const verdict = await person.call('settings.testCredentials', old);
  await person.field(tr.apiAccess.key, tester).fill(old.key);
  await person.field(tr.apiAccess.hash, tester).fill(old.hash);
  await person.press(tr.apiAccess.test, tester);
  await person.reads(verdict.tr, tester);
});

test('keys have names; a rotated one works until the time chosen, a disabled one stops alone and can be deleted', async () => {
  const person = await customer();
  await person.open(paths.apiAccess(), tr.apiAccess.title);
  await person.press(tr.apiAccess.create);
  await person.confirm(tr.keys.make, 'Depo');
  const depot = await shownPair(person);
  expect((await getBalance(depot)).code).toBe(200);
  await person
    .row('Depo')
    .getByText(/127\.0\.0\.1 adresinden, get-balance/)
    .waitFor({ timeout: 30_000 });

  await person.open(`${paths.apiLog()}?sekme=basarili`, tr.apiLog.title);
  await person.row('get-balance').getByText('Depo').waitFor();
  await person.open(paths.apiAccess(), tr.apiAccess.title);

  await person.press(tr.apiAccess.rotate, person.row('Depo'));
  await person.dialog.getByLabel(tr.keys.keep).selectOption('24');
  await person.confirm(tr.apiAccess.rotate);
  const fresh = await shownPair(person);
  expect([(await getBalance(depot)).code, (await getBalance(fresh)).code]).toEqual([200, 200]);
  const old = person.page.locator(`[data-key="${depot.key}"]`);
  await person.press(tr.keys.end, old);
  await person.confirm(tr.keys.end);
  await person.reads(tr.keys.ended);
  expect([(await getBalance(depot)).code, (await getBalance(fresh)).code]).toEqual([401, 200]);
  await person.press(tr.keys.delete, person.row(depot.key.slice(0, 8)));
  await person.confirm(tr.keys.delete);
  await eventually(() => person.row(depot.key.slice(0, 8)).count()).toBe(0);
});

test('the panel list cannot be saved without the address one comes from, neither here nor at the server', async () => {
  const person = await customer();
  await person.open(paths.staticIp(), tr.ip.title);
  const list = person.card(tr.ip.panel);
  await person.field(tr.ip.address, list).fill('203.0.113.9');
  await person.press(tr.ip.add, list);
  await person.reads(tr.ip.lockOut('127.0.0.1'), list);
  const save = person.button(tr.ip.save, list);
  expect(await save.getAttribute('aria-disabled')).toBe('true');
  await save.click({ force: true });
  expect((await person.call('settings.read', {})).panelAddresses).toEqual([]);
  await expect(person.call('settings.setAddresses', { list: 'panel', addresses: ['203.0.113.9'] })).rejects.toThrow(
    /would-lock-out/,
  );
  await person.press(`${tr.ip.addMine} (127.0.0.1)`, list);
  await person.reads(tr.ip.yours, list);
  await save.click();
  await person.reads(tr.common.saved);
  expect((await person.call('settings.read', {})).panelAddresses).toEqual(['203.0.113.9', '127.0.0.1']);
});

/** The key pair in the dialog, which only its button closes. */
async function shownPair(person: Customer): Promise<Pair> {
  const shown = (label: string) => person.page.locator(`[data-secret="${label}"]`);
  const pair = {
    key: await person.text(shown(tr.apiAccess.key)),
    hash: await person.text(shown(tr.apiAccess.hash)),
  };
  await person.page.keyboard.press('Escape');
  await person.page.mouse.click(5, 5);
  expect(await shown(tr.apiAccess.hash).isVisible()).toBe(true);
  await person.press(tr.apiAccess.saved, person.dialog);
  await shown(tr.apiAccess.hash).waitFor({ state: 'detached' });
  return pair;
}

/** Rotates the key and checks that the hash is stored nowhere. */
async function rotate(person: Customer): Promise<Pair> {
  await person.open(paths.apiAccess(), tr.apiAccess.title);
  await person.press(tr.apiAccess.rotate);
  await person.reads(tr.apiAccess.rotateBody, person.dialog);
  await person.confirm(tr.apiAccess.rotate);
  const pair = await shownPair(person);
  expect(await person.page.content()).not.toContain(pair.hash);
  await person.page.reload();
  await person.page.getByTestId('api-key').waitFor();
  expect(await person.page.content()).not.toContain(pair.hash);
  expect(JSON.stringify(await person.call('settings.read', {}))).not.toContain(pair.hash);
  expect(program.log.join('\n')).not.toContain(pair.hash);
  return pair;
}

test('the login of older clients is off until the owner switches it on, shows its password once and ends when it is off', async () => {
  const person = await customer();
  await person.open(paths.apiAccess(), tr.apiAccess.title);
  const card = person.card(tr.oldLogin.title);
  await person.reads(tr.oldLogin.warning, card);
  await card.getByLabel(new RegExp(tr.oldLogin.username)).fill('905550000912');
  await person.press(tr.oldLogin.on, card);
  const password = await person.text(person.page.locator(`[data-secret="${tr.oldLogin.password}"]`));
  await person.press(tr.apiAccess.saved, person.dialog);
  const call = () =>
    program.client.post('/v1/get-balance/json', {
      request: { authentication: { username: '905550000912', password } },
    });
  expect((await call()).code).toBe(200);
  await person.reads(tr.oldLogin.isOn('905550000912'), card);
  await person.press(tr.oldLogin.off, card);
  await person.confirm(tr.oldLogin.off);
  await eventually(() => person.button(tr.oldLogin.on).count()).toBe(1);
  expect((await call()).code).toBe(401);
});
