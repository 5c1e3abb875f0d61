// Where secrets of carriers are stored.
import { sql } from '../../db/db.ts';
import type { SealedColumn } from '../../db/reseal.ts';

export const sealedOfCarriers: SealedColumn[] = [
  {
    what: 'passwords of carriers',
    read: sql<{ place: string; sealed: Buffer }>('carriers password sealed')`
      select ctid::text as place, password as sealed from carriers where password is not null`,
    write: sql('carriers password reseal')`
      update carriers t set password = u.fresh from unnest($1::tid[], $2::bytea[], $3::bytea[]) u(place, old, fresh)
      where t.ctid = u.place and t.password = u.old`,
  },
  {
    what: 'credentials of HTTP carriers',
    read: sql<{ place: string; sealed: Buffer }>('carriers secrets sealed')`
      select ctid::text as place, secrets as sealed from carriers where secrets is not null`,
    write: sql('carriers secrets reseal')`
      update carriers t set secrets = u.fresh from unnest($1::tid[], $2::bytea[], $3::bytea[]) u(place, old, fresh)
      where t.ctid = u.place and t.secrets = u.old`,
  },
];
