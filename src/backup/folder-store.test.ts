import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/run/temporary-folder.ts';
import { folderStore } from './folder-store.ts';

test('what is put is there whole under its name, and what was begun and not finished is nothing', async () => {
  const folder = join(temporaryFolder(), 'not', 'there', 'yet');
  const store = folderStore(folder);
  expect(await store.list('')).toEqual([]);
  expect(await store.get('a/b')).toBeNull();
  await store.put('a/b', Buffer.from('one'));
  await store.put('a/b', Buffer.from('second'));
  await store.put('c', Buffer.alloc(0));
  writeFileSync(join(folder, 'a', 'd.draft-0a'), 'half');
  expect(await store.list('')).toEqual([
    { key: 'a/b', bytes: 6 },
    { key: 'c', bytes: 0 },
  ]);
  expect((await store.get('a/b'))?.toString()).toBe('second');
  expect(await store.list('a/')).toHaveLength(1);
  await store.remove('a/b');
  await store.remove('a/b');
  expect(readdirSync(join(folder, 'a'))).toEqual(['d.draft-0a']);
});

test('a target that cannot be written is an error, and nothing is left of it', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a'), 'a file where a folder should be');
  await expect(folderStore(folder).put('a/b', Buffer.from('x'))).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(['a']);
});
