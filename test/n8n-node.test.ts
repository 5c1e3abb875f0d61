// The n8n node as n8n loads it, built and by its package's own list, run item by item against the service.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { operations } from '../src/api/operations.ts';
import { sendSmsRequest } from '../src/api/orders-contract.ts';
import { brandCode, freshText, number, sender, shown, turkeyTime } from './support/customers/samples.ts';
import { testApp } from './support/program/app.ts';

const home = fileURLToPath(new URL('../packages/n8n-nodes-peyk/', import.meta.url));
const manifest = JSON.parse(readFileSync(`${home}package.json`, 'utf8')) as {
  dependencies?: object;
  n8n: { nodes: string[]; credentials: string[] };
};
const load = createRequire(import.meta.url);
type Item = { json: Record<string, unknown>; pairedItem: { item: number } };
type Property = {
  name: string;
  default: unknown;
  options?: { value: string }[];
  displayOptions?: { show: Record<string, string[]> };
};
type Loaded = {
  description: { name: string; properties: Property[]; credentials: { name: string }[] };
  execute: (this: object) => Promise<Item[][]>;
};
type Request = { method: string; url: string; headers: Record<string, string>; body: object };

const { Peyk } = load(`${home}${manifest.n8n.nodes[0]}`) as { Peyk: new () => Loaded };
const { PeykApi } = load(`${home}${manifest.n8n.credentials[0]}`) as {
  PeykApi: new () => { name: string; properties: Property[] };
};
const node = new Peyk();

const app = await testApp();
afterAll(() => app.close());
const account = await app.open({ senders: [sender], brands: [brandCode], sms: 1_000 });

const paths = new Set<string>();
let hash = account.hash;

