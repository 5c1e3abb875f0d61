// Bytes by chance at every port of the running program (test/support/customers/fuzz.ts) for as long as wanted: it must live, answer a good
// call at once, keep its memory, and meet nothing that it did not expect. PEYK_FUZZ_SEED plays a run again.
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

test('bytes by chance at every port end nothing, grow nothing and are no surprise', async () => {
  const push = { PEYK_REGISTRY_PUSH_USER: 'registry', PEYK_REGISTRY_PUSH_PASSWORD: 'secret' };
  const program = await startProgram({ env: { PEYK_SMPP_PORT: '0', PEYK_SIMULATORS: 'smsc,registry', ...push } });
  const key = loadSecretKey(program.data, '');
  const account = await program.account({ credits: 1_000, senders: ['PEYK'] });
  const wish = { addresses: ['127.0.0.1'], binds: 50 };
  const login = await createSmppUser(await program.db(), key, Number(account.id), wish);
  const mad = Array.from({ length: madCarriers }, (_, i) => new MadCarrier(seed + i));
  for (const [i, one] of mad.entries()) {
    const address = { host: '127.0.0.1', port: String(await one.start()), 'system-id': 'a', password: 'b' };
    // They serve nobody: what they say is all there is to them.
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
