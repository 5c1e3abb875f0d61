// The messages of a large order as rows for COPY: the same values that accept_order_1 writes for a small one.
import { BinaryRows } from '../db/copy-in.ts';
import type { AcceptRequest } from './accept-queue.ts';

export const messagesTarget =
  'messages (id, account_id, order_id, number, text_no, credits, status, reason, final_at, given)';

/** What accept_order_1 decided: 0 in `blocked` may be written to, anything else is the reason why not; null = all may. */
export type Decided = { orderId: number; firstId: number; blocked: number[] | null };

const columns = 10;
// Ten lengths, four bigints, an integer, three smallints, a timestamp.
const plainBytes = 2 + columns * 4 + 4 * 8 + 4 + 3 * 2 + 8;

export function messageRows(request: AcceptRequest, { orderId, firstId, blocked }: Decided): Buffer {
  const { accountId, recipients, texts, submitAt } = request;
  const { numbers, textNos } = recipients;
  const given = new Map(recipients.badAt.map((at, i) => [at - 1, recipients.badTexts[i]!]));
  const rows = new BinaryRows(numbers.length * plainBytes + 64);
  for (let i = 0; i < numbers.length; i++) {
    const reason = blocked?.[i] ?? 0;
    const textNo = textNos?.[i] ?? 1;
    const bad = given.get(i);
    rows.row(columns, plainBytes + (bad === undefined ? 0 : bad.length * 3));
    rows.bigint(firstId + i);
    rows.bigint(accountId);
    rows.bigint(orderId);
    if (numbers[i]! > 0) rows.bigint(numbers[i]!);
    else rows.nothing();
    rows.integer(textNo);
    rows.smallint(reason === 0 ? texts[textNo - 1]!.parts : 0);
    rows.smallint(reason === 0 ? 110 : 112);
    rows.smallint(reason);
    if (reason === 0) rows.nothing();
    else rows.timestamp(submitAt);
    if (bad === undefined) rows.nothing();
    else rows.text(bad);
  }
  return rows.end();
}
