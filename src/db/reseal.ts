// Seals stored secrets of older keys with the first key, while the program runs: a value is replaced only if it is unchanged since it was
// read, and readers open it with either key.
import { isSealedWith, type SecretKey, seal, unseal } from '../sealing/secrets.ts';
import { type Db, rows, run, type Sql } from './db.ts';

type SealedColumn = { what: string; table: string; column: string };

/** Every column with sealed secrets. Their owners write them; here only the seal changes. */
export const sealedColumns: SealedColumn[] = [
  { what: 'passwords of carriers', table: 'carriers', column: 'password' },
  { what: 'credentials of HTTP carriers', table: 'carriers', column: 'secrets' },
  { what: 'webhook secrets', table: 'webhook_endpoints', column: 'secret' },
  { what: 'webhook secrets before', table: 'webhook_endpoints', column: 'previous_secret' },
  { what: 'second factors', table: 'users', column: 'totp_secret' },
  { what: 'second factors being set up', table: 'users', column: 'totp_pending' },
  { what: 'codes on their way', table: 'order_secrets', column: 'sealed' },
  { what: 'tokens of the registry', table: 'registry_tokens', column: 'held' },
  { what: 'addresses of cells', table: 'cells', column: 'address' },
];

/** `older`: values that are still sealed with an older key, which must be kept for them. */
export type Resealed = { what: string; resealed: number; already: number; older?: number; lost: number };

const batch = 500;

export async function reseal(db: Db, key: SecretKey, { what, table, column }: SealedColumn): Promise<Resealed> {
  const read: Sql<{ sealed: Buffer }> = {
    name: `${table} ${column} sealed`,
    text: `select ${column} as sealed from ${table} where ${column} is not null`,
  };
  const write: Sql<never> = {
    name: `${table} ${column} reseal`,
    text: `update ${table} t set ${column} = u.fresh from unnest($1::bytea[], $2::bytea[]) u(old, fresh)
      where t.${column} = u.old`,
  };
  const all = await rows(db, read);
  const foreign = all.filter(one => !isSealedWith(key, one.sealed));
  const known = foreign.filter(one => (key.older ?? []).some(old => isSealedWith(old, one.sealed)));
  for (let at = 0; at < known.length; at += batch) {
    const part = known.slice(at, at + batch);
    const fresh = part.map(one => seal(key, unseal(key, one.sealed)));
    await run(db, write, [part.map(one => one.sealed), fresh]);
  }
  return {
    what,
    resealed: known.length,
    already: all.length - foreign.length,
    lost: foreign.length - known.length,
  };
}
