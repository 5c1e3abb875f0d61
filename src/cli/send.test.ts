// `peyk send` against a database without a dispatcher: what is accepted, refused and left waiting. (The whole way: test/journeys/terminal.)
import { afterEach, expect, test } from 'vitest';
import { newCredentials } from '../accounts/credentials.ts';
import { ensureFirstPeople } from '../people/first-people.ts';
import { decideSender } from '../senders/senders.ts';
import { command, commandLine } from './command-fixture.ts';

const { database, json, run } = await commandLine();
const before = process.exitCode;
afterEach(() => {
  process.exitCode = before;
});

test('without a demo account somebody has to be named', async () => {
  await expect(run(...command('send'), '5550000000', 'Merhaba')).rejects.toThrow('--account ID');
});

test('an SMS is accepted for the demo account, waits without a dispatcher, and says so with exit code 3', async () => {
  await ensureFirstPeople(database.pool, Buffer.alloc(32, 7), { demo: newCredentials(), staff: false });
  const sent = await json('send', '0555 000 00 00', 'Merhaba', '--wait', '0');
  expect(process.exitCode).toBe(3);
  expect(sent).toMatchObject({ sender: 'APITEST', number: '+905550000000', parts: 1, credits: 1, state: 'queued' });
  expect(await run('send', '5550000000', 'Merhaba', '--wait', '0')).toContain('is peyk start running?');
  await decideSender(database.pool, Number(sent.account), 'DENEME', 'approved');
  expect((await json('send', '5550000000', 'Merhaba', '--wait', '0', '--account', sent.account)).sender).toBe('DENEME');
});

test('a number that is none and a sender that is not approved are refused with their code', async () => {
  await expect(run('send', '12', 'Merhaba')).rejects.toThrow('refused with 452');
  await expect(run('send', '5550000000', 'Merhaba', '--sender', 'BASKA')).rejects.toThrow('refused with 450');
});
