// Where the token of the registry is stored.
import { sql } from '../../db/db.ts';
import type { SealedColumn } from '../../db/reseal.ts';

export const sealedOfRegistry: SealedColumn[] = [
  {
    what: 'tokens of the registry',
    read: sql<{ place: string; sealed: Buffer }>('registry_tokens held sealed')`
      select ctid::text as place, held as sealed from registry_tokens where held is not null`,
    write: sql('registry_tokens held reseal')`
      update registry_tokens t set held = u.fresh from unnest($1::tid[], $2::bytea[], $3::bytea[]) u(place, old, fresh)
      where t.ctid = u.place and t.held = u.old`,
  },
];
