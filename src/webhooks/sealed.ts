// Where secrets of webhooks are stored.
import { sql } from '../db/db.ts';
import type { SealedColumn } from '../db/reseal.ts';

export const sealedOfWebhooks: SealedColumn[] = [
  {
    what: 'webhook secrets',
    read: sql<{ place: string; sealed: Buffer }>('webhook_endpoints secret sealed')`
      select ctid::text as place, secret as sealed from webhook_endpoints where secret is not null`,
    write: sql('webhook_endpoints secret reseal')`
      update webhook_endpoints t set secret = u.fresh from unnest($1::tid[], $2::bytea[], $3::bytea[]) u(place, old, fresh)
      where t.ctid = u.place and t.secret = u.old`,
  },
  {
    what: 'webhook secrets before',
    read: sql<{ place: string; sealed: Buffer }>('webhook_endpoints previous_secret sealed')`
      select ctid::text as place, previous_secret as sealed from webhook_endpoints where previous_secret is not null`,
    write: sql('webhook_endpoints previous_secret reseal')`
      update webhook_endpoints t set previous_secret = u.fresh from unnest($1::tid[], $2::bytea[], $3::bytea[]) u(place, old, fresh)
      where t.ctid = u.place and t.previous_secret = u.old`,
  },
];
