// A bucket of a server of others' making that checks signatures.
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { type Bucket, s3Store } from './s3-store.ts';

type Context = { path: string; mountPath?: string; state: { vhost?: boolean } };
type S3Server = {
  middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[];
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
};
type S3ServerClass = new (options: object) => S3Server;
// It has no types.
const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as S3ServerClass;

let server: S3Server;
let bucket: Bucket;
beforeAll(async () => {
  const options = { address: '127.0.0.1', port: 0, silent: true, directory: temporaryFolder() };
  server = new S3rver({ ...options, configureBuckets: [{ name: 'yedek', configs: [] }] });
  // It forgets the slash that ends the path of a list when it computes the signature, which S3 does not; this brings it back.
  server.middleware.splice(-1, 0, (context, next) => {
    if (/^\/[^/]+\/$/.test(context.path)) Object.assign(context, { mountPath: '/' }).state.vhost = true;
    return next();
  });
  const { port } = await server.run();
  const keys = { keyId: 'S3RVER', secret: 'S3RVER' };
  bucket = { url: 's3://yedek/peyk/bir', endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', ...keys };
});
afterAll(() => server.close());

test('what is put into a bucket is there under its name below the prefix, and goes when removed', async () => {
  const store = s3Store(bucket);
  expect(await store.list('')).toEqual([]);
  expect(await store.get('chains/a/b.gz')).toBeNull();
  const body = Buffer.alloc(300_000, 'yedek');
  await store.put('chains/a/b.gz', Buffer.from('first'));
  await store.put('chains/a/b.gz', body);
  await store.put('chains/c.json', Buffer.from('{}'));
  expect((await store.get('chains/a/b.gz'))?.equals(body)).toBe(true);
  expect(await store.list('chains/')).toEqual([
    { key: 'chains/a/b.gz', bytes: 300_000 },
    { key: 'chains/c.json', bytes: 2 },
  ]);
  // Whoever shares the bucket under another prefix is not seen.
  expect(await s3Store({ ...bucket, url: 's3://yedek/peyk/iki' }).list('')).toEqual([]);
  await store.remove('chains/a/b.gz');
  await store.remove('chains/a/b.gz');
  expect(await store.list('')).toHaveLength(1);
});

test('a wrong secret, a bucket that is not there and a server that is away are errors, never emptiness', async () => {
  const wrong = s3Store({ ...bucket, secret: 'other' });
  await expect(wrong.put('a', Buffer.from('x'))).rejects.toThrow('s3://yedek/peyk/bir: ');
  await expect(wrong.get('a')).rejects.toThrow('s3://yedek');
  await expect(wrong.list('')).rejects.toThrow('s3://yedek');
  const nowhere = s3Store({ ...bucket, url: 's3://baska/peyk' });
  await expect(nowhere.list('')).rejects.toThrow('no bucket baska');
  await expect(nowhere.put('a', Buffer.from('x'))).rejects.toThrow('s3://baska');
  const away = s3Store({ ...bucket, endpoint: 'http://127.0.0.1:9' });
  await expect(away.list('')).rejects.toThrow('s3://yedek');
});
