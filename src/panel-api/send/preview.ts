// The dry run of a send: who gets the message, who does not and why, the price, and what would be refused, over the whole list
// and all of its orders. Numbers, texts and blocks are checked by the functions that accept orders; nothing is stored.

import { prepareTexts } from '../../accept/accept.ts';
import type { OrderDraft } from '../../accept/draft.ts';
import { consentListOf, consentObjection, textObjection, timeObjection } from '../../accept/objections.ts';
import { readRecipients } from '../../accept/recipients.ts';
import type { Account } from '../../accounts/account.ts';
import { readBalance } from '../../balance/ledger.ts';
import type { Db } from '../../db/db.ts';
import type { DraftHead } from '../../drafts/drafts.ts';
import type { DraftText, ListWalk, Slice } from '../../drafts/walk.ts';
import { limits } from '../../limits.ts';
import { numberFault } from '../../numbers/number-fault.ts';
import { badNumberText, formatNumber, parseNumber } from '../../numbers/phone.ts';
import { blockedReasons } from '../../queue/claim.ts';
import { senderUsable } from '../../senders/senders.ts';
import type { StatusCode } from '../../status.ts';
import type { PreparedText } from '../../text/prepare.ts';
import type { PanelError } from '../contract/shapes.ts';
import { interfaceError, nobodyConsentsError } from '../words/errors.ts';
import type { Batches } from './batches.ts';
import type { RowSample, SendPreview } from './contract.ts';
import { orderDraft, sendTime } from './form.ts';
import { findEarlierOrder } from './order-duplicate.ts';

const samplesMax = 1_000;

type Sums = Pick<
  SendPreview,
  'sendable' | 'invalid' | 'blacklisted' | 'nonConsented' | 'texts' | 'credits' | 'first' | 'longest'
> & { rows: Record<'invalid' | 'blacklisted' | 'nonConsented', RowSample[]> };

export async function previewSend(
  db: Db,
  account: Account,
  head: DraftHead,
  walk: ListWalk,
  batches: Batches,
  now: Date,
): Promise<SendPreview> {
  const sums = nothingYet();
  const refusals = new Map<StatusCode, PanelError>();
  const times: Date[] = [];
  let nobody: StatusCode | null = null;
  const judge = async (slice: Slice) => {
    const draft = orderDraft(head, slice, sendTime(head), '');
    const judged = await judgeSlice(db, account, draft, slice, sums, now);
    for (const error of judged.problems) refusals.set(codeOf(error), error);
    nobody ??= judged.nobody;
  };
  for await (const { slice, startAt } of batches) {
    times.push(startAt);
    await judge(slice);
  }
  if (times.length === 0) await judge(empty);
  // An order without valid recipients is left out if there are others.
  if (sums.sendable === 0 && nobody !== null && !refusals.has(nobody))
    refusals.set(nobody, (nobody === 469 ? nobodyConsentsError() : interfaceError(nobody)).error);
  const { sms: balance } = (await readBalance(db, account.id))!;
  if (sums.sendable > 0 && balance < sums.credits) refusals.set(402, interfaceError(402).error);
  return {
    ...sums,
    given: walk.given,
    duplicate: walk.duplicate,
    rows: { ...sums.rows, duplicate: walk.duplicates },
    emptyFields: Object.fromEntries(walk.emptyFields),
    unknownFields: [...walk.unknownFields],
    balance,
    balanceAfter: balance - sums.credits,
    ...timesOf(account, head, sums, times, now),
    orders: times.length,
    problems: inOrder(refusals),
  };
}

const empty: Slice = { texts: [], recipients: 0 };

function nothingYet(): Sums {
  const rows = { invalid: [], blacklisted: [], nonConsented: [] };
  const counts = { sendable: 0, invalid: 0, blacklisted: 0, nonConsented: 0, texts: 0, credits: 0 };
  return { ...counts, first: null, longest: null, rows };
}

function timesOf(account: Account, head: DraftHead, sums: Sums, times: Date[], now: Date) {
  const startAt = times[0] ?? now;
  const last = times.at(-1) ?? now;
  // A batch per hour ends within its hour; a single send ends when the account's pace allows.
  const lastSize = head.perHour === null ? sums.sendable : sums.sendable / Math.max(1, times.length);
  const commercial = consentListOf(orderDraft(head, empty, null, '')) !== null;
  return {
    startAt: startAt.toISOString(),
    endsAt: commercial ? null : new Date(last.getTime() + (lastSize / account.rate) * 1_000).toISOString(),
  };
}

