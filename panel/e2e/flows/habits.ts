// What holds everywhere: links that restore a view, copying, language, colours, sessions that end without losing work.
import { expect, test } from 'vitest';
import { paths } from '../../src/paths.ts';
import { en } from '../../src/text/en.ts';
import { tr } from '../../src/text/tr.ts';
import { type Customer, customer, newVisitor, password } from '../people.ts';
import { eventually, takeComplaints } from '../visitor.ts';

test('reload, back and a pasted link restore filters and the open drawer', async () => {
  const person = await customer();
  const { orderId } = await person.sendOrder('Bağlantı', ['5550000901', '5550009002']);
  await eventually(async () => (await person.call('orders.read', { id: orderId })).state).toBe('finished');
  await person.open(paths.order(String(orderId)), tr.order.name(String(orderId)));
  await person.select(tr.common.state).selectOption('undelivered');
  await person.row('+90 555 000 90 02').getByText(tr.messageStates.undelivered).click();
  await person.reads(tr.message.accepted, person.dialog);
  await person.page.reload();
  await person.reads(tr.message.accepted, person.dialog);
  const other = await person.tab();
  await other.page.goto(person.page.url());
  await other.reads(tr.message.accepted, other.dialog);
  await person.page.goBack();
  await person.dialog.waitFor({ state: 'detached' });
  expect(await person.select(tr.common.state).inputValue()).toBe('undelivered');

  // A search is kept even if a row is opened before the pause that begins it.
  await person.open(paths.orders(), tr.orders.title);
  const search = person.page.locator('[data-list-search]');
  const row = person.page.locator('tr.opens').first();
  await row.waitFor();
  await search.fill(String(orderId));
  await row.click();
  await person.heading(tr.order.name(String(orderId))).waitFor();
  await person.page.goBack();
  await eventually(() => search.inputValue()).toBe(String(orderId));
});

test('copied numbers and keys have no blanks, and the copy is announced', async () => {
  const person = await customer({}, { permissions: ['clipboard-read', 'clipboard-write'] });
  await person.call('blacklist.add', { numbers: ['5550000911'] });
  await person.open(paths.blacklist(), tr.blacklist.title);
  await person.press(tr.copy.number);
  await eventually(() => person.page.locator('#peyk-announcer').textContent()).toBe(tr.copy.done);
  expect(await clipboard()).toBe('905550000911');
  await person.open(paths.apiAccess(), tr.apiAccess.title);
  await person.page.getByTestId('api-key').locator('xpath=following-sibling::button').click();
  const { key } = (await person.call('settings.read', {})).key!;
  await eventually(clipboard).toBe(key);

  // Plain http on another host has no clipboard API; the old command still copies.
  await person.page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await person.open(paths.blacklist(), tr.blacklist.title);
  await person.press(tr.copy.number);
  await eventually(() => person.page.locator('#peyk-announcer').textContent()).toBe(tr.copy.done);

  function clipboard(): Promise<string> {
    return person.page.evaluate(() => navigator.clipboard.readText());
  }
});

test('language and colours are remembered by the browser, and the page says its language', async () => {
  const person = await customer();
  await person.open(paths.orders(), tr.orders.title);
  await person.press(new RegExp(`^${tr.shell.userMenu}`));
  await person.page.getByRole('menuitem', { name: tr.shell.language }).click();
  await person.heading(en.orders.title).waitFor();
  await person.press(new RegExp(`^${en.shell.userMenu}`));
  await person.page.getByRole('menuitem', { name: `${en.shell.theme}: ${en.shell.dark}` }).click();
  const html = person.page.locator('html');
  await eventually(() => html.getAttribute('data-mantine-color-scheme')).toBe('dark');
  await person.page.reload();
  await person.heading(en.orders.title).waitFor();
  expect(await html.getAttribute('lang')).toBe('en');
  expect(await html.getAttribute('data-mantine-color-scheme')).toBe('dark');
});

