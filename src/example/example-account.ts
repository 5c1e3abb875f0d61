// Creates the example account: a shop with a month of history, so that a newcomer sees the product with data without spending
// the demo account's credit. It uses the program's own functions (accept, settle, inbound, consent), one order at a time, after
// the program is ready. Dates are moved into the past afterwards, in the same transaction where money is concerned. Nothing is
// ever dispatched: an order is accepted and settled in one transaction, so that no dispatcher sees its chunks. Its owner gets
// access last, so that nobody sees half a month.

import { acceptOrders } from '../accept/accept.ts';
import { AcceptQueue } from '../accept/accept-queue.ts';
import { type Account, findAccount } from '../accounts/account.ts';
import { newCredentials } from '../accounts/credentials.ts';
import { openIn } from '../accounts/open.ts';
import { grantCredit } from '../balance/ledger.ts';
import { addManyToBlacklist } from '../blacklist/bulk.ts';
import { addBrand } from '../consent/brands.ts';
import { registerConsents } from '../consent/register.ts';
import { arrayLiteral, type Db, type Queryable, row, rows, run, sql, type Tx, transaction } from '../db/db.ts';
import { addInboundNumber } from '../inbound/numbers.ts';
import { receiveInbound } from '../inbound/receive.ts';
import { addMember } from '../people/memberships.ts';
import { decideSender } from '../senders/senders.ts';
import { settleMessages } from '../settle/settle.ts';
import {
  blockedCustomers,
  consentingCustomers,
  endingOf,
  type PlannedOrder,
  plannedOrders,
  plannedReplies,
  type Reply,
} from './month.ts';

export const exampleName = 'Örnek Mağaza (örnek veriler)';
const sender = 'ORNEKMAGAZA';
const credit = 10_000;
const brand = 999_905;
const inboundNumber = '908500000000';
const dayMs = 86_400_000;
const closeAfterMs = 2 * dayMs;
// The registry accepts consents that are at most three days old.
const consentAgeMs = 2 * dayMs;

/** Progress is stored, so that another process can continue after a crash. */
type Progress = { owner: string; end: string; accountId: number; orders: number; isDone: boolean };

const readSql = sql<{ value: string }>('example progress')`
  select value from installation where name = 'example-account'`;
const requestSql = sql('example request')`
  insert into installation (name, value) values ('example-account', $1) on conflict (name) do nothing`;
// Replaces only the version that was read, so that of two processes one continues.
const keepSql = sql('example keep')`
  update installation set value = $2, at = now() where name = 'example-account' and value = $1`;
const ownerSql = sql<{ id: number }>('example owner')`select id from users where lower(email) = $1`;

/** Requests an example account for this owner; a repeated call changes nothing. */
export async function requestExample(db: Queryable, owner: string, end: Date): Promise<void> {
  const progress: Progress = { owner, end: end.toISOString(), accountId: 0, orders: 0, isDone: false };
  await run(db, requestSql, [JSON.stringify(progress)]);
}

/** Creates the missing parts of a requested example account; stops between two orders when `signal` is aborted. */
export async function makeExample(db: Db, signal: AbortSignal, breathe: () => Promise<void>): Promise<void> {
  const progress = await readProgress(db);
  if (!progress || progress.isDone) return;
  const owner = await row(db, ownerSql, [progress.owner]);
  if (!owner) return;
  const end = new Date(progress.end);
  if (progress.accountId === 0) await transaction(db, tx => openExample(tx, progress));
  await consents(db, progress.accountId, end);
  if (!(await liveMonth(db, progress, end, signal, breathe))) return;
  await transaction(db, async tx => {
    await addMember(tx, progress.accountId, owner.id, 'owner');
    // The owner's first account, which the sign-in opens: a newcomer sees it before the empty one.
    await run(tx, moveMemberSql, [progress.accountId, beginOf(end)]);
    await keep(tx, progress, { isDone: true });
  });
}

