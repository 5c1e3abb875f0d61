// Passwords that do not stand in the list of processes.
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readPassword } from './password.ts';

test('a password comes from the argument, or with - from standard input without its line end', async () => {
  expect(await readPassword('gizli')).toBe('gizli');
  expect(await readPassword('-', Readable.from(['cok gizli ', 'parola\n']))).toBe('cok gizli parola');
});

test('without a password and without a terminal a command says how to give one, and does not wait', async () => {
  await expect(readPassword(undefined, new Readable({ read() {} }))).rejects.toThrow('--password - reads it');
  await expect(readPassword('-', Readable.from(['\n']))).rejects.toThrow('empty');
});
