// Backups in a bucket of an S3-compatible service: small objects by their whole path, put, got, listed and removed. An object is there
// when its upload was answered, and never half.
import { S3mini } from 's3mini';
import type { Store } from './store.ts';

export type Bucket = { url: string; endpoint: string; region: string; keyId: string; secret: string };

// For 16 MB at most: a line of 1 Mbit/s takes two minutes.
const answerMaxMs = 5 * 60_000;

/** `url`: s3://bucket/prefix */
export function s3Store({ url, endpoint, region, keyId, secret }: Bucket): Store {
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
  return {
    place: url,
    async put(key, body) {
      await told(url, client.putObject(`${prefix}${key}`, body));
    },
    async get(key) {
      const body = await told(url, client.getObjectArrayBuffer(`${prefix}${key}`));
      return body && Buffer.from(body);
    },
    async list(below) {
      const found = await told(url, client.listObjects('/', `${prefix}${below}`));
      if (!found) throw new Error(`there is no bucket ${bucket} at ${endpoint}`);
      return found
        .map(one => ({ key: one.Key.slice(prefix.length), bytes: Number(one.Size) }))
        .sort((a, b) => (a.key < b.key ? -1 : 1));
    },
    async remove(key) {
      await told(url, client.deleteObject(`${prefix}${key}`));
    },
  };
}

/** A lost connection is told by fetch as "fetch failed", with the reason inside. */
async function told<T>(url: string, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const { message, cause } = error as Error;
    const inner = cause instanceof Error ? ` (${cause.message || (cause as NodeJS.ErrnoException).code})` : '';
    throw new Error(`${url}: ${message}${inner}`, { cause: error });
  }
}
