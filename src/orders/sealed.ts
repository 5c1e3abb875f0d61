// Where secrets inside messages are stored.
import { sql } from '../db/db.ts';
import type { SealedColumn } from '../db/reseal.ts';

export const sealedOfOrders: SealedColumn[] = [
  {
    what: 'codes on their way',
    read: sql<{ place: string; sealed: Buffer }>('order_secrets sealed sealed')`
      select ctid::text as place, sealed as sealed from order_secrets where sealed is not null`,
    write: sql('order_secrets sealed reseal')`
      update order_secrets t set sealed = u.fresh from unnest($1::tid[], $2::bytea[], $3::bytea[]) u(place, old, fresh)
      where t.ctid = u.place and t.sealed = u.old`,
  },
];
