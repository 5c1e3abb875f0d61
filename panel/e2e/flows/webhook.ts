// Webhook addresses: events, test, deliveries, resend, and the snippet that verifies the signature.
import { expect, test } from 'vitest';
import { startHookReceiver } from '../../../simulators/hook-receiver/main.ts';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { customer, program, staffMember } from '../people.ts';
import { eventually, type Visitor } from '../visitor.ts';

type Verify = (rawBody: string, headers: Record<string, unknown>, secret: string) => boolean;

test('a test notification shows the exact bytes that were signed, and the shown snippet verifies them', async () => {
  const receiver = await startHookReceiver();
  try {
    const person = await customer();
    await person.open(paths.webhook(), tr.webhook.title);
    await person.reads(tr.webhook.first);
    // The first address is tested as soon as it is added.
    const secret = await saveAddress(person, `${receiver.url}/kanca`);
    await person.page.locator('[data-testid="webhook-test"][data-state="delivered"]').waitFor();
    const shown = await person.text(person.page.getByTestId('webhook-test').locator('pre').last());
    await eventually(() => receiver.count()).toBe(1);
    const [got] = receiver.calls;
    expect(shown).toContain(got!.body);
    expect(shown).toContain(`X-Peyk-Signature: ${got!.headers['x-peyk-signature']}`);
    await person.press(tr.webhook.test);
    await eventually(() => receiver.count()).toBe(2);
    await person.press(tr.webhook.verify);
    const snippet = await person.text(person.dialog.locator('pre'));
    const source = `data:text/javascript,${encodeURIComponent(snippet)}`;
    const { isFromPeyk } = (await import(/* @vite-ignore */ source)) as { isFromPeyk: Verify };
    expect(isFromPeyk(got!.body, got!.headers, secret)).toBe(true);
    expect(isFromPeyk(`${got!.body} `, got!.headers, secret)).toBe(false);
    expect(await person.page.content()).not.toContain(secret);
  } finally {
    await receiver.stop();
  }
});

test('a delivery is found by its order, opened by its link, and sent again', async () => {
  const receiver = await startHookReceiver();
  try {
    const person = await customer();
    await person.open(paths.webhook(), tr.webhook.title);
    await saveAddress(person, `${receiver.url}/kanca`);
    const { orderId } = await person.sendOrder('Bildirimli', ['5550000401']);
    await eventually(() => receiver.calls.some(call => call.body.includes(String(orderId)))).toBe(true);
    const before = receiver.count();
    const deliveries = person.card(tr.webhook.deliveries);
    await deliveries.getByLabel(tr.balance.orderFilter).fill(String(orderId));
    await eventually(() => new URL(person.page.url()).searchParams.get('siparis')).toBe(String(orderId));
    await person.row(tr.deliveryStates.delivered).first().getByRole('cell').first().click();
    await person.reads('HTTP 200', person.dialog);
    await person.press(tr.webhook.resend, person.dialog);
    await person.reads(tr.webhook.resent('1'));
    await eventually(() => receiver.count()).toBeGreaterThan(before);
    await person.page.reload();
    await person.reads('HTTP 200', person.dialog);
    expect(await deliveries.getByLabel(tr.balance.orderFilter).inputValue()).toBe(String(orderId));
  } finally {
    await receiver.stop();
  }
});

test('on a wide screen the newest attempt stands beside the list, j goes through them, r sends again and t tests', async () => {
  const receiver = await startHookReceiver();
  try {
    const person = await customer({}, { viewport: { width: 1440, height: 900 } });
    await person.call('webhook.add', { url: `${receiver.url}/kanca` });
    const { orderId } = await person.sendOrder('Yan yana', ['5550000431']);
    await eventually(() => receiver.count()).toBe(2);
    await person.open(paths.webhook(), tr.webhook.title);
    const side = person.page.getByRole('complementary');
    await person.reads('HTTP 200', side);
    await person.reads(String(orderId), side);
    await person.page.keyboard.press('j');
    await person.page.keyboard.press('j');
    await person.page.waitForURL(/ac=/);
    const chosen = person.page.locator('tbody tr[aria-current="true"]');
    await eventually(() => chosen.count()).toBe(1);
    // The key presses a button of the chosen event, which may still be on its way.
    await person.button(tr.webhook.resend, side).waitFor();
    let resends = 0;
    person.page.on('request', request => {
      if (request.url().endsWith('webhook.resend')) resends++;
    });
    await person.page.keyboard.press('r');
    await person.reads(tr.webhook.resent('1'));
    await eventually(() => receiver.count()).toBe(3);
    await person.page.keyboard.press('t');
    await eventually(() => receiver.count()).toBe(4);
    // The second key of a sequence is not a key of the page.
    await person.page.keyboard.press('g');
    await person.page.keyboard.press('r');
    await person.heading(tr.reports.title).waitFor();
    expect(resends).toBe(1);
  } finally {
    await receiver.stop();
  }
});

test('an address that fails is said to fail, with the cause', async () => {
  const receiver = await startHookReceiver({ mode: { mode: 'failing', status: 500 } });
  try {
    const person = await customer();
    await person.open(paths.webhook(), tr.webhook.title);
    await saveAddress(person, `${receiver.url}/kanca`);
    await person.page.getByTestId('webhook-test').getByText('HTTP 500').first().waitFor();
  } finally {
    await receiver.stop();
  }
});

