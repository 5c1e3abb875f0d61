// The first minutes of a newcomer: start, first SMS, report, balance, Ctrl-C, start again.
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { isAlive } from '../support/processes.ts';
import { startProgram } from '../support/program.ts';
import { wait } from '../support/wait.ts';

test('one command starts everything, the first SMS arrives, and Ctrl-C leaves nothing behind but the data', async () => {
  const program = await startProgram({ env: { PEYK_SIMULATORS: 'smsc,registry', PEYK_WORKERS: '2' } });
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
    demo: program.demo,
    pid: program.pid,
  });
  expect(program.output.filter(line => line.startsWith('peyk ready '))).toHaveLength(1);
  expect(program.output.join('\n')).toMatch(/curl -s http.*send-sms/);

  const { demoCustomer: demo, carrier } = program;
  expect(await demo.balance()).toBe(100);
  const id = await demo.send('Merhaba Peyk', ['5550000000']);
  const report = await demo.finished(id);
  expect(report).toMatchObject({ status: 114, total: 1, delivered: 1, undelivered: 0, waiting: 0, price: 1 });
  expect(report.message).toEqual([expect.objectContaining({ number: '+905550000000', status: 111 })]);
  const shown = await carrier.phone('5550000000');
  expect(shown).toEqual([expect.objectContaining({ from: 'APITEST', text: 'Merhaba Peyk B186', parts: 1 })]);
  expect(await demo.balance()).toBe(99);
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
  expect(await demo.balance()).toBe(99);
  expect((await demo.report(id)).delivered).toBe(1);
  const again = await demo.send('Tekrar merhaba', ['5550000000']);
  expect((await demo.finished(again)).delivered).toBe(1);
  expect(await program.audit()).toEqual({ ok: true, findings: [] });
});

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
