// Stores a message from a phone: decodes it, joins its parts, finds its account, and stores it before it is acknowledged. An
// opt-out keyword, alone or after the account's own keyword, adds the number to that account's blacklist.
import { createHash } from 'node:crypto';
import { addToBlacklist } from '../blacklist/blacklist.ts';
import { type Db, row, rows, run, sql, type Tx, transaction } from '../db/db.ts';
import { parseNumber } from '../numbers/phone.ts';
import { sealText, shownText, unreadableText } from '../sealing/content.ts';
import type { PduOf } from '../smpp/codec.ts';
import { findTlv, tlvNumber } from '../smpp/tlv.ts';
import { dropUnsendable } from '../text/convert.ts';
import { type Concat, decodeUserData } from '../text/decode.ts';
import { foldKeyword, optOutWord } from '../text/keywords.ts';
import { now } from '../time/clock.ts';

export type InboundPdu = PduOf<'deliver_sm'> | PduOf<'data_sm'>;
type Part = { sender: string; recipient: string; text: string; concat: Concat | null };

const partsMax = 255;

const ownerSql = sql<{ accountId: number; keyword: string; optOut: string[] }>('inbound owner')`
  select n.account_id as "accountId", n.keyword, a.opt_out_keywords as "optOut"
  from inbound_numbers n join accounts a on a.id = n.account_id
  where n.number = $1 and n.keyword in ('', $2) order by n.keyword desc limit 1`;
const insertSql = sql<{ id: number }>('inbound insert')`
  insert into inbound_messages (account_id, number, number_text, recipient, text, effect, received_at, keyword)
  values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`;
const unroutedSql = sql('inbound unrouted')`
  insert into inbound_unrouted (carrier_id, sender, recipient, text) values ($1, $2, $3, $4)`;
const seenSql = sql('inbound seen')`
  insert into inbound_seen (carrier_id, foreign_id) values ($1, $2) on conflict do nothing`;
// Parts arrive together. Without this lock two transactions would not see each other's part, and neither would join them.
const turnSql = sql('inbound turn')`select pg_advisory_xact_lock(hashtextextended($1, 7033) # lock_salt())`;
const partSql = sql('inbound part')`
  insert into inbound_parts (carrier_id, sender, recipient, reference, total, sequence, text)
  values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`;
const joinSql = sql<{ text: string; sequence: number }>('inbound join')`
  select text, sequence from inbound_parts
  where carrier_id = $1 and sender = $2 and recipient = $3 and reference = $4 and total = $5 order by sequence for update`;
const forgetSql = sql('inbound forget parts')`
  delete from inbound_parts where carrier_id = $1 and sender = $2 and recipient = $3 and reference = $4 and total = $5`;
const notifySql = sql('inbound outbox')`
  insert into webhook_outbox (account_id, kind, inbound_id)
  select w.account_id, 'inbound', $2 from webhook_endpoints w where w.owner_id = $1 and w.url <> '' and w.inbound`;

const oweSql = sql('inbound smpp outbox')`
  insert into smpp_outbox (user_id, inbound_id) select u.id, $2 from smpp_users u where u.account_id = $1 and u.inbound and u.enabled`;

export function receiveInbound(db: Db, carrierId: number, pdu: InboundPdu): Promise<void> {
  const part = readPart(pdu);
  return transaction(db, async tx => {
    const text = await wholeText(tx, carrierId, part);
    if (text === null) return;
    await deliver(tx, carrierId, part.sender, part.recipient, dropUnsendable(text));
  });
}

/** From an HTTP carrier: complete and as text. `id` is the carrier's; '' if it has none, and then repeats are not recognised. */
export function receiveInboundText(
  db: Db,
  carrierId: number,
  { id, from, to, text }: { id: string; from: string; to: string; text: string },
): Promise<void> {
  return transaction(db, async tx => {
    // A concurrent delivery of the same id waits here until the first is stored, or takes over if it is not.
    if (id !== '' && (await run(tx, seenSql, [carrierId, nameOf(id)])) === 0) return;
    await deliver(tx, carrierId, digitsOf(from), digitsOf(to), dropUnsendable(text));
  });
}

/** Distinguishes any two ids; long or unprintable ones are stored as their digest. */
function nameOf(id: string): string {
  return /^[\x21-\x7e]{1,200}$/.test(id) ? id : `sha256 ${createHash('sha256').update(id).digest('hex')}`;
}

function readPart(pdu: InboundPdu): Part {
  const payload = findTlv(pdu.tlvs, 'message_payload');
  const body = payload ?? (pdu.command === 'deliver_sm' ? pdu.fields.shortMessage : Buffer.alloc(0));
  const decoded = decodeUserData(body, pdu.fields.dataCoding, (pdu.fields.esmClass & 0x40) !== 0);
  const total = tlvNumber(pdu.tlvs, 'sar_total_segments') ?? 0;
  const sar = {
    reference: tlvNumber(pdu.tlvs, 'sar_msg_ref_num') ?? 0,
    total,
    sequence: tlvNumber(pdu.tlvs, 'sar_segment_seqnum') ?? 1,
  };
  return {
    sender: digitsOf(pdu.fields.sourceAddr),
    recipient: digitsOf(pdu.fields.destinationAddr),
    text: decoded.text,
    concat: decoded.concat ?? (total > 1 ? sar : null),
  };
}

