// Random bytes at every port of the running program (test/support/customers/fuzz.ts): the program must survive, answer valid calls at
// once, not grow, and log no unexpected error. PEYK_FUZZ_SEED repeats a run.
import { expect, test } from 'vitest';
import { putCarrier } from '../../src/carriers/carriers.ts';
import { loadSecretKey } from '../../src/sealing/secrets.ts';
import { createSmppUser } from '../../src/smpp-server/users.ts';
import { fuzz, loginOf, MadCarrier, ProgramHealth } from '../support/customers/fuzz.ts';
import { startProgram } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';

const seconds = Number(process.env['PEYK_FUZZ_SECONDS'] ?? 60);
const seed = Number(process.env['PEYK_FUZZ_SEED'] ?? Date.now() % 1_000_000_000);
const madCarriers = 4;

test('random bytes at every port end no process, leak no memory and cause no unexpected error', async () => {
  const push = { PEYK_REGISTRY_PUSH_USER: 'registry', PEYK_REGISTRY_PUSH_PASSWORD: 'secret' };
  const program = await startProgram({ env: { PEYK_SMPP_PORT: '0', PEYK_SIMULATORS: 'smsc,registry', ...push } });
  const key = loadSecretKey(program.data, '');
  const account = await program.account({ credits: 1_000, senders: ['PEYK'] });
  const settings = { addresses: ['127.0.0.1'], binds: 50 };
  const login = await createSmppUser(await program.db(), key, Number(account.id), settings);
  const mad = Array.from({ length: madCarriers }, (_, i) => new MadCarrier(seed + i));
  for (const [i, one] of mad.entries()) {
    const address = { host: '127.0.0.1', port: String(await one.start()), 'system-id': 'a', password: 'b' };
    // These carriers serve no number: only their bytes matter.
    await putCarrier(await program.db(), key, `mad${i}`, { ...address, prefixes: '999' });
  }
  const health = new ProgramHealth(program);
  const spoken = await fuzz(program, seconds, seed, loginOf(login.systemId, login.password));
  const said = mad.reduce((sum, one) => sum + one.said, 0);
  console.log(`seed ${seed}, ${seconds} s: ${JSON.stringify({ ...spoken, 'carriers of ours': said })}`);
  for (const one of mad) one.stop();
  const id = await account.send('Merhaba', ['5550000001'], { sender: 'PEYK' });
  await wait('it to arrive', async () => (await account.report(id)).delivered === 1);
  expect(said).toBeGreaterThan(0);
  expect(health.complaints()).toEqual([]);
  expect(await program.audit()).toEqual({ ok: true, findings: [] });
});
