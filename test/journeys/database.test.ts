// The program while its database does what databases do: sessions end, the server hangs, it cannot come back. One program,
// in this order: the last test ends it.
import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { layoutOf } from '../../src/db/embedded/layout.ts';
import { signalQuietly } from '../support/program/processes.ts';
import { type Customer, type Program, startProgram } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';

let program: Program;
let customer: Customer;

beforeAll(async () => {
  program = await startProgram({ env: { PEYK_DATABASE_GIVE_UP_SECONDS: '3' } });
  customer = await program.account({ credits: 1_000 });
});

const health = async (path: string) => (await fetch(program.ready.api + path)).status;
const pids = () => program.processes().map(one => one.pid);

/** Stops the server and all of its sessions: the server first, or a session that begins meanwhile goes on. */
function freezeServer(): number[] {
  const first = program.postmaster()!;
  signalQuietly(first, 'SIGSTOP');
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const all = lines.map(line => line.trim().split(/\s+/).map(Number) as [number, number]);
  const sessions = all.filter(([, parent]) => parent === first).map(([pid]) => pid);
  for (const pid of sessions) signalQuietly(pid, 'SIGSTOP');
  return [first, ...sessions];
}

async function ordersOf(texts: string[]): Promise<string[]> {
  const found = await (await program.db()).query('select text from orders where text = any ($1) order by id', [texts]);
  return found.rows.map(row => row.text);
}

test('when every session is ended the processes live on, the link stays bound, and orders go on', async () => {
  const before = pids();
  await customer.finished(await customer.send('Once', ['5550000001']));
  await (await program.db()).query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'peyk %' and pid <> pg_backend_pid()`,
  );
  const id = await wait('an order to be taken', () => customer.send('Sonra', ['5550000002']));
  expect(await customer.finished(id)).toMatchObject({ delivered: 1 });
  expect(pids()).toEqual(before);
  expect(await program.carrier.stats()).toMatchObject({ binds: 1, duplicates: 0 });
});

test('a frozen database is answered 503 within ten seconds; when it wakes every order is stored once, and the link is the same', async () => {
  const before = pids();
  const named = () => {
    const order = { sender: 'APITEST', message: { text: 'Donmus adli', receipents: { number: ['5550000003'] } } };
    const authentication = { key: customer.key, hash: customer.hash };
    return program.client.post('/v1/send-sms/json', { request: { authentication, order } }, { 'idempotency-key': 'x' });
  };
  const plain = () => customer.trySend('Donmus', ['5550000004']);
  const frozen = freezeServer();
  try {
    const begun = performance.now();
    const answers = await Promise.all([named(), plain()]);
    expect(performance.now() - begun).toBeLessThan(10_000);
    for (const one of answers) expect(one).toMatchObject({ http: 503, headers: { 'retry-after': '1' } });
    expect([await health('/health/ready'), await health('/health/live')]).toEqual([503, 200]);
    await wait('the session of the binds to be given up', () =>
      /slots not taken again yet/.test(program.log.join('\n')),
    );
  } finally {
    for (const pid of frozen.reverse()) signalQuietly(pid, 'SIGCONT');
  }
  await wait('it to be ready', async () => (await health('/health/ready')) === 200);
  const first = await named();
  expect(first.code).toBe(200);
  expect([200, 451]).toContain((await plain()).code);
  expect((await plain()).code).toBe(451);
  expect((await named()).response).toEqual(first.response);
  expect((await ordersOf(['Donmus', 'Donmus adli'])).sort()).toEqual(['Donmus', 'Donmus adli']);
  await customer.finished(first.response.order!.id);
  await wait('everything to be delivered', async () => (await program.carrier.stats()).delivered === 4);
  expect(pids()).toEqual(before);
  expect(await program.carrier.stats()).toMatchObject({ binds: 1, duplicates: 0 });
  expect(await program.audit()).toEqual({ ok: true, findings: [] });
});

test('a database that cannot come back: not ready but alive while it is tried, then the program ends with a clear word and a code', async () => {
  const control = join(layoutOf(program.data).cluster, 'global', 'pg_control');
  renameSync(control, `${control}.away`);
  program.signal('postgres', 'SIGKILL');
  await wait('it to show', async () => (await health('/health/ready')) === 503);
  expect(await health('/health/live')).toBe(200);
  expect(await program.exited()).toBe(1);
  expect(program.log.join('\n')).toMatch(/peyk: the database server does not stay up: .*pg_control.*peyk: exiting/s);
});