test('why a webhook is silent takes a customer two clicks from the overview and staff one from their status', async () => {
  const receiver = await startHookReceiver({ mode: { mode: 'failing', status: 500 } });
  try {
    const person = await customer();
    const { id } = await person.call('webhook.add', { url: `${receiver.url}/kanca` });
    await person.sendOrder('Sessiz', ['5550000421']);
    const state = async () => (await person.call('webhook.list', {})).webhooks.find(one => one.id === id)?.state;
    await eventually(state).not.toBe('healthy');
    await person.open(paths.overview());
    await person.link(tr.overview.open.webhook).click();
    await person.reads(/HTTP 500/);
    await person.card(tr.webhook.deliveries).getByRole('row').nth(1).getByRole('cell').first().click();
    await person.reads(tr.webhook.response, person.dialog);

    const staff = await staffMember();
    await staff.open(paths.staffStatus());
    await staff.page.locator(`a[href$="${paths.staffWebhooks()}"]`).first().click();
    await staff.heading(tr.staffWebhooks.title).waitFor();
    await staff.row(`${receiver.url}/kanca`).getByText(/500/).waitFor();
  } finally {
    await receiver.stop();
  }
});

test('resending all failed events says how many before, and as many went after, of all days that are kept', async () => {
  const receiver = await startHookReceiver();
  try {
    const person = await customer();
    await person.call('webhook.add', { url: `${receiver.url}/kanca` });
    await person.open(paths.webhook(), tr.webhook.title);
    const draft = { sender: 'APITEST', text: 'Vazgecilen', sendAt: null, commercial: false };
    const recipients = ['5550000411', '5550000412', '5550000413'];
    await person.call('send.submit', { ...draft, recipients, idempotencyKey: 'vazgecilen' });
    await eventually(
      async () => (await person.call('webhook.deliveries', { state: 'delivered' })).deliveries.length,
    ).toBe(2 * recipients.length);
    // Instead of waiting for a day of failures.
    const db = await program.db();
    const giveUp = `update webhook_deliveries set state = 'given-up' where account_id = $1`;
    await db.query(giveUp, [person.accountId]);
    // Whatever is counted and shown is sent again, also what is kept for days.
    const aged = `update webhook_deliveries set created_at = created_at - interval '10 days'
      where account_id = $1 and kind = 'final'`;
    await db.query(aged, [person.accountId]);
    const before = receiver.count();
    await person.page.reload();
    await person.press(`${tr.webhook.resendFailed} (6)`);
    await person.reads(tr.webhook.resendFailedTitle('6'), person.dialog);
    await person.confirm(tr.webhook.resend);
    await person.reads(tr.webhook.resent('6'));
    await eventually(() => receiver.count()).toBe(before + 6);
  } finally {
    await receiver.stop();
  }
});

test('an account has several addresses, each with the events that were chosen for it, turned off, on and removed one by one', async () => {
  const [all, failures] = [await startHookReceiver(), await startHookReceiver()];
  try {
    const person = await customer();
    await person.open(paths.webhook(), tr.webhook.title);
    await saveAddress(person, `${all.url}/hepsi`);
    await eventually(() => all.count()).toBe(1);
    await saveAddress(person, `${failures.url}/iletilmeyen`);
    // The new address is selected.
    const shown = person.page.locator('#adres');
    await person.press(tr.webhook.edit, shown);
    for (const name of [tr.webhook.events.accepted, tr.webhook.events.delivered, tr.webhook.events.undelivered])
      await person.dialog.getByLabel(name, { exact: true }).uncheck();
    await person.press(tr.webhook.save, person.dialog);
    await person.reads(tr.webhook.chooseOne, person.dialog);
    await person.dialog.getByLabel(tr.webhook.events.undelivered, { exact: true }).check();
    await person.press(tr.webhook.save, person.dialog);
    await person.dialog.waitFor({ state: 'detached' });
    const draft = { sender: 'APITEST', text: 'Iki adres', recipients: ['5550000421'], sendAt: null, commercial: false };
    await person.call('send.submit', { ...draft, idempotencyKey: 'iki-adres' });
    await eventually(() => all.count()).toBe(3);
    expect(failures.count()).toBe(0);

    await person.press(/\/hepsi$/);
    await person.press(tr.webhook.turnOff, shown);
    await person.reads(tr.webhook.offBody, shown);
    await person.press(tr.webhook.turnOn, shown);
    await shown.getByText(tr.webhook.healthy, { exact: true }).waitFor();
    await person.press(tr.webhook.removeUrl, shown);
    await person.confirm(tr.webhook.removeUrl);
    await person.button(/\/hepsi$/).waitFor({ state: 'detached' });
    expect((await person.call('webhook.list', {})).webhooks).toMatchObject([{ id: 2, events: ['undelivered'] }]);
  } finally {
    await Promise.all([all.stop(), failures.stop()]);
  }
});

/** Adds an address and returns its secret from the dialog, which only its button closes. */
async function saveAddress(person: Visitor, url: string): Promise<string> {
  const first = person.page.getByRole('region', { name: tr.webhook.first });
  const add = person.button(tr.webhook.add);
  await first.or(add).first().waitFor();
  if (await first.isVisible()) {
    await first.getByLabel(tr.webhook.url).fill(url);
    await person.press(tr.webhook.addAndTest, first);
  } else {
    await person.press(tr.webhook.add);
    await person.dialog.getByLabel(tr.webhook.url).fill(url);
    await person.press(tr.webhook.save, person.dialog);
  }
  const shown = person.page.locator(`[data-secret="${tr.webhook.secret}"]`);
  const secret = await person.text(shown);
  await person.page.keyboard.press('Escape');
  await person.page.mouse.click(5, 5);
  expect(await shown.isVisible()).toBe(true);
  await person.press(tr.apiAccess.saved, person.dialog);
  await shown.waitFor({ state: 'detached' });
  return secret;
}
