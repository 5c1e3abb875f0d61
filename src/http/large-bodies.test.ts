// Large bodies of strangers, fast or slow: customers' large orders are still served.
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { expectRefusal, expectSuccess } from '../../test/support/customers/answers.ts';
import { freshText, numbers, order, sender } from '../../test/support/customers/samples.ts';
import { pathOf, testApp } from '../../test/support/program/app.ts';
import { wait } from '../../test/support/run/wait.ts';

// A tenth of the usual stretch of time, with what a body must send in it.
const app = await testApp({ pace: { everyMs: 500, bytes: 8_000 } });
afterAll(() => app.close());
const account = await app.open({ senders: [sender], sms: 1_000_000 });
const largeOrder = () => account.call('send-sms', { order: order({}, freshText(), numbers(9_000)) });

/** A request whose body has begun and does not go on. */
async function begin(path: string, headers: Record<string, string | number>, start: Buffer | string) {
  const call = request(new URL(path, app.url), { method: 'POST', headers });
  call.on('error', () => {});
  call.write(start);
  await once(call, 'socket');
  return call;
}

async function leave(call: ClientRequest): Promise<void> {
  call.destroy();
  await wait('the call to be closed', () => call.closed);
}

async function connections(): Promise<number> {
  return new Promise((resolve, reject) =>
    app.server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

const filler = Buffer.alloc(1024 * 1024, ' ');

test('a caller that leaves while its body waits takes no place with it', async () => {
  const before = await connections();
  const first = await begin('/v1/get-balance/json', { 'content-type': 'application/json' }, 'x');
  const second = await begin('/v1/send-sms', { 'content-type': 'text/xml' }, 'x');
  await wait('both connections', async () => (await connections()) >= before + 2);
  await leave(second);
  await wait('the second to be gone', async () => (await connections()) <= before + 1);
  await leave(first);
  await wait('the first to be gone', async () => (await connections()) <= before);
  expectSuccess(await largeOrder(), 'order');
});

test('chunked bodies that begin and stay idle, on any path, hold up no large order and no small chunked one', async () => {
  const json = { 'content-type': 'application/json' };
  const idle = await Promise.all([
    ...['/v1/send-sms/json', '/v1/send-sms', '/v1/none', '/nowhere'].map(path => begin(path, json, '{')),
    ...['/v1/send-sms/json', '/v1/send-sms'].map(path => begin(path, { ...json, 'content-length': 30_000_000 }, '{')),
  ]);
  expectSuccess(await largeOrder(), 'order');
  const { key, hash } = account;
  const small = await begin(pathOf('get-balance'), json, '{"request":');
  const answer = once(small, 'response');
  small.end(`{"authentication":${JSON.stringify({ key, hash })}}}`);
  expect((await answer)[0].statusCode).toBe(200);
  for (const call of idle) await leave(call);
});

test('strangers that send all they may and then stop hold up no customer, and get 400 for their pace', async () => {
  const length = { 'content-type': 'application/json', 'content-length': 31_000_000 };
  const idle = await Promise.all(Array.from({ length: 3 }, () => begin(pathOf('send-sms'), length, '{')));
  for (const call of idle) for (let i = 0; i < 8; i++) call.write(filler);
  const answers = idle.map(call => once(call, 'response'));
  await turn();
  expectSuccess(await largeOrder(), 'order');
  for (const answer of answers) expect((await answer)[0].statusCode).toBe(400);
  for (const call of idle) await leave(call);
});

test('an order in XML whose caller leaves in the middle of it leaves room for the next', async () => {
  const headers = { 'content-type': 'text/xml', 'content-length': 20_000_000 };
  for (let i = 0; i < 6; i++) await leave(await begin('/v1/send-sms', headers, filler));
  expectSuccess(await largeOrder(), 'order');
});

test('a large body is read at any pace above the least, and one below it is 400', async () => {
  const inside = JSON.stringify({ request: { authentication: { key: account.key, hash: account.hash } } });
  const start = inside + ' '.repeat(70_000 - inside.length);
  const json = { 'content-type': 'application/json' };
  const [call, slow] = await Promise.all([0, 1].map(() => begin(pathOf('get-balance'), json, start)));
  const [answer, refusal] = [once(call!, 'response'), once(slow!, 'response')];
  let code = 0;
  void refusal.then(([{ statusCode }]) => {
    code = statusCode;
  });
  // A little between two other calls, for as many stretches of time as the slow one is given.
  while (code === 0) {
    call!.write(' '.repeat(4_000));
    expectSuccess(await account.call('get-balance'), 'balance');
  }
  expect(code).toBe(400);
  call!.end();
  expect((await answer)[0].statusCode).toBe(200);
  await leave(slow!);
});

test('none of it was a fault of the server', async () => {
  expectRefusal(await app.client.post('/nowhere', filler), 404);
  expect(app.faults).toEqual([]);
});