/** The context that n8n gives a running node, with a real request behind it; unset values are the form's defaults. */
async function run(
  parameters: Record<string, unknown>,
  items = 1,
  more: { execution?: string; goOn?: boolean } = {},
): Promise<Item[]> {
  const [found] = await node.execute.call({
    getInputData: () => Array.from({ length: items }, () => ({ json: {} })),
    getNodeParameter: (name: string, _item: number, fallback: unknown) =>
      name in parameters
        ? parameters[name]
        : (node.description.properties.find(one => one.name === name)?.default ?? fallback),
    getCredentials: async () => ({ baseUrl: `${app.url}/`, key: account.key, hash }),
    getNode: () => ({ id: 'a1', name: 'Peyk' }),
    getExecutionId: () => more.execution ?? '7',
    continueOnFail: () => more.goOn === true,
    helpers: {
      async httpRequest({ method, url, headers, body }: Request) {
        paths.add(new URL(url).pathname);
        const answer = await fetch(url, {
          method,
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        return { statusCode: answer.status, body: await answer.json() };
      },
    },
  });
  return found!;
}

test('n8n finds the classes under the names that the package lists, and the form asks for every field once', () => {
  expect(manifest.dependencies).toBeUndefined();
  expect([node.description.name, node.description.credentials[0]!.name, new PeykApi().name]).toEqual([
    'peyk',
    'peykApi',
    'peykApi',
  ]);
  expect(readFileSync(`${home}dist/peyk.svg`, 'utf8')).toContain('<svg');
  const places = node.description.properties.map(({ name, displayOptions }) => JSON.stringify([name, displayOptions]));
  expect(new Set(places).size).toBe(places.length);
});

test('every operation runs, and gives what the interface answers as items', async () => {
  const sendAt = new Date(Date.now() + 86_400_000).toISOString();
  const to = `${number()}, ${number(1)}`;
  const [sent] = await run({ resource: 'message', operation: 'send', sender, text: freshText(), to });
  const orderId = sent!.json['id'];
  expect((await run({ resource: 'message', operation: 'report', orderId }))[0]!.json).toMatchObject({
    id: orderId,
    total: 2,
  });
  const [later] = await run({ resource: 'message', operation: 'send', sender, text: freshText(), to, sendAt });
  expect(await run({ resource: 'message', operation: 'cancel', orderId: later!.json['id'] })).toMatchObject([
    { json: { success: true } },
  ]);
  const start = `${turkeyTime().slice(0, 10)}T00:00:00+03:00`;
  const end = new Date(Date.now() + 60_000).toISOString();
  expect(await run({ resource: 'message', operation: 'list', start, end })).toHaveLength(2);
  expect((await run({ resource: 'account', operation: 'balance' }))[0]!.json).toMatchObject({ sms: 1_098 });
  expect((await run({ resource: 'account', operation: 'senders' })).map(one => one.json)).toEqual([{ sender }]);
  await run({ resource: 'blacklist', operation: 'add', number: number(3) });
  expect((await run({ resource: 'blacklist', operation: 'list' })).map(one => one.json)).toEqual([
    { number: shown(3) },
  ]);
  await run({ resource: 'blacklist', operation: 'delete', number: number(3) });
  const consent = {
    resource: 'consent',
    brandCode,
    recipient: shown(4),
    consentDate: new Date(Date.now() - 60_000).toISOString(),
  };
  await run({ ...consent, operation: 'register' });
  expect((await run({ ...consent, operation: 'check' }))[0]!.json).toMatchObject({
    status: 'ONAY',
    recipient: shown(4),
  });
  expect(await run({ resource: 'inbox', operation: 'list' })).toEqual([]);
  expect([...paths].sort()).toEqual(operations.map(one => `/v1/${one.path}/json`).sort());
});

test('every page comes where all is asked for', async () => {
  await app.db.query(
    `insert into blacklist_entries (account_id, number, added_at) select $1, 905551000000 + i, now() from generate_series(1, 1500) i`,
    [account.id],
  );
  expect(await run({ resource: 'blacklist', operation: 'list' })).toHaveLength(1_000);
  expect(await run({ resource: 'blacklist', operation: 'list', returnAll: true })).toHaveLength(1_500);
});

test('the form of an order has a field for each member of the contract', async () => {
  const fields = node.description.properties
    .filter(one => one.displayOptions?.show['operation']?.includes('send'))
    .map(one => one.name);
  // By the names that people read; the encoding is the account's.
  const named: Record<string, string> = {
    message: 'text',
    sendDateTime: 'sendAt',
    iys: 'commercial',
    iysList: 'consentList',
  };
  const members = Object.keys(sendSmsRequest.properties.order.properties).filter(one => one !== 'encoding');
  expect(members.filter(one => !fields.includes(named[one] ?? one))).toEqual([]);
});

test('a node that is tried again sends nothing twice, and another item or text is another order', async () => {
  const order = { resource: 'message', operation: 'send', sender, text: freshText(), to: number(8) };
  const first = await run(order);
  expect(await run(order)).toEqual(first);
  expect(await run({ ...order, text: freshText() })).not.toEqual(first);
  await expect(run(order, 1, { execution: '8' })).rejects.toMatchObject({ httpCode: '451', name: 'NodeApiError' });
  const named = { ...order, text: freshText(), idempotencyKey: 'fatura-17' };
  expect(await run(named, 1, { execution: '9' })).toEqual(await run(named, 1, { execution: '10' }));
});

test('a refusal names its item and stops, or becomes an item where the flow goes on', async () => {
  const report = { resource: 'message', operation: 'report', orderId: '1' };
  await expect(run(report)).rejects.toMatchObject({ message: '455 Sipariş bulunamadı', context: { itemIndex: 0 } });
  const found = await run(report, 2, { goOn: true });
  expect(found.map(one => [one.json['error'], one.pairedItem.item])).toEqual([
    ['455 Sipariş bulunamadı', 0],
    ['455 Sipariş bulunamadı', 1],
  ]);
  hash = 'wrong';
  await expect(run({ resource: 'account', operation: 'balance' })).rejects.toMatchObject({ httpCode: '401' });
  hash = account.hash;
});
