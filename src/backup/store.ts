// Where backups are kept: objects under names like a/b/c, written whole or not at all. A folder or a bucket is behind it.

export type Stored = { key: string; bytes: number };

export type Store = {
  /** Its location, for people. */
  readonly place: string;
  /** Returns once the object is durable. Replaces an object of that name. */
  put(key: string, body: Buffer): Promise<void>;
  /** Null when there is none. */
  get(key: string): Promise<Buffer | null>;
  /** All below a prefix, in the order of their names. */
  list(prefix: string): Promise<Stored[]>;
  remove(key: string): Promise<void>;
};

/** An object differs from what was stored. */
export class Damaged extends Error {}

export async function getJson<T>(store: Store, key: string): Promise<T | null> {
  const body = await store.get(key);
  try {
    return body && (JSON.parse(body.toString('utf8')) as T);
  } catch {
    throw new Damaged(`${key} is damaged: it is no JSON`);
  }
}

export function putJson(store: Store, key: string, value: object): Promise<void> {
  return store.put(key, Buffer.from(`${JSON.stringify(value, null, 2)}\n`));
}
