// What the send form holds: the message and how it is to be sent, and, for small sends, the recipients with it. A list of any
// size stands in a stored draft instead (drafts.ts); both are walked the same way.
import { fromTurkeyTime } from '../../clock.ts';
import { recipientTypes } from '../../consent/record.ts';
import type { DraftHead, ListShape } from '../../drafts/drafts.ts';
import { minutesOf } from '../../drafts/times.ts';
import type { Slice } from '../../drafts/walk.ts';
import { limits } from '../../limits.ts';
import type { OrderDraft } from '../../orders/draft.ts';
import { asMembers, bad, flag, type Members, optionalOneOf, optionalWhole, own, text, texts } from '../input.ts';

export type InlineList = { shape: ListShape; cells: string[][] };

const textLengthMax = 20_000;
const fieldsMax = 50;
const valueLengthMax = 1_000;
const numberLengthMax = 60;
const localTime = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})$/;

export function readSendHead(input: Members): DraftHead {
  const sendAt = own(input, 'sendAt');
  return {
    sender: text(input, 'sender', 100),
    text: text(input, 'text', textLengthMax),
    fallbacks: readFallbacks(input),
    // Kept as given: an impossible time is the order's refusal (457) and not ours.
    sendAt: sendAt === undefined || sendAt === null || sendAt === '' ? null : String(sendAt).slice(0, 40),
    commercial: flag(input, 'commercial'),
    list: optionalOneOf(input, 'list', recipientTypes) ?? null,
    perHour: optionalWhole(input, 'perHour', 1, limits.recipientsPerOrder) ?? null,
    quiet: readQuiet(own(input, 'quiet')),
  };
}

function readFallbacks(input: Members): Record<string, string> {
  const given = own(input, 'fallbacks');
  const members = given === undefined || given === null ? {} : asMembers(given);
  if (!members) throw bad('fallbacks');
  const names = Object.keys(members).slice(0, fieldsMax);
  return Object.fromEntries(names.map(name => [name, text(members, name, valueLengthMax)]));
}

function readQuiet(given: unknown): DraftHead['quiet'] {
  if (given === undefined || given === null) return null;
  const members = asMembers(given);
  if (!members) throw bad('quiet');
  const [from, to] = [text(members, 'from', 5), text(members, 'to', 5)];
  if (minutesOf(from) === null || minutesOf(to) === null) throw bad('quiet');
  return { from, to };
}

/** Recipients that came with the message; each becomes a row of cells, its number first. */
export function readInlineList(input: Members): InlineList {
  // One more than may be sent, so that "too many" is the domain's refusal (452) and not ours.
  const recipients = texts(input, 'recipients', 2 * limits.recipientsPerOrder, numberLengthMax);
  const shape = { fileName: null, header: false, numberColumn: 0, names: [] as string[] };
  if (own(input, 'fields') === undefined) return { shape, cells: recipients.map(number => [number]) };
  const fields = texts(input, 'fields', fieldsMax, 60);
  const values = readValues(input, recipients.length, fields.length);
  return { shape: { ...shape, names: ['', ...fields] }, cells: recipients.map((number, i) => [number, ...values[i]!]) };
}

function readValues(input: Members, rowCount: number, columns: number): string[][] {
  const values = own(input, 'values');
  if (!Array.isArray(values) || values.length !== rowCount) throw bad('values');
  for (const row of values) {
    if (!Array.isArray(row) || row.length !== columns) throw bad('values');
    for (const value of row)
      if (typeof value !== 'string' || value.length > valueLengthMax || value.includes('\0')) throw bad('values');
  }
  return values as string[][];
}

/** Turkey time; null = now. */
export function sendTime({ sendAt }: DraftHead): OrderDraft['sendAt'] {
  return sendAt === null ? null : turkeyMinute(sendAt);
}

export function turkeyMinute(given: string): Date | 'malformed' {
  const match = localTime.exec(given.trim());
  if (!match) return 'malformed';
  const [year, month, day, hour, minute] = match.slice(1).map(Number);
  return fromTurkeyTime(year!, month!, day!, hour!, minute!, 0) ?? 'malformed';
}

/** One order of the send. */
export function orderDraft(head: DraftHead, slice: Slice, sendAt: OrderDraft['sendAt'], source: string): OrderDraft {
  return {
    sender: head.sender,
    // No recipients at all is still one text, so that the text is judged.
    texts: slice.texts.length ? slice.texts : [{ text: head.text, recipients: [] }],
    sendAt,
    consentCheck: head.commercial,
    consentList: head.list,
    source,
  };
}
