// Uncertain outcomes side by side: messages whose answer was lost, and receipts that match no message. Newest first.
import { rows, sql } from '../../db/db.ts';
import { listEverywhere } from '../call/cells.ts';
import type { Handlers } from '../call/context.ts';
import { iso } from '../contract/input.ts';

const most = 100;
const lastTen = 10_000_000_000;

type Doubt = {
  messageId: number;
  orderId: number | null;
  accountId: number;
  number: number;
  carrier: string | null;
  writtenAt: Date;
  decideAt: Date | null;
  status: number | null;
};
const doubtsSql = sql<Doubt>('staff doubts')`
  select u.message_id as "messageId", m.order_id as "orderId", u.account_id as "accountId", u.number, c.name as carrier,
    u.written_at as "writtenAt", u.decide_at as "decideAt", m.status
  from (select * from unsure order by written_at desc limit $1) u left join carriers c on c.id = u.carrier_id
  left join messages m on m.id = u.message_id and m.account_id = u.account_id order by u.written_at desc`;

type Unmatched = {
  id: number;
  carrier: string | null;
  smscId: string;
  status: number;
  number: number | null;
  receivedAt: Date;
  mismatch: boolean;
};
const receiptsSql = sql<Unmatched>('staff unmatched')`
  select r.id, c.name as carrier, r.smsc_id as "smscId", r.status, r.number, r.received_at as "receivedAt", r.mismatch
  from (select * from receipts order by id desc limit $1) r left join carriers c on c.id = r.carrier_id order by r.id desc`;

export const staffDoubtHandlers = {
  async 'staff.doubts'(call) {
    const doubts = await listEverywhere(call, db => rows(db, doubtsSql, [most]));
    const receipts = await listEverywhere(call, db => rows(db, receiptsSql, [most]));
    const inDoubt = new Set(doubts.map(one => one.number % lastTen));
    const unmatched = new Set(receipts.flatMap(one => (one.number ? [one.number % lastTen] : [])));
    return {
      doubts: doubts.slice(0, most).map(one => ({
        ...one,
        isTest: one.messageId < 0,
        number: `+${one.number}`,
        writtenAt: iso(one.writtenAt)!,
        decideAt: iso(one.decideAt),
        hasReceipt: unmatched.has(one.number % lastTen),
      })),
      receipts: receipts.slice(0, most).map(one => ({
        ...one,
        number: one.number ? `+${one.number}` : null,
        receivedAt: iso(one.receivedAt)!,
        hasDoubt: one.number !== null && inDoubt.has(one.number % lastTen),
      })),
    };
  },
} satisfies Partial<Handlers>;
