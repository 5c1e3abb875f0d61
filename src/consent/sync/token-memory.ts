// Keeps the registry's token and the count of token requests in the database. The registry allows ten requests an hour, so
// neither a crash loop nor a command run by a timer may use one at each start. The token is sealed.
import { createHash } from 'node:crypto';
import { type Db, row, run, sql } from '../../db/db.ts';
import { type SecretKey, seal, unseal } from '../../sealing/secrets.ts';
import type { TokenMemory, TokenState } from '../registry/token.ts';

type Counts = Omit<TokenState, 'held'>;

const loadSql = sql<{ state: Counts; held: Buffer | null }>('registry token load')`
  select state, held from registry_tokens where login = $1`;
// Unused logins are removed after a month.
const saveSql = sql('registry token save')`
  with old as (delete from registry_tokens where updated_at < now() - interval '30 days' and login <> $1)
  insert into registry_tokens (login, state, held) values ($1, $2, $3)
  on conflict (login) do update set state = excluded.state, held = excluded.held, updated_at = now()`;

export function createTokenMemory(db: Db, key: SecretKey, ...login: string[]): TokenMemory {
  const name = createHash('sha256').update(JSON.stringify(login)).digest('hex');
  return {
    async load() {
      const found = await row(db, loadSql, [name]);
      return found ? { ...found.state, held: found.held && open(key, found.held) } : null;
    },
    async save({ held, ...counts }) {
      const sealed = held && seal(key, JSON.stringify(held));
      await run(db, saveSql, [name, JSON.stringify(counts), sealed]);
    },
  };
}

/** Sealed with another key (a command run elsewhere): the token is useless, but the counts are valid. */
function open(key: SecretKey, sealed: Buffer): TokenState['held'] {
  try {
    return JSON.parse(unseal(key, sealed)) as TokenState['held'];
  } catch {
    return null;
  }
}