async function readProgress(db: Queryable): Promise<Progress | null> {
  const kept = await row(db, readSql);
  return kept ? (JSON.parse(kept.value) as Progress) : null;
}

async function keep(tx: Queryable, progress: Progress, change: Partial<Progress>): Promise<void> {
  const before = JSON.stringify(progress);
  Object.assign(progress, change);
  if ((await run(tx, keepSql, [before, JSON.stringify(progress)])) === 0)
    throw new Error('another process makes the example account');
}

async function openExample(tx: Tx, progress: Progress): Promise<void> {
  const { id } = await openIn(tx, exampleName, newCredentials(), { isWelcome: async () => false });
  await grantCredit(tx, id, credit, 'Örnek kredi', 'peyk');
  await decideSender(tx, id, sender, 'approved');
  await addBrand(tx, id, brand, null);
  await addInboundNumber(tx, id, inboundNumber, '');
  await addManyToBlacklist(
    tx,
    id,
    blockedCustomers.map(one => Number(`90${one}`)),
    'import',
    'Örnek liste',
  );
  const begin = beginOf(new Date(progress.end));
  await run(tx, moveGrantSql, [id, begin]);
  await run(tx, moveBlacklistSql, [id, begin]);
  await keep(tx, progress, { accountId: id });
}

const beginOf = (end: Date) => new Date(end.getTime() - 31 * dayMs);

const moveMemberSql = sql('example member time')`update memberships set created_at = $2 where account_id = $1`;
const moveGrantSql = sql('example grant time')`
  update ledger_entries set created_at = $2 where account_id = $1 and kind = 'grant'`;
const moveBlacklistSql = sql('example blacklist time')`
  update blacklist_entries set added_at = $2 where account_id = $1 and source = 'import'`;

const consentsSql = sql<{ found: boolean }>('example consents')`
  select exists (select 1 from consent_records where account_id = $1) as found`;

async function consents(db: Db, accountId: number, end: Date): Promise<void> {
  if ((await row(db, consentsSql, [accountId]))!.found) return;
  const consentDate = new Date(end.getTime() - consentAgeMs);
  const drafts = consentingCustomers.map(one => ({
    recipient: `+90${one}`,
    recipientType: 'BIREYSEL' as const,
    type: 'MESAJ' as const,
    status: 'ONAY' as const,
    source: 'HS_WEB',
    consentDate,
  }));
  await registerConsents(db, accountId, brand, drafts, 'panel', end);
}

/**
 * Creates orders and replies in the order of their times, so that people who opted out get no later message. Returns false if
 * it was stopped before the end.
 */
async function liveMonth(db: Db, progress: Progress, end: Date, signal: AbortSignal, breathe: () => Promise<void>) {
  const account = (await findAccount(db, progress.accountId))!;
  const queue = new AcceptQueue(db, closeAfterMs);
  const orders = plannedOrders(end);
  const replies = plannedReplies(end);
  let received = (await row(db, receivedSql, [account.id]))!.count;
  for (let no = progress.orders; no <= orders.length; no++) {
    const next = orders[no]?.at ?? end;
    for (; received < replies.length && replies[received]!.at <= next; received++) {
      if (signal.aborted) return false;
      await receive(db, account.id, replies[received]!);
      await breathe();
    }
    const order = orders[no];
    if (!order) break;
    if (signal.aborted) return false;
    await send(queue, account, order, no, async (tx, id) => {
      await settleOrder(tx, account.id, id, order, no, end);
      await keep(tx, progress, { orders: no + 1 });
    });
    await breathe();
  }
  return true;
}

type Kept = (tx: Tx, id: number) => Promise<void>;

async function send(queue: AcceptQueue, account: Account, order: PlannedOrder, no: number, kept: Kept): Promise<void> {
  const draft = {
    sender,
    texts: [{ text: order.text, recipients: order.recipients }],
    sendAt: null,
    consentCheck: order.commercial,
    consentList: order.commercial ? ('BIREYSEL' as const) : null,
    source: order.source,
    distinct: String(no),
  };
  const drafts = async function* () {
    yield draft;
  };
  await acceptOrders(queue, account, drafts, order.at, (tx, [id]) => kept(tx, id!));
}

