// An S3 bucket of an independent server that checks signatures and fails on request: busy, or with connections cut while data
// are sent or answered.
import type { createCipheriv } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { afterAll } from 'vitest';
import type { Bucket } from '../../../src/backup/s3-store.ts';
import { temporaryFolder } from '../run/temporary-folder.ts';

type Context = {
  method: string;
  path: string;
  mountPath?: string;
  status: number;
  body: unknown;
  respond?: boolean;
  req: IncomingMessage;
  res: ServerResponse;
  state: { vhost?: boolean };
};
type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>;
type Listed = { key: string; lastModifiedDate: Date; metadata: { etag: string }; size: number };
type ListOptions = { startAfter?: string; maxKeys: number };
type Listing = { objects: Listed[]; commonPrefixes: string[]; isTruncated: boolean };
type S3Server = {
  middleware: Middleware[];
  store: {
    listObjects(bucket: string, options: ListOptions): Promise<Listing>;
    deleteObject(bucket: string, key: string): Promise<void>;
    getResourcePath(bucket: string, key: string, kind: string): string;
  };
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
};
type S3ServerClass = new (options: object) => S3Server;

/** What happens to a request instead of an answer. */
type Fault = 'busy' | 'cut';
export type FaultyBucket = {
  bucket: Bucket;
  /** Its lists also contain these names, because that many real files would take seconds. */
  pretend(names: string[]): void;
  /** The next faults, in order; one that does not fit a request waits for one that does. */
  faults: { method: string; fault: Fault }[];
};

const require = createRequire(import.meta.url);
const name = 'yedek';
const cutAfterBytes = 100_000;

/** Lives as long as the test file. */
export async function startBucket(): Promise<FaultyBucket> {
  // It has no types, and is slow to load.
  const S3rver = require('@20minutes/s3rver') as S3ServerClass;
  bringDesBack();
  const options = { address: '127.0.0.1', port: 0, silent: true, directory: temporaryFolder() };
  const server = new S3rver({ ...options, configureBuckets: [{ name, configs: [] }] });
  keepFolders(server.store);
  const faults: FaultyBucket['faults'] = [];
  server.middleware.splice(-1, 0, slashKept, (context, next) => {
    const at = faults.findIndex(one => one.method === context.method);
    return at < 0 ? next() : fail[faults.splice(at, 1)[0]!.fault](context, next);
  });
  const { port } = await server.run();
  afterAll(() => server.close());
  const keys = { keyId: 'S3RVER', secret: 'S3RVER' };
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    bucket: { url: `s3://${name}/peyk/bir`, endpoint, region: 'us-east-1', ...keys },
    pretend(names) {
      server.store.listObjects = async (_, options) => page(names, options);
    },
    faults,
  };
}

/**
 * With the last file of a folder the server removes the folder, a moment after it found it empty: a file stored meanwhile is
 * lost, which S3 never does. It would lose a log piece, because the first piece is deleted while the second arrives.
 */
function keepFolders(store: S3Server['store']): void {
  const kinds = ['object', 'object.md5', 'metadata.json'];
  store.deleteObject = async (bucket, key) => {
    await Promise.all(kinds.map(kind => rm(store.getResourcePath(bucket, key, kind), { force: true })));
  };
}

/**
 * The server forgets the slash that ends the path of a list when it computes the signature, which S3 does not; this restores
 * it.
 */
const slashKept: Middleware = (context, next) => {
  if (/^\/[^/]+\/$/.test(context.path)) Object.assign(context, { mountPath: '/' }).state.vhost = true;
  return next();
};

/** Its list tokens use a cipher that OpenSSL 3 no longer has; three rounds with one key give the same result. */
function bringDesBack(): void {
  const crypto = require('node:crypto') as Record<string, typeof createCipheriv>;
  for (const made of ['createCipheriv', 'createDecipheriv']) {
    const make = crypto[made]!;
    crypto[made] = ((kind: string, key: Buffer, iv: Buffer, ...rest: []) =>
      kind === 'des'
        ? make('des-ede3-cbc', Buffer.concat([key, key, key]), iv)
        : make(kind, key, iv, ...rest)) as typeof make;
  }
}

function page(names: string[], { startAfter = '', maxKeys }: ListOptions): Listing {
  const left = names.filter(key => key > startAfter);
  const facts = { lastModifiedDate: new Date(), metadata: { etag: '"x"' }, size: 1 };
  const objects = left.slice(0, maxKeys).map(key => ({ key, ...facts }));
  return { objects, commonPrefixes: [], isTruncated: left.length > maxKeys };
}

const fail: Record<Fault, Middleware> = {
  async busy(context) {
    context.req.resume();
    context.status = 503;
    context.body = '<Error><Code>SlowDown</Code></Error>';
  },
  async cut(context, next) {
    context.respond = false;
    if (context.method === 'PUT') return cutUpload(context.req);
    await next();
    context.res.writeHead(200, { 'content-length': cutAfterBytes * 2 });
    context.res.write(Buffer.alloc(cutAfterBytes), () => context.req.socket.destroy());
  },
};

async function cutUpload(request: IncomingMessage): Promise<void> {
  let bytes = 0;
  for await (const piece of request) {
    bytes += (piece as Buffer).length;
    if (bytes >= cutAfterBytes) break;
  }
  request.socket.destroy();
}
