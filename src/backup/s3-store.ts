// Backups in a bucket of an S3-compatible service: small objects that are put, read, listed and removed by their whole path. An
// object exists once its upload was answered, and is never partial.
import { S3mini } from 's3mini';
import { asked } from './s3-asked.ts';
import type { Store } from './store.ts';

export type Bucket = { url: string; endpoint: string; region: string; keyId: string; secret: string };

// Objects have 16 MB at most, which take two minutes at 1 Mbit/s.
const answerMaxMs = 5 * 60_000;

/** `url`: s3://bucket/prefix. `pauses`: before each further try of what the service or the network failed to do. */
export function s3Store({ url, endpoint, region, keyId, secret }: Bucket, pauses?: readonly number[]): Store {
  const [bucket = '', ...rest] = url.slice('s3://'.length).split('/');
  const prefix = rest
    .filter(Boolean)
    .map(one => `${one}/`)
    .join('');
  const client = new S3mini({
    accessKeyId: keyId,
    secretAccessKey: secret,
    endpoint: `${endpoint.replace(/\/$/, '')}/${bucket}`,
    region,
    requestAbortTimeout: answerMaxMs,
  });
  // Each request may be repeated: an object is written whole, and removing a missing one succeeds.
  const ask = <T>(request: () => Promise<T>) => asked(url, request, pauses);
  return {
    place: url,
    async put(key, body) {
      await ask(() => client.putObject(`${prefix}${key}`, body));
    },
    async get(key) {
      const body = await ask(() => client.getObjectArrayBuffer(`${prefix}${key}`));
      return body && Buffer.from(body);
    },
    async list(below) {
      const found = await ask(() => client.listObjects('/', `${prefix}${below}`));
      if (!found) throw new Error(`there is no bucket ${bucket} at ${endpoint}`);
      return found
        .map(one => ({ key: one.Key.slice(prefix.length), bytes: Number(one.Size) }))
        .sort((a, b) => (a.key < b.key ? -1 : 1));
    },
    async remove(key) {
      await ask(() => client.deleteObject(`${prefix}${key}`));
    },
  };
}
