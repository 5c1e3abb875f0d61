// Texts with a secret in them (codes of the platform's own messages): the order holds `******` in its place, so neither
// panel nor reports nor the database show it. The secret lies sealed beside the order until the message leaves.

import { type Queryable, row, run, sql } from '../db/db.ts';
import { type SecretKey, seal, unseal } from '../sealing/secrets.ts';
import { now } from '../time/clock.ts';

/** As long as the secrets it stands for, so that parts and price are theirs. */
export const secretMark = '******';

const keepSql = sql('order secret keep')`
  insert into order_secrets (account_id, key, sealed, created_at) values ($1, $2, $3, $4)`;

/** Before the order: a dispatcher may have it a millisecond after it is stored. */
export async function keepSecret(
  db: Queryable,
  sealKey: SecretKey,
  accountId: number,
  idempotencyKey: string,
  secret: string,
): Promise<void> {
  if (secret.length !== secretMark.length) throw new Error(`a secret has ${secretMark.length} characters`);
  await run(db, keepSql, [accountId, idempotencyKey, seal(sealKey, secret), now()]);
}

const findSql = sql<{ sealed: Buffer }>('order secret find')`
  select s.sealed from order_secrets s join idempotency_keys k on k.account_id = s.account_id and k.key = s.key
  where s.account_id = $1 and k.order_id = $2`;

/** The text as it is to be sent. Customers may write asterisks of their own: an order without a secret keeps them. */
export async function revealSecret(
  db: Queryable,
  sealKey: SecretKey,
  order: { accountId: number; orderId: number },
  text: string,
): Promise<string> {
  if (!text.includes(secretMark)) return text;
  const found = await row(db, findSql, [order.accountId, order.orderId]);
  return found ? text.replace(secretMark, unseal(sealKey, found.sealed)) : text;
}
