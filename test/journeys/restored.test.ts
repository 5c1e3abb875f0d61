// A copy of the data, from a backup or a copied folder, sends nothing until the operator allows it, because its pending
// messages may have been sent since. A restart, a crash or a move of the same data is not a copy.
import { cpSync, renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import { Customer, type Program, startProgram } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';

type Status = { held: boolean; reason?: string };
const status = (program: Program) => program.cli<Status>('dispatch', 'status');

test('data that are restarted, crash or are moved go on; a copy of them is held until released, and accepts meanwhile', async () => {
  const [first, second, third] = plainNumbers(3);
  const original = await startProgram();
  const customer = await original.account({ credits: 100 });
  original.signal('first', 'SIGKILL');
  await original.exited();
  await wait('the others to end', () => original.processes().length === 0);
  await original.start();
  expect(await status(original)).toEqual({ held: false });
  await original.cli('carrier', 'pause', 'simulator');
  await wait('the bind to be released', async () => (await original.carrier.stats()).sessions === 0);
  const waiting = await customer.send('Yedekten once', [first!]);
  await original.stop();
  const copyOf = `${original.data}-kopya`;
  const movedTo = `${original.data}-yeni`;
  cpSync(original.data, copyOf, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  renameSync(original.data, movedTo);

  const keys = { PEYK_DEMO_KEY: original.demo.key, PEYK_DEMO_HASH: original.demo.hash };
  const moved = await startProgram({ data: movedTo, env: keys });
  expect(await status(moved)).toEqual({ held: false });
  await moved.cli('carrier', 'resume', 'simulator');
  await new Customer(moved, customer.id, customer.key, customer.hash).finished(waiting);
  await moved.stop();

  const copy = await startProgram({ data: copyOf, env: keys });
  expect(await status(copy)).toMatchObject({ held: true, reason: 'other-folder' });
  expect(copy.log.some(line => line.includes('SENDING IS HELD'))).toBe(true);
  const there = new Customer(copy, customer.id, customer.key, customer.hash);
  const fresh = await there.send('Yedekten sonra', [second!]);
  await copy.cli('carrier', 'resume', 'simulator');
  await wait('the bind', async () => (await copy.carrier.stats()).sessions > 0);
  expect((await there.report(fresh)).waiting).toBe(1);
  // The order from before the copy was sent by the original and is ended here; the new one is sent.
  expect(await copy.cli('dispatch', 'release', '--close')).toEqual({ held: false, closed: 1 });
  expect(await there.finished(fresh)).toMatchObject({ status: 114, delivered: 1 });
  expect(await there.finished(waiting)).toMatchObject({ undelivered: 1, price: 0 });
  expect(await copy.carrier.phone(first!)).toEqual([]);
  expect(await there.finished(await there.send('Artik hemen', [third!]))).toMatchObject({ status: 114 });
  expect(await copy.audit()).toEqual({ ok: true, findings: [] });
});
