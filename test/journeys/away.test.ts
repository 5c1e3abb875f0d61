// The database is away in the moments in which a program depends on it most: while its processes begin, and just after. And the
// first process is gone from one moment to the next.
import { expect, test } from 'vitest';
import { ofThisMachine, testDatabase } from '../support/database/database.ts';
import { SelectiveProxy } from '../support/database/selective-proxy.ts';
import { Program, startProgram } from '../support/program/program.ts';
import { atEndOfFile } from '../support/run/clear-away.ts';
import { wait } from '../support/run/wait.ts';

const env = { PEYK_SMPP_PORT: '0', PEYK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') };

test('a database that is away while the processes of a node begin is waited for; one that goes as soon as they run ends none of them', async () => {
  const database = await testDatabase();
  const proxy = new SelectiveProxy(ofThisMachine(database.connection));
  const program = new Program({ env: { ...env, DATABASE_URL: await proxy.url() } });
  atEndOfFile(() => program.remove());
  // Each of them fails at its first question, the first process at its own.
  const who = /^peyk (api|smpp|dispatch|leases|receipts|background|cells|first process)/;
  proxy.shut(who);
  const started = program.start();
  await wait('the processes to be turned away', () => proxy.refused >= 3);
  proxy.open();
  await wait('the others to begin', () => program.processes('api').length > 0);
  proxy.shut(who);
  await wait('them to be turned away at several starts', () => proxy.refused >= 30);
  proxy.shut(/^peyk api/);
  let isStarted = false;
  void started.then(() => {
    isStarted = true;
  });
  // The others are ready long before; a node that cannot answer yet is not started.
  await wait('the API to be turned away again', () => proxy.refused >= 3);
  expect(isStarted).toBe(false);
  proxy.open();
  await started;
  const before = program.processes().map(one => one.pid);
  proxy.shut(who);
  await wait('each to notice', () => proxy.refused >= 50);
  expect((await fetch(`${program.ready.api}/health/ready`)).status).toBe(503);
  proxy.open();
  await wait('it to be ready', async () => (await fetch(`${program.ready.api}/health/ready`)).status === 200);
  expect(program.processes().map(one => one.pid)).toEqual(before);
  const log = program.log.join('\n');
  expect(log).toContain('the database is away');
  expect(log).not.toMatch(/unhandled rejection|\n\s+at /);
  expect(await program.stop()).toBe(0);
  await database.close();
});

test('processes whose first process is killed end without a stack, also when they had something to say', async () => {
  const program = await startProgram({ env });
  const children = program.processes().map(one => one.pid);
  for (const pid of children) process.kill(pid, 'SIGSTOP');
  const stoppedAt = performance.now();
  program.signal('first', 'SIGKILL');
  await program.exited();
  const { log } = program;
  // Each says once a second that it lives, and does so before it hears that nobody is there.
  await wait('that to be due', () => performance.now() - stoppedAt > 1_000);
  for (const pid of children) process.kill(pid, 'SIGCONT');
  await wait('them to be gone', () => children.every(pid => !program.lives(pid)));
  expect(log.join('\n')).not.toMatch(/EPIPE|\n\s+at /);
});