const openSql = sql<{ id: number }>('example open messages')`
  select m.id from messages m join orders o on o.id = m.order_id and o.account_id = m.account_id
  where o.account_id = $1 and o.id = $2 and m.id between o.first_message_id and o.first_message_id + o.total - 1
    and m.status = 110 order by m.id`;
const chunksDoneSql = sql('example chunks done')`
  delete from chunks c using orders o where o.id = $2 and o.account_id = $1 and c.account_id = $1 and c.lease_owner is null
    and c.first_message_id >= o.first_message_id and c.first_message_id < o.first_message_id + o.total`;
const moveBlockedSql = sql('example blocked times')`
  update messages m set final_at = o.submit_at from orders o where o.id = $2 and o.account_id = $1 and m.account_id = $1
    and m.id between o.first_message_id and o.first_message_id + o.total - 1 and m.status = 112`;
const moveMessagesSql = sql('example message times')`
  update messages m set final_at = u.at from unnest($2::bigint[], $3::timestamptz[]) u(id, at)
  where m.account_id = $1 and m.id = u.id`;
const moveOrderSql = sql('example order times')`
  update orders set finished_at = $3 where account_id = $1 and id = $2`;
const moveLedgerSql = sql('example ledger times')`
  update ledger_entries set created_at = case kind when 'reserve' then $4::timestamptz else $3::timestamptz end
  where account_id = $1 and order_id = $2 and kind in ('reserve', 'consume', 'release')`;

/** Settles messages as carriers would have reported them, at the times at which they would have. */
async function settleOrder(tx: Tx, accountId: number, id: number, order: PlannedOrder, no: number, end: Date) {
  const isOld = order.at.getTime() + dayMs < end.getTime();
  const open = await rows(tx, openSql, [accountId, id]);
  const ends = open.map(({ id: message }, i) => ({ id: message, ...endingOf(no, i, isOld) }));
  await run(tx, chunksDoneSql, [accountId, id]);
  await settleMessages(tx, ends);
  const times = ends.map(one => new Date(order.at.getTime() + one.afterMs));
  const last = new Date(Math.max(order.at.getTime(), ...times.map(one => one.getTime())));
  await run(tx, moveBlockedSql, [accountId, id]);
  await run(tx, moveMessagesSql, [
    accountId,
    arrayLiteral(ends.map(one => one.id)),
    times.map(one => one.toISOString()),
  ]);
  await run(tx, moveOrderSql, [accountId, id, last]);
  await run(tx, moveLedgerSql, [accountId, id, last, order.at]);
}

const receivedSql = sql<{ count: number }>('example received')`
  select count(*) as count from inbound_messages where account_id = $1`;
const moveReplySql = sql('example reply time')`
  update inbound_messages set received_at = $2 where account_id = $1
    and id = (select max(id) from inbound_messages where account_id = $1)`;
// (Recipients who had opted out before stay opted out.)
const moveOptOutSql = sql('example opt-out time')`
  update blacklist_entries set added_at = $3 where account_id = $1 and number = $2 and source = 'optout' and added_at > $3`;

async function receive(db: Db, accountId: number, reply: Reply): Promise<void> {
  await receiveInbound(db, 0, replyPdu(`90${reply.number}`, reply.text));
  await run(db, moveReplySql, [accountId, reply.at]);
  await run(db, moveOptOutSql, [accountId, Number(`90${reply.number}`), reply.at]);
}

const ucs2 = 8;

function replyPdu(from: string, text: string): Parameters<typeof receiveInbound>[2] {
  const fields = { sourceAddr: from, destinationAddr: inboundNumber, dataCoding: ucs2, esmClass: 0 };
  const shortMessage = Buffer.from(text, 'utf16le').swap16();
  return { command: 'deliver_sm', status: 0, sequence: 1, fields: { ...fields, shortMessage }, tlvs: [] } as never;
}