test('times are Turkish wherever the browser is', async () => {
  const person = await customer({}, { timezoneId: 'America/New_York' });
  const { orderId } = await person.sendOrder('Saat', ['5550000921']);
  const { submitAt } = await person.call('orders.read', { id: orderId });
  const turkey = new Date(Date.parse(submitAt) + 3 * 3_600_000).toISOString();
  const [, year, month, day, time] = /^(\d+)-(\d+)-(\d+)T(\d+:\d+:\d+)/.exec(turkey)!;
  await person.open(`${paths.order(String(orderId))}?sekme=ayrintilar`, tr.order.name(String(orderId)));
  await person.reads(`${day}.${month}.${year} ${time} ${tr.time.turkey}`);
});

test('searching treats ı, i, İ and I alike', async () => {
  const person = await customer();
  await person.sendOrder('ISTANBUL indirimi', ['5550000931']);
  for (const typed of ['İSTANBUL', 'ıstanbul']) {
    await person.open(`${paths.orders()}?ara=${encodeURIComponent(typed)}`, tr.orders.title);
    await person.row('ISTANBUL indirimi').waitFor();
  }
});

test('an address that leads nowhere keeps the menu and names itself', async () => {
  const person = await customer();
  await person.open('/yok-boyle', tr.missing.title);
  await person.reads(tr.missing.body('/yok-boyle'));
  await person.page.getByRole('navigation', { name: tr.nav.main }).waitFor();
  await person.link(tr.missing.home).click();
  await person.heading(tr.overview.title).waitFor();
  await person.open(paths.order('999'), tr.order.name('999'));
  await person.reads(tr.order.missing('999'));
});

test('a page that breaks keeps the menu and gives a reference to quote', async () => {
  const person = await customer();
  await person.page.route('**/panel/api/balance.read', route => route.fulfill({ json: { ok: true, data: {} } }));
  await person.open(paths.balance(), tr.missing.crash);
  await person.reads(/başvuru kodunu verin: [0-9A-Z]+/);
  await person.page.getByRole('navigation', { name: tr.nav.main }).waitFor();
  expect(takeComplaints().length).toBeGreaterThan(0);
});

test('a page that was open before comes back whole, without a skeleton and without an answer of the server', async () => {
  const person = await customer();
  const { orderId } = await person.sendOrder('Geri gelen', ['5550000941']);
  const address = paths.order(String(orderId));
  const pages: [path: string, title: string, content: string][] = [
    [paths.orders(), tr.orders.title, 'Geri gelen'],
    [address, tr.order.name(String(orderId)), 'Geri gelen'],
    [paths.overview(), tr.overview.title, tr.overview.messages],
    [paths.balance(), tr.balance.title, tr.balance.lowTitle],
    [paths.blacklist(), tr.blacklist.title, tr.blacklist.empty],
  ];
  await person.open(paths.orders(), tr.orders.title);
  for (const [path, , content] of pages) {
    await person.follow(path);
    await person.reads(content);
    await person.quiet();
  }
  // From here on the server answers nothing and no code can be fetched.
  const held: string[] = [];
  await person.page.route(/panel\/(api|assets)\//, route => void held.push(route.request().url()));
  await person.page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { peykSkeletons: seen });
    const look = () => document.querySelector('main [aria-busy="true"], main .mantine-Skeleton-root');
    new MutationObserver(() => look() && seen.push(location.pathname)).observe(document.body, {
      subtree: true,
      childList: true,
    });
  });
  for (const [path, title, content] of pages) {
    await person.follow(path);
    await person.heading(title).waitFor();
    await person.reads(content);
  }
  expect(await person.page.evaluate(() => (window as unknown as { peykSkeletons: string[] }).peykSkeletons)).toEqual(
    [],
  );
  expect(held.filter(url => url.includes('/assets/'))).toEqual([]);
});

