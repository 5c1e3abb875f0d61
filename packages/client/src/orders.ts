// Divides a list into as many orders as the limits of the interface require: 50,000 recipients, and a maximum body
// size.
import { type Time, toTurkeyTime } from './times.ts';
import { limits, type SendSmsRequest } from './wire.ts';

export type Recipients = string | readonly string[];

type WireOrder = SendSmsRequest['order'];
/** An order of the interface, with simpler forms of time, consent, texts and recipients. */
export type NewOrder = Omit<WireOrder, 'message' | 'sendDateTime' | 'iys' | 'iysList'> & {
  /** Default: now. */
  sendAt?: Time;
  /** A commercial message: only sent to recipients on this list of the consent registry (İYS) who consent. */
  consent?: 'BIREYSEL' | 'TACIR';
} & ({ text: string; to: Recipients } | { messages: readonly { text: string; to: Recipients }[] });

type Entry = { text: string; numbers: string[] };

// Reserves room for the envelope and the other members of an order.
const bytesMax = limits.bodyBytes - 64 * 1024;
const entryBytes = 48;

/** Returns at least one order, in the given order of recipients. */
export function wireOrders(order: NewOrder): WireOrder[] {
  const given: Entry[] = ('messages' in order ? order.messages : [order]).map(({ text, to }) => ({
    text,
    numbers: typeof to === 'string' ? [to] : [...to],
  }));
  const parts = splitEntries(given);
  return parts.map(entries => wireOrder(order, entries));
}

function wireOrder(order: NewOrder, entries: Entry[]): WireOrder {
  const {
    sender,
    sendAt,
    consent,
    text: _,
    to: __,
    messages: ___,
    ...rest
  } = { text: '', to: '', messages: [], ...order };
  const messages = entries.map(({ text, numbers }) => ({ text, receipents: { number: numbers } }));
  return {
    sender,
    message: messages.length === 1 ? messages[0]! : messages,
    ...(sendAt === undefined ? {} : { sendDateTime: toTurkeyTime(sendAt) }),
    ...(consent === undefined ? { iys: '0' } : { iys: '1', iysList: consent }),
    ...rest,
  };
}

function splitEntries(given: Entry[]): Entry[][] {
  const count = given.reduce((sum, { numbers }) => sum + numbers.length, 0);
  const sizes = given.map(sizeOf);
  if (count <= limits.recipientsPerOrder && sizes.reduce((sum, size) => sum + size, 0) <= bytesMax) return [given];
  return fill(given.map(withoutRepeats));
}

/** One order sends a text to a number once; over several orders the client must remove repeats. */
function withoutRepeats({ text, numbers }: Entry): Entry {
  const seen = new Set<string>();
  return { text, numbers: numbers.filter(number => seen.size < seen.add(bareNumber(number)).size) };
}

/** `+90 555…`, `0555…` and `555…` are one number. */
function bareNumber(number: string): string {
  return number.replace(/\D/g, '').replace(/^(00)?(90(?=\d{10}$))?0?/, '');
}

function fill(entries: Entry[]): Entry[][] {
  const parts: Entry[][] = [];
  let room = 0;
  let bytes = 0;
  for (const { text, numbers } of entries) {
    const textBytes = sizeOf({ text, numbers: [] });
    for (let at = 0; at < numbers.length; ) {
      const next = numbers.slice(at, at + Math.max(room, 1));
      const size = textBytes + numberBytes(next);
      if (room === 0 || (size > bytes && bytes < bytesMax)) {
        parts.push([]);
        room = limits.recipientsPerOrder;
        bytes = bytesMax;
        continue;
      }
      parts.at(-1)!.push({ text, numbers: next });
      room -= next.length;
      bytes -= size;
      at += next.length;
    }
  }
  return parts;
}

const encoder = new TextEncoder();

function sizeOf({ text, numbers }: Entry): number {
  return encoder.encode(JSON.stringify(text)).length + entryBytes + numberBytes(numbers);
}

/** A letter has at most three bytes; numbers contain no letters. */
function numberBytes(numbers: string[]): number {
  return numbers.reduce((sum, number) => sum + number.length * 3 + 3, 0);
}
