// The first minutes of a newcomer: start, first SMS, report, balance, Ctrl-C, start again.
import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { panelHeader } from '../../src/panel-api/contract/facts.ts';
import { nobodyConsents } from '../../src/status.ts';
import { SmppCustomer } from '../support/customers/smpp-customer.ts';
import { isAlive } from '../support/program/processes.ts';
import { type Program, startProgram } from '../support/program/program.ts';
import { temporaryFolder } from '../support/run/temporary-folder.ts';
import { wait } from '../support/run/wait.ts';
import { followIysPage, followStartPage } from '../support/sources/start-page.ts';

test('one command starts everything, the first SMS arrives, and Ctrl-C leaves nothing behind but the data', async () => {
  // By default, and after a first start that failed half-way: the next successful start prints what it created.
  const data = join(temporaryFolder(), 'data');
  const demo = { PEYK_DEMO_KEY: randomBytes(16).toString('hex'), PEYK_DEMO_HASH: randomBytes(32).toString('hex') };
  const PEYK_SMPP_PORT = '0';
  const [busy, busyPort] = await busyServer();
  await expect(
    startProgram({ data, fresh: true, env: { ...demo, PEYK_SMPP_PORT, PEYK_SMSC_PORT: String(busyPort) } }),
  ).rejects.toThrow('set PEYK_SMSC_PORT to another port');
  busy.close();
  const program = await startProgram({
    data,
    env: { ...demo, PEYK_SMPP_PORT, PEYK_WORKERS: '2' },
    without: ['PEYK_SIMULATORS', 'PEYK_DEMO_TRAFFIC'],
  });
  const address = /^http:\/\/127\.0\.0\.1:\d+$/;
  const person = { email: expect.stringContaining('@'), password: expect.any(String) };
  expect(program.ready).toEqual({
    owner: person,
    staff: person,
    api: expect.stringMatching(address),
    panel: `${program.ready.api}/panel/`,
    smsc: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    smscHttp: expect.stringMatching(address),
    registry: expect.stringMatching(address),
    smpp: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    smppUser: { systemId: expect.any(String), password: expect.stringMatching(/^\w{8}$/) },
    demo: program.demo,
    pid: program.pid,
  });
  expect(program.output.filter(line => line.startsWith('peyk ready '))).toHaveLength(1);
  expect(program.output.join('\n')).toMatch(/curl -s http.*send-sms/);
  const { smpp, smppUser } = program.ready;
  expect(program.output.join('\n')).toContain(
    `${smpp}   system_id ${smppUser!.systemId}  password ${smppUser!.password}`,
  );
  (await SmppCustomer.bind(Number(smpp!.split(':').at(-1)), smppUser!)).destroy();

  const { demoCustomer: customer, carrier } = program;
  expect(await customer.balance()).toBe(100);
  const id = await customer.send('Merhaba Peyk', ['5550000000']);
  const report = await customer.finished(id);
  expect(report).toMatchObject({ status: 114, total: 1, delivered: 1, undelivered: 0, waiting: 0, price: 1 });
  expect(report.message).toEqual([expect.objectContaining({ number: '+905550000000', status: 111 })]);
  const shown = await carrier.phone('5550000000');
  expect(shown).toEqual([expect.objectContaining({ from: 'APITEST', text: 'Merhaba Peyk B186', parts: 1 })]);
  expect(await customer.balance()).toBe(99);
  expect(await assistantsBalance(program)).toContain('"sms":99');
  // Meanwhile a month of example traffic was made in an account of its own; nothing of it reached the carrier.
  const { owner } = program.ready;
  const made = `select 1 from installation where name = 'example-account' and value like '%"isDone":true%'`;
  await wait('the example account', async () => (await (await program.db()).query(made)).rowCount === 1);
  expect(await accountsOf(program, owner!)).toEqual([expect.stringContaining('Örnek'), 'Demo']);
  expect(await carrier.phone('5550000000')).toHaveLength(1);
  expect(await program.cli('audit')).toEqual({ ok: true, findings: [] });

  const processes = [...program.processes().map(one => one.pid), program.pid, program.postmaster()!];
  expect(processes.length).toBeGreaterThanOrEqual(7);
  const { api, smsc } = program.ready;
  expect(await program.interrupt()).toBe(0);
  await wait('every process to end', () => !processes.some(isAlive));
  for (const one of [new URL(api).host, smsc!]) expect(await listens(one)).toBe(false);
  expect(program.log.filter(line => line.includes('"level":50'))).toEqual([]);

  await program.start();
  expect(program.ready.demo).toEqual(program.demo);
  expect(program.ready).not.toHaveProperty('owner');
  expect(program.ready).not.toHaveProperty('staff');
  expect(program.ready).not.toHaveProperty('smppUser');
  expect(await customer.balance()).toBe(99);
  expect((await customer.report(id)).delivered).toBe(1);
  const again = await customer.send('Tekrar merhaba', ['5550000000']);
  expect((await customer.finished(again)).delivered).toBe(1);

  // What the first page of the documentation tells to do.
  const answers = [...(await followStartPage(program))];
  const answerTo = (words: string) => answers.find(([command]) => command.includes(words))![1];
  expect(answers).toHaveLength(11);
  expect(JSON.parse(answerTo('send-sms')).response.status.code).toBe(200);
  expect(JSON.parse(answerTo('get-report')).response.order).toMatchObject({ delivered: 1, undelivered: 1, price: 1 });
  expect(answerTo(':2780/messages')).toContain('Merhaba B186');
  expect(answerTo('bin/peyk audit')).toMatch(/^ok/m);
  const shop = await program.account();
  const consents = [...(await followIysPage(program, shop))].map(([, answer]) => answer);
  expect(consents[3]).toContain('"status":"ONAY"');
  expect(consents[4]).toContain('"code":200');
  const commercial = { sender: 'DENEME', iys: '1', iysList: 'BIREYSEL' };
  const refused = await shop.trySend('Kampanya: bir daha', ['5550000000'], commercial);
  expect([refused.code, refused.message]).toEqual([469, nobodyConsents]);

  // From the first carrier of its own on, nothing is delivered by the simulator: what cannot be sent waits.
  const dead = ['--host', '127.0.0.1', '--port', '1', '--system-id', 'x', '--password', 'x'];
  await program.cli('carrier', 'add', '--name', 'gercek', ...dead);
  await wait('the simulator to be released', async () => (await program.carrier.stats()).sessions === 0);
  const waiting = await customer.send('Bekler', ['5550000000']);
  expect((await customer.report(waiting)).waiting).toBe(1);
  await program.cli('carrier', 'resume', 'simulator');
  expect((await customer.finished(waiting)).delivered).toBe(1);
  expect(await program.audit()).toEqual({ ok: true, findings: [] });
});

function busyServer(): Promise<[Server, number]> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () =>
      resolve([server, (server.address() as AddressInfo).port]),
    );
  });
}

function listens(address: string): Promise<boolean> {
  const [host, port] = address.split(':');
  return new Promise(resolve => {
    const socket = connect(Number(port), host).once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Names of the accounts that a person finds in the panel. */
async function accountsOf(
  { ready }: { ready: { panel: string } },
  login: { email: string; password: string },
): Promise<string[]> {
  const headers = { 'content-type': 'application/json', [panelHeader.name]: panelHeader.value };
  const answer = await fetch(`${ready.panel}api/session.signIn`, {
    method: 'POST',
    headers,
    body: JSON.stringify(login),
  });
  const { data } = (await answer.json()) as { data: { accounts: { name: string }[] } };
  return data.accounts.map(one => one.name);
}

/** As an assistant reads it, over the protocol of assistants. */
async function assistantsBalance({ ready, demo }: Pick<Program, 'ready' | 'demo'>): Promise<string> {
  const answer = await fetch(`${ready.api}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${demo.key}:${demo.hash}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_balance","arguments":{}}}',
  });
  return (await answer.text()).replaceAll('\\"', '"');
}