function digitsOf(address: string): string {
  return address
    .replace(/^\+/, '')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, 20);
}

/** Returns the text once it is complete; null while parts are missing. Stored parts survive a restart. */
async function wholeText(tx: Tx, carrierId: number, { sender, recipient, text, concat }: Part): Promise<string | null> {
  if (!concat || concat.total < 2 || concat.total > partsMax || concat.sequence < 1 || concat.sequence > concat.total)
    return text;
  const place = [carrierId, sender, recipient, concat.reference, concat.total];
  await run(tx, turnSql, [place.join(' ')]);
  // As JSON, because a phone may cut an emoji in half, and the database accepts no half of a surrogate pair.
  await run(tx, partSql, [...place, concat.sequence, sealText(JSON.stringify(text))]);
  const parts = await rows(tx, joinSql, place);
  if (parts.length < concat.total) return null;
  await run(tx, forgetSql, place);
  return parts.map(one => partText(one.text)).join('');
}

function partText(stored: string): string {
  const json = shownText(stored);
  return json === unreadableText ? json : (JSON.parse(json) as string);
}

async function deliver(tx: Tx, carrierId: number, sender: string, recipient: string, text: string): Promise<void> {
  if (!(await deliverToOwner(tx, sender, recipient, text)))
    await run(tx, unroutedSql, [carrierId, sender, recipient, sealText(text)]);
}

/** Returns false if no account here has the number or keyword. */
async function deliverToOwner(
  tx: Tx,
  sender: string,
  recipient: string,
  text: string,
  receivedAt = now(),
): Promise<boolean> {
  const words = text.trim().split(/\s+/, 3);
  const owner = await row(tx, ownerSql, [recipient, foldKeyword(words[0] ?? '')]);
  if (!owner) return false;
  const number = parseNumber(/^\d{11,15}$/.test(sender) ? `+${sender}` : sender, true);
  const spoken = owner.keyword ? words.slice(1) : words;
  // The account's keyword alone also counts if it is an opt-out word: earlier releases allowed such keywords.
  const said = spoken.length === 1 ? spoken[0]! : words.length === 1 ? words[0]! : '';
  const optOut = number > 0 ? optOutWord(said, owner.optOut) : null;
  if (optOut) await addToBlacklist(tx, owner.accountId, number, 'optout');
  const shown = number > 0 ? `+${number}` : sender;
  const stored = await row(tx, insertSql, [
    owner.accountId,
    number || null,
    shown,
    recipient,
    sealText(text),
    optOut ? 'blacklisted' : null,
    receivedAt,
    owner.keyword || (optOut ?? ''),
  ]);
  await run(tx, notifySql, [owner.accountId, stored!.id]);
  await run(tx, oweSql, [owner.accountId, stored!.id]);
  return true;
}

export type Unrouted = {
  id: number;
  carrierId: number;
  sender: string;
  recipient: string;
  text: string;
  receivedAt: Date;
};

const unofferedSql = sql<Unrouted>('inbound unoffered')`
  select id, carrier_id as "carrierId", sender, recipient, text, received_at as "receivedAt" from inbound_unrouted
  where id > $1 and not offered
  order by id limit 100`;
const offeredSql = sql('inbound offered')`update inbound_unrouted set offered = true where id = $1`;
const elsewhereSql = sql('inbound elsewhere')`delete from inbound_unrouted where id = $1`;

/** Messages without an account that were not yet offered to every cell. */
export async function unofferedInbound(db: Db, after: number): Promise<Unrouted[]> {
  return (await rows(db, unofferedSql, [after])).map(one => ({ ...one, text: shownText(one.text) }));
}

/** Stores a message that another cell could not route; returns whether an account here has the number. Repeats are stored once. */
export function takeForeignInbound(db: Db, { id, carrierId, ...one }: Unrouted, from: number): Promise<boolean> {
  return transaction(db, async tx => {
    if ((await run(tx, seenSql, [carrierId, `cell ${from} ${id}`])) === 0) return true;
    const isOurs = await deliverToOwner(tx, one.sender, one.recipient, one.text, one.receivedAt);
    if (!isOurs) await run(tx, unseenSql, [carrierId, `cell ${from} ${id}`]);
    return isOurs;
  });
}

const unseenSql = sql('inbound unseen')`delete from inbound_seen where carrier_id = $1 and foreign_id = $2`;

/** `taken`: an account of another cell took it. */
export async function inboundOffered(db: Db, id: number, taken: boolean): Promise<void> {
  await run(db, taken ? elsewhereSql : offeredSql, [id]);
}