test('a session that ends in the middle of a form is renewed in a dialog, and nothing typed is lost', async () => {
  const person = await customer();
  await person.open(paths.send(), tr.send.title);
  await person.field(tr.send.numbers).fill('0555 000 09 51');
  await endOtherSessions(person);
  await person.field(tr.send.text).fill('Yarim kalan metin');
  await person.reads(tr.shell.again);
  await person.dialog.getByLabel(tr.signIn.password).fill(password);
  await person.press(tr.signIn.submit, person.dialog);
  await person.press(tr.send.submit('1'));
  await person.page.waitForURL(/siparisler\/\d+$/);
  await person.reads('Yarim kalan metin');
});

test('an answer to the session before, which comes after signing in again, does not ask to sign in once more', async () => {
  const person = await customer({ credits: 7 });
  await person.open(paths.overview(), tr.overview.title);
  await endOtherSessions(person);
  let letGo = () => {};
  const held = new Promise<void>(resolve => {
    letGo = resolve;
  });
  let refused = 0;
  await person.page.route('**/panel/api/balance.read', async route => {
    const response = await route.fetch();
    const isFirst = refused === 0;
    if (!((await response.json()) as { ok: boolean }).ok) refused++;
    if (isFirst) await held;
    await route.fulfill({ response });
  });
  // Not by a click: the dialog may already stand over the menu, because the poll of the frame was refused first.
  await person.follow(paths.balance());
  await person.reads(tr.shell.again);
  await eventually(() => refused).toBe(1);
  await person.dialog.getByLabel(tr.signIn.password).fill(password);
  await person.press(tr.signIn.submit, person.dialog);
  await person.page.getByText(tr.shell.again).waitFor({ state: 'detached' });
  letGo();
  // The balance comes with the second answer, which needs no further sign-in.
  await person.page.getByRole('region', { name: tr.balance.spendable }).waitFor();
  expect(await person.page.getByText(tr.shell.again).count()).toBe(0);
  expect(refused).toBe(1);
});

test('signing out in one tab ends the other at its next call', async () => {
  const person = await customer();
  await person.open(paths.overview(), tr.overview.title);
  const other = await person.tab();
  await other.open(paths.orders(), tr.orders.title);
  await person.press(new RegExp(`^${tr.shell.userMenu}`));
  await person.page.getByRole('menuitem', { name: tr.shell.signOut }).click();
  await person.heading(tr.signIn.title).waitFor();
  await other.page.bringToFront();
  await other.link(tr.nav.inbox).click();
  await other.page
    .getByText(new RegExp(`${tr.shell.again}|${tr.signIn.title}`))
    .first()
    .waitFor();
});

test('a page that lost its code after a new version reloads once, and says when a newer one is served', async () => {
  const person = await customer();
  await person.open(paths.overview(), tr.overview.title);
  let refused = 0;
  await person.page.route('**/assets/balance-*.js', route => (refused++ === 0 ? route.abort() : route.continue()));
  await person.page.getByRole('link', { name: tr.nav.balance, exact: true }).click();
  await person.heading(tr.balance.title).waitFor();
  expect(refused).toBeGreaterThan(0);
  await person.page.route('**/panel/api/live', async route => {
    const response = await route.fetch();
    const answer = (await response.json()) as { data: { version: string } };
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, version: 'yeni' } } });
  });
  await person.page.reload();
  await person.heading(tr.balance.title).waitFor();
  // The note appears with the first navigation after the poll, which may be the second one.
  const places = [tr.nav.senders, tr.nav.balance];
  await eventually(async () => {
    places.reverse();
    await person.page.getByRole('link', { name: places[0], exact: true }).click();
    return person.page.getByText(tr.load.newVersion).count();
  }).toBeGreaterThan(0);
  takeComplaints();
});

async function endOtherSessions(person: Customer): Promise<void> {
  const other = await newVisitor();
  await other.call('session.signIn', { email: person.email, password });
  await other.call('profile.revokeOthers', {});
}
