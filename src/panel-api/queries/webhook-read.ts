// What the panel shows of webhooks beyond webhooks/endpoints.ts: whether there is a secret, one delivery by its id.
import { type Queryable, row, sql } from '../../db/db.ts';
import type { Failure } from '../../webhooks/failures.ts';

const secretSql = sql<{ hasSecret: boolean }>('panel webhook secret')`
  select secret is not null as "hasSecret" from webhook_endpoints where account_id = $1`;

export async function hasWebhookSecret(db: Queryable, accountId: number): Promise<boolean> {
  return (await row(db, secretSql, [accountId]))?.hasSecret ?? false;
}

export type DeliveryRow = {
  id: string;
  kind: 'accepted' | 'final' | 'inbound' | 'test';
  event: string;
  orderId: number | null;
  state: 'pending' | 'delivered' | 'given-up';
  events: number;
  attempts: number;
  body: string | null;
  createdAt: Date;
  lastAt: Date | null;
  nextAt: Date | null;
  timestamp: number | null;
  signature: string | null;
  answerStatus: number | null;
  answerBody: string | null;
  answerMs: number | null;
  error: Failure | null;
};
const oneSql = sql<DeliveryRow>('panel webhook delivery')`
  select outbox_id || '-' || subject_id as id, kind, event, order_id as "orderId", state, events, attempts, body,
    created_at as "createdAt", last_at as "lastAt",
    case when state = 'pending' and next_at < 'infinity' then next_at end as "nextAt", signed_at as timestamp, signature,
    answer_status as "answerStatus", answer_body as "answerBody", answer_ms as "answerMs", error
  from webhook_deliveries where account_id = $1 and outbox_id = $2 and subject_id = $3`;

export async function deliveryRow(db: Queryable, accountId: number, id: string): Promise<DeliveryRow | undefined> {
  const [, outboxId, subjectId] = /^(\d{1,18})-(\d{1,18})$/.exec(id) ?? [];
  return outboxId === undefined ? undefined : row(db, oneSql, [accountId, outboxId, subjectId]);
}
