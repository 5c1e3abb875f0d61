// Valid numbers and request members, for tests to use and to change.
import { now, toTurkeyTime } from '../../../src/time/clock.ts';

export const brandCode = 701701;
export const sender = 'PEYK';

/** 555 000 00 00 and the numbers after it. */
export function number(i = 0): string {
  return String(5_550_000_000 + i);
}

/** The same number as answers show it. */
export function shown(i = 0): string {
  return `+90${number(i)}`;
}

export function numbers(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, i) => number(from + i));
}

let texts = 0;

/** A text that no other order of the run has, so that the duplicate check does not refuse it. */
export function freshText(): string {
  return `Merhaba ${++texts}`;
}

export function order(members: object = {}, text = freshText(), recipients: unknown = [number()]): object {
  return { sender, message: { text, receipents: { number: recipients } }, ...members };
}

export function consentEntry(members: object = {}): Record<string, unknown> {
  return {
    recipient: shown(),
    recipientType: 'BIREYSEL',
    type: 'MESAJ',
    status: 'ONAY',
    source: 'HS_WEB',
    consentDate: turkeyTime(-60_000),
    ...members,
  };
}

export function consentQuery(members: object = {}): object {
  return { brandCode, recipient: shown(), recipientType: 'BIREYSEL', type: 'MESAJ', ...members };
}

/** Turkish time in this many milliseconds, as sent on the wire. */
export function turkeyTime(fromNowMs = 0): string {
  return toTurkeyTime(new Date(now().getTime() + fromNowMs));
}

/** `DD/MM/YYYY HH:MM`, as send-sms documents it. */
export function sendDateTime(fromNowMs: number): string {
  const [, year, month, day, time] = /^(\d+)-(\d+)-(\d+) (\d+:\d+)/.exec(turkeyTime(fromNowMs))!;
  return `${day}/${month}/${year} ${time}`;
}

export function today(): { start: string; end: string } {
  const day = turkeyTime().slice(0, 10);
  return { start: day, end: day };
}

/** Members of `request` with which each operation answers 200 for an account with a sender, a brand and an order. */
export function validMembers(operation: string, orderId: string): Record<string, unknown> {
  const samples: Record<string, () => Record<string, unknown>> = {
    'send-sms': () => ({ order: order({ iys: '0', iysList: 'BIREYSEL', sendDateTime: '' }) }),
    'cancel-order': () => ({ order: { id: orderId } }),
    'get-report': () => ({ order: { id: orderId, page: '1', rowCount: '10' } }),
    'get-reports': () => ({ filter: { ...today(), page: 1 } }),
    'get-balance': () => ({}),
    'get-sender': () => ({}),
    'get-blacklist': () => ({
      blacklist: { filter: { start: turkeyTime(-60_000), end: turkeyTime() }, page: '1', rowCount: '10' },
    }),
    'add-blacklist': () => ({ blacklist: { number: number(900) } }),
    'delete-blacklist': () => ({ blacklist: { number: number(901) } }),
    'iys-register': () => ({ consent: { brandCode, list: [consentEntry()] } }),
    'iys-check': () => ({ consent: consentQuery() }),
    'get-inbox': () => ({
      inbox: { filter: { start: turkeyTime(-60_000), end: turkeyTime() }, page: '1', rowCount: '10' },
    }),
  };
  return samples[operation]!();
}

/** As clocks in Turkey show it, by the runtime's time zone table instead of our constant. */
export function wallClock(ms: number): string {
  return istanbul.format(ms);
}

const istanbul = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Istanbul',
  dateStyle: 'short',
  timeStyle: 'medium',
});
