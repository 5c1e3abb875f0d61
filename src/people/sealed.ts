// Where secrets of people are stored.
import { sql } from '../db/db.ts';
import type { SealedColumn } from '../db/reseal.ts';

export const sealedOfPeople: SealedColumn[] = [
  {
    what: 'second factors',
    read: sql<{ place: string; sealed: Buffer }>('users totp_secret sealed')`
      select ctid::text as place, totp_secret as sealed from users where totp_secret is not null`,
    write: sql('users totp_secret reseal')`
      update users t set totp_secret = u.fresh from unnest($1::tid[], $2::bytea[], $3::bytea[]) u(place, old, fresh)
      where t.ctid = u.place and t.totp_secret = u.old`,
  },
  {
    what: 'second factors being set up',
    read: sql<{ place: string; sealed: Buffer }>('users totp_pending sealed')`
      select ctid::text as place, totp_pending as sealed from users where totp_pending is not null`,
    write: sql('users totp_pending reseal')`
      update users t set totp_pending = u.fresh from unnest($1::tid[], $2::bytea[], $3::bytea[]) u(place, old, fresh)
      where t.ctid = u.place and t.totp_pending = u.old`,
  },
];
