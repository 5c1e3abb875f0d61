// The API reference in the panel: code with the key of the account, and real calls from the page.
import { expect, test } from 'vitest';
import { snippetLanguages } from '../../../src/api/snippets.ts';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { type Customer, customer, program } from '../people.ts';
import { eventually } from '../visitor.ts';

type Pair = { key: string; hash: string };
type Shown = { http: number; body: { response: Record<string, unknown> & { status: { code: number } } } };

test('every snippet of the reference carries the address of this server and the key of the account, never the hash', async () => {
  const person = await customer();
  const { key, hash } = await person.call('settings.rotateKey', {});
  await person.open(paths.apiDocs(), tr.docs.title);
  await person.press('get-balance');
  for (const language of snippetLanguages) {
    await person.page.getByText(language, { exact: true }).click();
    const code = person.page.getByRole('tabpanel').locator('pre');
    await eventually(() => code.innerText()).toContain(key);
    expect(await code.innerText()).toContain('/v1/get-balance/json');
    expect(await code.innerText()).not.toContain(hash);
  }
});

test('a try calls the server: the balance, a refused hash, a real SMS and an order that the server refuses', async () => {
  const person = await customer();
  const pair = await person.call('settings.rotateKey', {});
  await person.open(paths.apiDocs(), tr.docs.title);
  await choose(person, 'get-balance');
  expect(await person.field(tr.docs.key).inputValue()).toBe(pair.key);
  await person.reads(tr.docs.tryNote);
  const balance = await run(person, pair);
  const direct = await program.client.post('/v1/get-balance/json', { request: { authentication: pair } });
  expect(balance).toEqual({ http: 200, body: { response: direct.response } });
  expect(balance.body.response).toMatchObject({ status: { code: 200 }, balance: { sms: 100 } });
  const refused = await run(person, { ...pair, hash: 'a'.repeat(64) });
  expect(refused).toMatchObject({ http: 401, body: { response: { status: { code: 401 } } } });

  await choose(person, 'send-sms');
  await person.reads(tr.docs.tryCost);
  const order = (sender: string) => ({
    order: { sender, message: { text: 'Denemeden', receipents: { number: ['5550000651'] } } },
  });
  await body(person).fill('{ "order": ');
  await person.press(tr.docs.call);
  await person.reads(tr.docs.badJson);
  const sent = await run(person, pair, order('APITEST'));
  expect(sent).toMatchObject({ http: 200, body: { response: { status: { code: 200 } } } });
  expect(sent.body.response['order']).toMatchObject({ id: expect.anything() });
  await eventually(async () => (await program.carrier.phone('5550000651')).map(one => one.text)).toEqual([
    'Denemeden B186',
  ]);
  const noSender = await run(person, pair, order('BASKASI'));
  expect(noSender.body.response.status.code).toBe(450);

  // Only in the memory of the page.
  const kept = () =>
    person.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]));
  expect(await kept()).not.toContain(pair.hash);
  await person.page.reload();
  await person.reads(tr.docs.tryCost);
  expect(await person.page.getByLabel(tr.docs.hash, { exact: true }).inputValue()).toBe('');
});

async function choose(person: Customer, operation: string): Promise<void> {
  await person.press(operation);
  await person.page.getByRole('tab', { name: tr.docs.tryIt }).click();
}

const body = (person: Customer) => person.field(tr.docs.body);

/** Fills the form, calls, and reads the answer to this call. */
async function run(person: Customer, { key, hash }: Pair, request?: object): Promise<Shown> {
  await person.field(tr.docs.key).fill(key);
  await person.page.getByLabel(tr.docs.hash, { exact: true }).fill(hash);
  if (request) await body(person).fill(JSON.stringify(request));
  const [answer] = await Promise.all([
    person.page.waitForResponse(response => response.url().includes('/v1/')),
    person.press(tr.docs.call),
  ]);
  const text = JSON.stringify(await answer.json(), null, 2);
  const result = person.page.getByTestId('try-result');
  await eventually(() => result.locator('pre').innerText()).toBe(text);
  const [, http] = /HTTP (\d+)/.exec(await result.innerText())!;
  return { http: Number(http), body: JSON.parse(text) };
}

test('the reference shows a whole answer of each operation, what 110 to 115 mean and the bodies of notifications', async () => {
  const person = await customer();
  await person.open(`${paths.apiDocs()}?islem=get-balance&sekme=yanit`, tr.docs.title);
  await person.reads('"sms": 100');
  await person.press(tr.docs.statesTitle);
  await person.reads(tr.docs.states[114]);
  await person.press(tr.docs.webhookTitle);
  await person.reads('"packet_id": 100000001');
  await person.reads('X-Peyk-Signature: v1=');
});

test('step 6 is made from the page: a key made there calls get-balance, the envelope is shown and the step is done', async () => {
  const person = await customer();
  await person.open(paths.start(), tr.start.title);
  const card = person.card(tr.start.apiTitle);
  await card.getByLabel(tr.docs.hash, { exact: true }).fill('a'.repeat(64));
  await person.press(tr.start.callBalance, card);
  await person.reads(tr.start.balanceRefused, card);
  await person.press(tr.apiAccess.rotate, card);
  await person.confirm(tr.apiAccess.rotate);
  await person.press(tr.apiAccess.saved, person.dialog);
  await person.press(tr.start.callBalance, card);
  const result = () => card.getByTestId('try-result').innerText();
  await eventually(result).toContain('"sms": 100');
  expect(await result()).toContain('HTTP 200');
  await person.page.locator('[data-step="balance"][data-state="done"]').waitFor();
});

test('an order copied as an API call is a call that the server takes once key, hash and number are filled in', async () => {
  const person = await customer({}, { permissions: ['clipboard-read', 'clipboard-write'] });
  const { orderId } = await person.sendOrder("Panel'den", ['5550000771']);
  await person.open(paths.order(String(orderId)), `Sipariş ${orderId}`);
  await person.press(tr.order.copyCall);
  await person.button(tr.copy.done).waitFor();
  const copied = await person.page.evaluate(() => navigator.clipboard.readText());
  const [, url, json] = /^curl -X POST (\S+) [\s\S]*-d '([\s\S]*)'$/.exec(copied)!;
  expect(url).toBe(`${program.ready.api}/v1/send-sms/json`);
  const pair = await person.call('settings.rotateKey', {});
  const filled = json!
    .replaceAll("'\\''", "'")
    .replace('<API_KEY>', pair.key)
    .replace('<API_HASH>', pair.hash)
    .replace('5XXXXXXXXX', '5550000772');
  const answer = await program.client.post('/v1/send-sms/json', JSON.parse(filled));
  expect(answer.code).toBe(200);
  const { rows } = await person.call('orders.list', {});
  const texts = await Promise.all(
    rows.map(async one => (await person.call('orders.read', { id: one.id })).textList[0]!.text),
  );
  expect(texts).toEqual(["Panel'den", "Panel'den"]);
});
