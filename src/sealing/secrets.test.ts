import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/run/temporary-folder.ts';
import { loadSecretKey, seal, unseal } from './secrets.ts';

const setting = Buffer.alloc(32, 7).toString('base64');

test('what was sealed opens to the same text, and never looks the same twice', () => {
  const key = loadSecretKey('', setting);
  for (const plain of ['', 'parola', 'ş😀'.repeat(1_000)]) {
    const [one, other] = [seal(key, plain), seal(key, plain)];
    expect([unseal(key, one), unseal(key, other)]).toEqual([plain, plain]);
    expect(one.equals(other)).toBe(false);
  }
});

test('a changed byte or another key does not open it', () => {
  const key = loadSecretKey('', setting);
  const sealed = seal(key, 'parola');
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed);
    changed[i] = changed[i]! ^ 1;
    expect(() => unseal(key, changed)).toThrow();
  }
  expect(() => unseal(Buffer.alloc(32, 8), sealed)).toThrow();
});

test('without a setting a key is made once in the data folder, readable by its owner only', () => {
  const folder = join(temporaryFolder(), 'data');
  const key = loadSecretKey(folder, '');
  expect(key).toHaveLength(32);
  expect(loadSecretKey(folder, '').equals(key)).toBe(true);
  expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
});

test('a setting that is no key of 32 bytes is refused', () => {
  for (const wrong of ['short', 'x'.repeat(100), Buffer.alloc(31).toString('base64')])
    expect(() => loadSecretKey('', wrong)).toThrow('32 bytes');
});