const codeOf = (error: PanelError) => Number(error.code) as StatusCode;

// In the order in which accepting refuses; 469 here means that no list was chosen.
const refusalOrder: StatusCode[] = [450, 454, 453, 457, 468, 470, 469, 452, 451, 402];

function inOrder(refusals: Map<StatusCode, PanelError>): PanelError[] {
  return refusalOrder.flatMap(code => refusals.get(code) ?? []);
}

/** Adds one order to the sums, and returns what would refuse it. */
async function judgeSlice(
  db: Db,
  account: Account,
  draft: OrderDraft,
  slice: Slice,
  sums: Sums,
  now: Date,
): Promise<{ problems: PanelError[]; nobody: StatusCode | null }> {
  const prepared = await prepareTexts(draft.texts, account.mode);
  const list = consentListOf(draft);
  const entries = entriesOf(slice, account.abroad);
  const good = entries.filter(one => one.number > 0);
  const numbers = good.map(one => one.number);
  const blocked = good.length ? await blockedReasons(db, account.id, numbers, list) : [];
  const sendable = good.filter((_, i) => blocked[i] === 0);
  const refused = { 2: good.filter((_, i) => blocked[i] === 2), 3: good.filter((_, i) => blocked[i] === 3) };
  count(
    sums,
    'invalid',
    entries.filter(one => one.number === 0),
    account.abroad,
  );
  count(sums, 'blacklisted', refused[2], account.abroad);
  count(sums, 'nonConsented', refused[3], account.abroad);
  sums.sendable += sendable.length;
  sums.credits += sendable.reduce((sum, one) => sum + prepared[one.textNo]!.parts, 0);
  sums.texts += prepared.length;
  rememberTexts(sums, slice, prepared);
  const problems = objectionsOf(account, draft, prepared, slice).map(code => interfaceError(code).error);
  if (sendable.length === 0) return { problems, nobody: refused[3].length > 0 ? 469 : 452 };
  const recipients = await readRecipients(draft, account.abroad).catch(() => null);
  const earlier = recipients && (await findEarlierOrder(db, account.id, recipients.fingerprint, now));
  if (earlier !== null) problems.push(interfaceError(451, { orderId: earlier }).error);
  return { problems, nobody: null };
}

type Entry = { row: number; given: string; number: number; textNo: number };

function entriesOf(slice: Slice, abroad: boolean): Entry[] {
  const ofText = (one: DraftText, textNo: number): Entry[] =>
    one.recipients.map((given, i) => ({ row: one.rows[i]!, given, number: parseNumber(given, abroad), textNo }));
  return slice.texts.flatMap(ofText);
}

const faultOf = (one: Entry, abroad: boolean) => numberFault(one.given, abroad) ?? undefined;

function count(sums: Sums, what: keyof Sums['rows'], entries: Entry[], abroad: boolean): void {
  sums[what] += entries.length;
  for (const one of entries.slice(0, samplesMax - sums.rows[what].length)) {
    const number = one.number > 0 ? formatNumber(one.number) : badNumberText(one.given);
    sums.rows[what].push({ row: one.row, number, ...(one.number > 0 ? {} : { fault: faultOf(one, abroad) }) });
  }
}

function rememberTexts(sums: Sums, slice: Slice, prepared: PreparedText[]): void {
  prepared.forEach((one, i) => {
    const shown = { row: slice.texts[i]?.rows[0] ?? 0, ...one };
    sums.first ??= shown;
    const best = sums.longest;
    if (!best || one.parts > best.parts || (one.parts === best.parts && one.units > best.units)) sums.longest = shown;
  });
}

function objectionsOf(account: Account, draft: OrderDraft, prepared: PreparedText[], slice: Slice): StatusCode[] {
  const found = [
    senderUsable(account.senders, draft.sender) ? null : (450 as const),
    textObjection(prepared),
    timeObjection(draft),
    consentObjection(account, draft),
    slice.recipients > limits.recipientsPerOrder ? (452 as const) : null,
  ];
  return found.filter(code => code !== null);
}
