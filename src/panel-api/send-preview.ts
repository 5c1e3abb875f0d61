// The dry run of an order: who would get it, who not and why, what it costs, what would be refused. Numbers, texts and
// blocks are judged by the functions that judge the order itself; nothing is stored.
import type { Account } from '../accounts/account.ts';
import { readBalance } from '../balance/ledger.ts';
import type { Db } from '../db/db.ts';
import { blockedReasons } from '../orders/claim.ts';
import { consentListOf, consentObjection, textObjection, timeObjection } from '../orders/objections.ts';
import { parseRecipients, type Recipients } from '../orders/recipients.ts';
import { badNumberText, formatNumber, parseNumber } from '../phone.ts';
import { senderUsable } from '../senders/senders.ts';
import { type PreparedText, prepareText } from '../text/prepare.ts';
import type { PanelError } from './contract.ts';
import type { RowSample, SendPreview } from './contract-send.ts';
import { interfaceError } from './errors.ts';
import { findEarlierOrder } from './queries/order-duplicate.ts';
import type { SendDraft } from './send-draft.ts';

const samplesMax = 1_000;
// Preparing 50,000 personal texts takes half a second: others are let in between.
const textsPerTurn = 500;

/** The merged list, in the order in which parseRecipients gives it, with where each stood. */
type Sorted = { kept: { row: number; number: number; textNo: number }[]; invalid: RowSample[]; duplicate: RowSample[] };

export async function previewOrder(db: Db, account: Account, draft: SendDraft, now: Date): Promise<SendPreview> {
  const prepared = await prepareAll(draft, account.mode);
  const sorted = sortRecipients(draft, account.abroad);
  const list = consentListOf(draft);
  const good = sorted.kept.filter(one => one.number > 0);
  const blocked = good.length
    ? await blockedReasons(
        db,
        account.id,
        good.map(one => one.number),
        list,
      )
    : [];
  const blacklisted = good.filter((_, i) => blocked[i] === 2);
  const nonConsented = good.filter((_, i) => blocked[i] === 3);
  const sendable = good.filter((_, i) => blocked[i] === 0);
  const credits = sendable.reduce((sum, one) => sum + prepared[one.textNo]!.parts, 0);
  const { sms: balance } = (await readBalance(db, account.id))!;
  const startAt = draft.sendAt instanceof Date && draft.sendAt > now ? draft.sendAt : now;
  const problems = [
    ...problemsOfDraft(account, draft, prepared),
    ...(await problemsOfList(db, account, draft, now, { sendable, nonConsented, credits, balance })),
  ];
  return {
    given: draft.texts.reduce((sum, one) => sum + one.recipients.length, 0),
    sendable: sendable.length,
    invalid: sorted.invalid.length,
    duplicate: sorted.duplicate.length,
    blacklisted: blacklisted.length,
    nonConsented: nonConsented.length,
    rows: {
      invalid: sorted.invalid.slice(0, samplesMax),
      duplicate: sorted.duplicate.slice(0, samplesMax),
      blacklisted: samples(blacklisted),
      nonConsented: samples(nonConsented),
    },
    texts: prepared.length,
    ...firstAndLongest(draft, prepared),
    emptyFields: draft.emptyFields,
    unknownFields: draft.unknownFields,
    credits,
    balance,
    balanceAfter: balance - credits,
    startAt: startAt.toISOString(),
    endsAt: list ? null : new Date(startAt.getTime() + (sendable.length / account.rate) * 1_000).toISOString(),
    problems,
  };
}

async function prepareAll(draft: SendDraft, mode: Account['mode']): Promise<PreparedText[]> {
  const prepared: PreparedText[] = [];
  for (const one of draft.texts) {
    prepared.push(prepareText(one.text, mode));
    if (prepared.length % textsPerTurn === 0) await new Promise(setImmediate);
  }
  return prepared;
}

function sortRecipients(draft: SendDraft, abroad: boolean): Sorted {
  const sorted: Sorted = { kept: [], invalid: [], duplicate: [] };
  draft.texts.forEach((one, textNo) => {
    const seen = new Set<number | string>();
    one.recipients.forEach((given, i) => {
      const number = parseNumber(given, abroad);
      const name = number > 0 ? number : badNumberText(given);
      const sample = { row: one.rows[i]!, number: number > 0 ? formatNumber(number) : (name as string) };
      if (seen.has(name)) {
        sorted.duplicate.push(sample);
        return;
      }
      seen.add(name);
      sorted.kept.push({ row: sample.row, number, textNo });
      if (number === 0) sorted.invalid.push(sample);
    });
  });
  return sorted;
}

function samples(list: { row: number; number: number }[]): RowSample[] {
  return list.slice(0, samplesMax).map(one => ({ row: one.row, number: formatNumber(one.number) }));
}

function firstAndLongest(draft: SendDraft, prepared: PreparedText[]): Pick<SendPreview, 'first' | 'longest'> {
  if (prepared.length === 0) return { first: null, longest: null };
  let longest = 0;
  prepared.forEach((one, i) => {
    const best = prepared[longest]!;
    if (one.parts > best.parts || (one.parts === best.parts && one.units > best.units)) longest = i;
  });
  const show = (i: number) => ({ row: draft.texts[i]!.rows[0] ?? 0, ...prepared[i]! });
  return { first: show(0), longest: show(longest) };
}

/** In the order in which accepting would refuse. */
function problemsOfDraft(account: Account, draft: SendDraft, prepared: PreparedText[]): PanelError[] {
  const objections = [
    senderUsable(account.senders, draft.sender) ? null : (450 as const),
    textObjection(prepared),
    timeObjection(draft),
    consentObjection(account, draft),
  ];
  return objections.flatMap(code => (code === null ? [] : [interfaceError(code).error]));
}

type Sums = { sendable: unknown[]; nonConsented: unknown[]; credits: number; balance: number };

async function problemsOfList(
  db: Db,
  account: Account,
  draft: SendDraft,
  now: Date,
  sums: Sums,
): Promise<PanelError[]> {
  const recipients = acceptableRecipients(draft, account.abroad);
  if (!recipients) return [interfaceError(452).error];
  if (sums.sendable.length === 0) return [interfaceError(sums.nonConsented.length > 0 ? 469 : 452).error];
  const problems: PanelError[] = [];
  const earlier = await findEarlierOrder(db, account.id, recipients.fingerprint, now);
  if (earlier !== null) problems.push(interfaceError(451, { orderId: earlier }).error);
  if (sums.balance < sums.credits) problems.push(interfaceError(402).error);
  return problems;
}

function acceptableRecipients(draft: SendDraft, abroad: boolean): Recipients | null {
  try {
    return parseRecipients(draft, abroad);
  } catch {
    return null;
  }
}
