// The contents of the send form: the message, its options and, for small sends, the recipients. Larger lists are in a stored
// draft (drafts.ts); both are walked the same way.

import type { OrderDraft } from '../../accept/draft.ts';
import type { DraftHead, ListShape } from '../../drafts/drafts.ts';
import { minutesOf } from '../../drafts/times.ts';
import type { Slice } from '../../drafts/walk.ts';
import { fromTurkeyTime } from '../../time/clock.ts';
import type { InputRead } from '../call/context.ts';
import { bad } from '../contract/input.ts';

type InlineList = { shape: ListShape; cells: string[][] };

const localTime = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})$/;

export function readSendHead(input: InputRead<'drafts.create'>['head']): DraftHead {
  const { sender, text, fallbacks = {}, sendAt, commercial, list = null, perHour = null } = input;
  return { sender, text, fallbacks, sendAt, commercial, list, perHour, quiet: readQuiet(input.quiet ?? null) };
}

function readQuiet(given: DraftHead['quiet']): DraftHead['quiet'] {
  if (given && (minutesOf(given.from) === null || minutesOf(given.to) === null)) throw bad('quiet');
  return given;
}

/** Recipients sent with the message; each becomes a row of cells, its number first. */
export function readInlineList(input: InputRead<'send.prepare'>): InlineList {
  const { recipients, fields, values = [] } = input;
  const shape = { fileName: null, header: false, numberColumn: 0, names: [] as string[] };
  if (fields === undefined) return { shape, cells: recipients.map(number => [number]) };
  if (values.length !== recipients.length || values.some(row => row.length !== fields.length)) throw bad('values');
  return { shape: { ...shape, names: ['', ...fields] }, cells: recipients.map((number, i) => [number, ...values[i]!]) };
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
    // Without recipients there is still one text, so that the text is checked.
    texts: slice.texts.length ? slice.texts : [{ text: head.text, recipients: [] }],
    sendAt,
    consentCheck: head.commercial,
    consentList: head.list,
    source,
  };
}
