// Secrets in texts (codes of the platform's own messages): the order holds `******` in their place, so neither panel nor reports
// nor the database show them. The secret is stored sealed until the message is sent.

import { type Queryable, row, run, sql } from '../db/db.ts';
import { type SecretKey, seal, unseal } from '../sealing/secrets.ts';
import { now } from '../time/clock.ts';

/** About as long as a secret: the texts with it are short, so parts and price are the same. */
export const secretMark = '******';
const secretLengthMax = 8;

const keepSql = sql('order secret keep')`
  insert into order_secrets (account_id, key, sealed, created_at) values ($1, $2, $3, $4)`;

/** Called before the order is stored: a dispatcher may lease it a millisecond later. */
export async function keepSecret(
  db: Queryable,
  sealKey: SecretKey,
  accountId: number,
  idempotencyKey: string,
  secret: string,
): Promise<void> {
  if (secret.length < secretMark.length || secret.length > secretLengthMax)
    throw new Error(`a secret has ${secretMark.length} to ${secretLengthMax} characters`);
  await run(db, keepSql, [accountId, idempotencyKey, seal(sealKey, secret), now()]);
}

const findSql = sql<{ sealed: Buffer }>('order secret find')`
  select s.sealed from order_secrets s join idempotency_keys k on k.account_id = s.account_id and k.key = s.key
  where s.account_id = $1 and k.order_id = $2`;

/** The text to send. An order without a secret keeps asterisks that the customer wrote. */
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
