// The messages of a large order as rows for COPY: the same values that store_recipients_1 writes for a small one.
import { BinaryRows } from '../db/copy-in.ts';
import type { AcceptRequest } from './accept-request.ts';

export const messagesTarget =
  'messages (id, account_id, order_id, number, text_no, credits, status, reason, final_at, given)';

/** What accept_order_2 decided: 0 in `blocked` may be written to, anything else is the reason why not; null = all may. */
export type Decided = { orderId: number; firstId: number; blocked: number[] | null };

const columns = 10;
// Ten lengths, four bigints, an integer, three smallints, a timestamp.
const plainBytes = 2 + columns * 4 + 4 * 8 + 4 + 3 * 2 + 8;

export function messageRows(request: AcceptRequest, decided: Decided): Buffer {
  const { recipients } = request;
  const alike = !decided.blocked && !recipients.textNos && recipients.badAt.length === 0;
  return alike ? rowsAlike(request, decided) : rowsOneByOne(request, decided);
}

/** Rows that differ in id and number only: one is written, repeated and filled in; 5 ms for 50,000 instead of 30. */
function rowsAlike(request: AcceptRequest, decided: Decided): Buffer {
  const { numbers } = request.recipients;
  const rows = new BinaryRows(plainBytes);
  const place = addRow(rows, request, decided, 0, undefined);
  const all = rows.repeated(place, numbers.length);
  const view = new DataView(all.buffer, all.byteOffset);
  const length = place.to - place.from;
  // Behind the count of columns and the length of the first: the id; behind three bigints more: the number.
  for (let i = 0, at = place.from + 6; i < numbers.length; i++, at += length) {
    setBigint(view, at, decided.firstId + i);
    setBigint(view, at + 36, numbers[i]!);
  }
  return all;
}

function setBigint(view: DataView, at: number, value: number): void {
  view.setUint32(at, value / 2 ** 32);
  view.setUint32(at + 4, value % 2 ** 32);
}

function rowsOneByOne(request: AcceptRequest, decided: Decided): Buffer {
  const { numbers, badAt, badTexts } = request.recipients;
  const given = new Map(badAt.map((at, i) => [at - 1, badTexts[i]!]));
  const rows = new BinaryRows(numbers.length * plainBytes);
  for (let i = 0; i < numbers.length; i++) addRow(rows, request, decided, i, given.get(i));
  return rows.end();
}

function addRow(
  rows: BinaryRows,
  { accountId, recipients, texts, submitAt }: AcceptRequest,
  { orderId, firstId, blocked }: Decided,
  i: number,
  given: string | undefined,
): { from: number; to: number } {
  const number = recipients.numbers[i]!;
  const reason = blocked?.[i] ?? 0;
  const textNo = recipients.textNos?.[i] ?? 1;
  const from = rows.row(columns, plainBytes + (given?.length ?? 0) * 3);
  rows.bigint(firstId + i);
  rows.bigint(accountId);
  rows.bigint(orderId);
  if (number > 0) rows.bigint(number);
  else rows.nothing();
  rows.integer(textNo);
  rows.smallint(reason === 0 ? texts[textNo - 1]!.parts : 0);
  rows.smallint(reason === 0 ? 110 : 112);
  rows.smallint(reason);
  if (reason === 0) rows.nothing();
  else rows.timestamp(submitAt);
  if (given === undefined) rows.nothing();
  else rows.text(given);
  return { from, to: rows.length };
}
