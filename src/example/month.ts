// A month of a small shop as a plan: what it sent, when, to whom, and how each message ended. The plan depends only on its
// seed, so that a creation interrupted by a crash continues with the same one. Numbers have 000 in their middle and belong to
// nobody; there are no names.
import { turkeyOffsetMs } from '../time/clock.ts';

export type PlannedOrder = {
  at: Date;
  text: string;
  recipients: string[];
  commercial: boolean;
  source: 'api' | 'panel';
};
export type Reply = { at: Date; number: string; text: string };
type Ending = { status: 111 | 112; reason: number; afterMs: number };

const dayMs = 86_400_000;
const minuteMs = 60_000;
const days = 30;
const customersCount = 400;
const prefixes = ['530000', '540000', '555000', '505000'];

/** Customers' numbers as people write them; the first of them are blocked, the last never consented. */
const customers: string[] = Array.from(
  { length: customersCount },
  (_, i) => `${prefixes[i % prefixes.length]}${String(1_000 + i * 7).padStart(4, '0')}`,
);
export const blockedCustomers = customers.slice(0, 6);
export const consentingCustomers = customers.slice(0, 260);
const campaignCustomers = customers.slice(0, 280);
/** Recipients who opt out during the month are among these. */
const leavingCustomers = new Set(customers.slice(blockedCustomers.length, 60));
/** Every order contains one of these numbers, which may always be written to. */
const reachableCustomers = customers.slice(60);

const notices = [
  'Siparişiniz hazırlanıyor. Kargoya verildiğinde yeniden haber vereceğiz.',
  'Siparişiniz kargoya verildi. Tahmini teslim: yarın.',
  'Siparişiniz dağıtıma çıktı. Bugün 18.00’e kadar teslim edilecek.',
  'Siparişiniz teslim edildi. Bizi tercih ettiğiniz için teşekkür ederiz.',
  'İade talebiniz alındı. Tutar 3 iş günü içinde kartınıza aktarılır.',
  'Randevunuz yarın saat 14.00. Değiştirmek için bizi arayabilirsiniz.',
];
const campaigns = [
  'Hafta sonuna özel tüm ürünlerde yüzde 20 indirim! Ayrıntılar mağazamızda. Mersis: 0000000000000000. Almak istemiyorsanız RET yazın.',
  'Yeni sezon ürünleri geldi. İlk 100 siparişte kargo bizden. Mersis: 0000000000000000. Almak istemiyorsanız RET yazın.',
  'Sepetinizde kalan ürünler için son gün: yüzde 10 indirim. Mersis: 0000000000000000. Almak istemiyorsanız RET yazın.',
];
const answers = ['Teşekkürler', 'Siparişim ne zaman gelir?', 'RET', 'Tamam', 'Adresimi değiştirmek istiyorum', 'ret'];

/** From thirty days before `end` up to a quarter of an hour before it, oldest first. */
export function plannedOrders(end: Date): PlannedOrder[] {
  const planned: PlannedOrder[] = [];
  for (let day = days; day >= 0; day--) {
    const midnight = turkishMidnight(end.getTime() - day * dayMs);
    const weekday = new Date(midnight + turkeyOffsetMs).getUTCDay();
    const isWeekend = weekday === 0 || weekday === 6;
    for (let i = 0; i < (isWeekend ? 4 : 8); i++) planned.push(notice(midnight, day, i));
    if (weekday === 2 || weekday === 5) planned.push(campaign(midnight, day));
  }
  const last = end.getTime() - 15 * minuteMs;
  return planned.filter(one => one.at.getTime() < last).sort((a, b) => a.at.getTime() - b.at.getTime());
}

function notice(midnight: number, day: number, i: number): PlannedOrder {
  const minute = 9 * 60 + i * 80 + (mixed(day, i) % 70);
  const count = 1 + (mixed(day, i, 1) % 5);
  const recipients = Array.from({ length: count }, (_, n) => {
    // An order with only blocked recipients would be refused, whatever its weekday.
    const among = n === 0 ? reachableCustomers : customers;
    return among[mixed(day, i, n, 2) % among.length]!;
  });
  // Occasionally a number is mistyped.
  if (mixed(day, i, 3) % 29 === 0) recipients.push('555 000');
  const text = notices[mixed(day, i, 4) % notices.length]!;
  return {
    at: new Date(midnight + minute * minuteMs),
    text,
    recipients: [...new Set(recipients)],
    commercial: false,
    source: 'api',
  };
}

function campaign(midnight: number, day: number): PlannedOrder {
  const text = campaigns[mixed(day) % campaigns.length]!;
  return {
    at: new Date(midnight + 11 * 60 * minuteMs),
    text,
    recipients: campaignCustomers,
    commercial: true,
    source: 'panel',
  };
}

/** Outcome at the carrier: 94 of 100 messages are delivered, the others fail for the usual reasons. */
export function endingOf(order: number, message: number, isOld: boolean): Ending {
  const dice = mixed(order, message, 5) % 1_000;
  const seconds = 2 + (mixed(order, message, 6) % 14);
  if (dice < 940) return { status: 111, reason: 0, afterMs: seconds * 1_000 };
  if (dice < 965) return { status: 112, reason: 12, afterMs: seconds * 1_000 };
  if (dice < 975) return { status: 112, reason: 13, afterMs: seconds * 500 };
  // Carriers give up after a day on phones that stay off; more recent messages still wait.
  if (isOld) return { status: 112, reason: dice < 988 ? 11 : 10, afterMs: dayMs };
  return { status: 111, reason: 0, afterMs: seconds * 60_000 };
}

/** Oldest first; only from people who got the message, and nothing after an opt-out. */
export function plannedReplies(end: Date): Reply[] {
  const orders = plannedOrders(end).filter(one => one.commercial || mixed(one.at.getTime() / minuteMs) % 9 === 0);
  const replies = orders
    .flatMap((order, i) =>
      Array.from({ length: order.commercial ? 4 : 1 }, (_, n) => {
        const text = answers[mixed(i, n, 7) % answers.length]!;
        const got = order.recipients.filter(
          one => mayGet(order, one) && (!isOptOut(text) || leavingCustomers.has(one)),
        );
        const number = got[(10 + mixed(i, n)) % got.length] ?? '';
        return { at: new Date(order.at.getTime() + (3 + n * 11) * minuteMs), number, text };
      }),
    )
    .filter(one => one.at < end && one.number !== '')
    .sort((a, b) => a.at.getTime() - b.at.getTime());
  const out = new Set<string>();
  return replies.filter(one => {
    if (out.has(one.number)) return false;
    if (isOptOut(one.text)) out.add(one.number);
    return true;
  });
}

const isOptOut = (text: string) => text.toUpperCase() === 'RET';
const consenting = new Set(consentingCustomers);
const blocked = new Set(blockedCustomers);

function mayGet({ commercial }: PlannedOrder, number: string): boolean {
  return /^5\d{9}$/.test(number) && !blocked.has(number) && (!commercial || consenting.has(number));
}

function turkishMidnight(ms: number): number {
  return Math.floor((ms + turkeyOffsetMs) / dayMs) * dayMs - turkeyOffsetMs;
}

/** A number that looks random but is fixed. */
function mixed(...parts: number[]): number {
  let hash = 2_166_136_261;
  for (const part of parts) {
    hash = Math.imul(hash ^ (part + 1), 16_777_619);
    hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507);
  }
  return (hash ^ (hash >>> 13)) >>> 0;
}
