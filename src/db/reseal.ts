// Seals stored secrets anew with the first key, wherever another one sealed them. While everything runs: a value is replaced only
// if it is still the one that was read, and whoever reads it opens it with either key. Each owner says where its sealed values are.
import { isSealedWith, type SecretKey, seal, unseal } from '../secrets.ts';
import { type Db, rows, run, type Sql } from './db.ts';

/** `read`: place (ctid as text) and value of each; `write` ($1 places, $2 old values, $3 new ones) replaces those that are unchanged. */
export type SealedColumn = {
  what: string;
  read: Sql<{ place: string; sealed: Buffer }>;
  write: Sql<never>;
};

export type Resealed = { what: string; resealed: number; already: number; lost: number };

const batch = 500;

export async function reseal(db: Db, key: SecretKey, { what, read, write }: SealedColumn): Promise<Resealed> {
  const all = await rows(db, read);
  const foreign = all.filter(one => !isSealedWith(key, one.sealed));
  const known = foreign.filter(one => (key.older ?? []).some(old => isSealedWith(old, one.sealed)));
  for (let at = 0; at < known.length; at += batch) {
    const part = known.slice(at, at + batch);
    const fresh = part.map(one => seal(key, unseal(key, one.sealed)));
    await run(db, write, [part.map(one => one.place), part.map(one => one.sealed), fresh]);
  }
  return {
    what,
    resealed: known.length,
    already: all.length - foreign.length,
    lost: foreign.length - known.length,
  };
}
