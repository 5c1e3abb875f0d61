// What the send form holds, as an order draft. With fields, `{field}` in the text is replaced once per row (a value that
// itself contains braces is not looked at again), and rows whose texts came out the same share one text of the order.
import { fromTurkeyTime } from '../clock.ts';
import { recipientTypes } from '../consent/record.ts';
import { limits } from '../limits.ts';
import type { OrderDraft } from '../orders/draft.ts';
import { fillFields, foldField, valueOrFallback } from '../text/fields.ts';
import { asMembers, bad, flag, type Members, optionalOneOf, own, text, texts } from './input.ts';

export type DraftText = {
  text: string;
  recipients: string[] /** Where each recipient stood in the list given. */;
  rows: number[];
};
export type SendDraft = Omit<OrderDraft, 'texts'> & {
  texts: DraftText[];
  emptyFields: Record<string, number>;
  unknownFields: string[];
};

const textLengthMax = 20_000;
const fieldsMax = 50;
const valueLengthMax = 1_000;
const numberLengthMax = 60;
const localTime = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})$/;

export function readSendDraft(input: Members, source: string): SendDraft {
  const given = text(input, 'text', textLengthMax);
  // One more than may be sent, so that "too many" is the domain's refusal (452) and not ours.
  const recipients = texts(input, 'recipients', 2 * limits.recipientsPerOrder, numberLengthMax);
  const filled =
    own(input, 'fields') === undefined ? oneText(given, recipients) : personalTexts(input, given, recipients);
  return {
    ...filled,
    sender: text(input, 'sender', 100),
    sendAt: readSendAt(own(input, 'sendAt')),
    consentCheck: flag(input, 'commercial'),
    consentList: optionalOneOf(input, 'list', recipientTypes) ?? null,
    source,
  };
}

type Filled = Pick<SendDraft, 'texts' | 'emptyFields' | 'unknownFields'>;

function oneText(given: string, recipients: string[]): Filled {
  return {
    texts: [{ text: given, recipients, rows: recipients.map((_, i) => i) }],
    emptyFields: {},
    unknownFields: [],
  };
}

function personalTexts(input: Members, given: string, recipients: string[]): Filled {
  const fields = texts(input, 'fields', fieldsMax, 60).map(foldField);
  const values = readValues(input, recipients.length, fields.length);
  const fallbacks = readFallbacks(input);
  const emptyFields: Record<string, number> = {};
  const unknown = new Set<string>();
  const byText = new Map<string, DraftText>();
  recipients.forEach((number, row) => {
    const filled = fillFields(given, (field, written) => {
      const at = fields.indexOf(field);
      if (at < 0) {
        unknown.add(written);
        return undefined;
      }
      const value = values[row]![at]!;
      if (value.trim() === '') emptyFields[written] = (emptyFields[written] ?? 0) + 1;
      return valueOrFallback(value, fallbacks.get(field));
    });
    const known = byText.get(filled);
    if (known) {
      known.recipients.push(number);
      known.rows.push(row);
    } else byText.set(filled, { text: filled, recipients: [number], rows: [row] });
  });
  // No recipients at all is still one text, so that the text is judged.
  if (byText.size === 0) return oneText(given, []);
  return { texts: [...byText.values()], emptyFields, unknownFields: [...unknown] };
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

function readFallbacks(input: Members): Map<string, string> {
  const given = own(input, 'fallbacks');
  const members = given === undefined || given === null ? {} : asMembers(given);
  if (!members) throw bad('fallbacks');
  const names = Object.keys(members).slice(0, fieldsMax);
  return new Map(names.map(name => [foldField(name), text(members, name, valueLengthMax)]));
}

/** Turkey time; null = now. */
function readSendAt(value: unknown): Date | null | 'malformed' {
  if (value === undefined || value === null || value === '') return null;
  const match = typeof value === 'string' ? localTime.exec(value.trim()) : null;
  if (!match) return 'malformed';
  const [year, month, day, hour, minute] = match.slice(1).map(Number);
  return fromTurkeyTime(year!, month!, day!, hour!, minute!, 0) ?? 'malformed';
}
