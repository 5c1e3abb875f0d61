import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { type FaultyBucket, startBucket } from '../../test/support/peers/bucket.ts';
import { s3Store } from './s3-store.ts';

let server: FaultyBucket;
const pauses = [1, 1, 1];
const store = () => s3Store(server.bucket, pauses);
beforeAll(async () => {
  server = await startBucket();
});

test('what is put into a bucket is there under its name below the prefix, and goes when removed', async () => {
  expect(await store().list('')).toEqual([]);
  expect(await store().get('chains/a/b.gz')).toBeNull();
  const body = Buffer.alloc(300_000, 'yedek');
  await store().put('chains/a/b.gz', Buffer.from('first'));
  await store().put('chains/a/b.gz', body);
  await store().put('chains/c.json', Buffer.from('{}'));
  expect((await store().get('chains/a/b.gz'))?.equals(body)).toBe(true);
  expect(await store().list('chains/')).toEqual([
    { key: 'chains/a/b.gz', bytes: 300_000 },
    { key: 'chains/c.json', bytes: 2 },
  ]);
  // Objects of other users under another prefix of the bucket are not listed.
  expect(await s3Store({ ...server.bucket, url: 's3://yedek/peyk/iki' }).list('')).toEqual([]);
  await store().remove('chains/a/b.gz');
  await store().remove('chains/a/b.gz');
  expect(await store().list('')).toHaveLength(1);
});

test('a piece of full size comes whole through answers 503 and connections cut in the middle, both ways', async () => {
  const body = randomBytes(16 * 1024 * 1024);
  server.faults.push(...faults('PUT', 'busy', 'cut', 'busy'));
  await store().put('chains/part-00001', body);
  server.faults.push(...faults('GET', 'cut', 'busy', 'cut'));
  expect((await store().get('chains/part-00001'))?.equals(body)).toBe(true);
  server.faults.push(...faults('GET', 'busy'), ...faults('DELETE', 'busy'));
  expect(await store().list('chains/part')).toEqual([{ key: 'chains/part-00001', bytes: body.length }]);
  await store().remove('chains/part-00001');
  expect(server.faults).toEqual([]);
  // A server that stays busy is an error, not an empty listing.
  server.faults.push(...faults('GET', 'busy', 'busy', 'busy', 'busy'));
  await expect(store().list('')).rejects.toThrow('s3://yedek/peyk/bir: S3 returned 503');
  expect(server.faults).toEqual([]);
});

test('a wrong key or secret, a bucket that is not there and a server that is away are clear errors, never an empty listing', async () => {
  const wrong = s3Store({ ...server.bucket, secret: 'other' });
  const sentence = 's3://yedek/peyk/bir: the secret does not fit the key: check PEYK_BACKUP_S3_SECRET';
  await expect(wrong.put('a', Buffer.from('x'))).rejects.toThrow(sentence);
  await expect(wrong.get('a')).rejects.toThrow(sentence);
  await expect(wrong.list('')).rejects.toThrow(sentence);
  await expect(s3Store({ ...server.bucket, keyId: 'other' }).list('')).rejects.toThrow(
    'the access key id is not known there: check PEYK_BACKUP_S3_KEY_ID',
  );
  const nowhere = s3Store({ ...server.bucket, url: 's3://baska/peyk' });
  await expect(nowhere.list('')).rejects.toThrow('no bucket baska');
  await expect(nowhere.put('a', Buffer.from('x'))).rejects.toThrow('s3://baska');
  const away = s3Store({ ...server.bucket, endpoint: 'http://127.0.0.1:9' }, pauses);
  await expect(away.list('')).rejects.toThrow('s3://yedek');
});

// The last: from here on nothing else is listed.
test('a listing is whole and in order beyond the 1,000 names of one answer', async () => {
  const names = Array.from({ length: 2_001 }, (_, at) => `log/${String(at).padStart(5, '0')}`);
  server.pretend(names.map(name => `peyk/bir/${name}`));
  expect((await store().list('log/')).map(one => one.key)).toEqual(names);
});

function faults(method: string, ...list: FaultyBucket['faults'][number]['fault'][]): FaultyBucket['faults'] {
  return list.map(fault => ({ method, fault }));
}
