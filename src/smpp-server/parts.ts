// Long messages that customers submit in parts: each part is stored before it is answered, and the process that stores the last
// one joins them into one order. The fingerprint of that order names the group, so that joining it twice, after a process died in
// between, finds the first order.

import type { RecipientType } from '../consent/record.ts';
import { batched } from '../db/coalesce.ts';
import { type Db, row, rows, run, runOf, sql } from '../db/db.ts';
import type { Log } from '../log.ts';
import { openText, sealTextAlike, Unreadable } from '../sealing/content.ts';
import type { Origin, Submit } from './read-submit.ts';
import { partReasons } from './statuses.ts';

type StoredPart = { id: number; groupId: number; complete: boolean };
/** `list` and `at` (ms): consent list and time of sending that the part asked for. */
type PartOrigin = Origin & { list?: RecipientType | null | 'unclear'; at?: number };
export type WholeMessage = {
  groupId: number;
  userId: number;
  sender: string;
  recipient: string;
  text: string;
  sendAt: Date | null;
  list: Submit['list'];
  origin: Origin & { ids?: number[] };
};

const groupMinutes = 10;
const keptHours = 72;

const storeSql = sql<StoredPart>('smpp parts store')`
  select id, group_id as "groupId", complete from smpp_store_parts($1, $2, $3, $4, $5, $6, $7, $8::jsonb[])`;
const wholeSql = sql<{
  userId: number;
  sender: string;
  recipient: string;
  id: number;
  text: string;
  origin: PartOrigin;
}>('smpp parts of group')`
  select g.user_id as "userId", g.sender, g.recipient, p.id, p.text, p.origin
  from smpp_groups g join smpp_parts p on p.group_id = g.id where g.id = $1 and g.state = 1 order by p.no`;
export const noteJoined = runOf<[groupId: number, orderId: number]>('smpp group joined')`
  update smpp_groups set state = 2, order_id = $2, changed_at = now() where id = $1 and state = 1`;
const failSql = sql('smpp group fail')`select smpp_fail_group($1, $2::smallint, $3)`;
const overdueSql = sql<{ id: number }>('smpp groups overdue')`
  select smpp_fail_group(g.id, $2::smallint, null), g.id from (
    select id from smpp_groups where state = 0 and changed_at < now() - $1 * interval '1 minute'
    order by changed_at limit 200 for update skip locked) g`;
const waitingSql = sql<{ id: number }>('smpp groups waiting')`
  select id from smpp_groups where state = 1 and changed_at < now() - interval '30 seconds'
  order by changed_at limit 100`;
const forgetSql = sql('smpp groups forget')`
  with old as (delete from smpp_groups where id in (select id from smpp_groups
    where created_at < now() - $1 * interval '1 hour' order by created_at limit 2000) returning id)
  delete from smpp_parts where group_id in (select id from old)`;

/** Stores parts in batches. */
export function partsOf(db: Db): (part: Submit) => Promise<StoredPart> {
  return batched(parts => rows(db, storeSql, columnsOf(parts)), { itemsMax: 200, atOnce: 1 });
}

/** Null if the group was joined or refused meanwhile, or if a part cannot be read and the group is refused now. */
export async function wholeMessage(db: Db, groupId: number): Promise<WholeMessage | null> {
  const parts = await rows(db, wholeSql, [groupId]);
  const [first] = parts;
  if (!first) return null;
  const text = textOf(parts);
  if (text === null) {
    await noteRefused(db, groupId, null);
    return null;
  }
  const reported = parts.filter(one => one.origin.r > 0);
  const { userId, sender, recipient } = first;
  const { list, at, ...own } = first.origin;
  // A receipt for each part that asked for one.
  const origin = { ...own, r: reported[0]?.origin.r ?? 0, ids: reported.map(one => one.id) };
  return { groupId, userId, sender, recipient, text, sendAt: at === undefined ? null : new Date(at), list, origin };
}

/** The whole message was refused: parts that were answered with success get a receipt that says so. */
export async function noteRefused(db: Db, groupId: number, lastPart: number | null): Promise<void> {
  await row(db, failSql, [groupId, partReasons.refused, lastPart]);
}

/** Ends messages with a part missing for ten minutes; returns groups that are complete and were not joined. */
export async function sweepParts(db: Db, log: Log): Promise<number[]> {
  const ended = await rows(db, overdueSql, [groupMinutes, partReasons.incomplete]);
  if (ended.length > 0) log.info({ messages: ended.length }, 'SMPP: messages whose parts did not all come');
  await run(db, forgetSql, [keptHours]);
  return (await rows(db, waitingSql)).map(one => one.id);
}

function textOf(parts: { text: string }[]): string | null {
  try {
    return parts.map(one => JSON.parse(openText(one.text)) as string).join('');
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

function columnsOf(parts: Submit[]): unknown[] {
  return [
    parts.map(one => one.origin.u),
    parts.map(one => one.sender),
    parts.map(one => one.recipients[0]),
    parts.map(one => one.concat!.reference),
    parts.map(one => one.concat!.total),
    parts.map(one => one.concat!.sequence),
    // As JSON, because a text may be cut between the halves of an emoji, which a database cannot store as text. A repeated part
    // is sealed to the same value, by which it is recognised.
    parts.map(one => sealTextAlike(JSON.stringify(one.text), placeOf(one))),
    parts.map(one => JSON.stringify(originOf(one))),
  ];
}

function placeOf({ origin, sender, recipients, concat }: Submit): string {
  const { reference, total, sequence } = concat!;
  return [origin.u, sender, recipients[0], reference, total, sequence].join('\n');
}

function originOf({ origin, list, sendAt }: Submit): PartOrigin {
  return {
    ...origin,
    ...(list === undefined ? {} : { list }),
    ...(sendAt instanceof Date ? { at: sendAt.getTime() } : {}),
  };
}
