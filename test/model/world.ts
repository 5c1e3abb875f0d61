// What the interface promises, as a world small enough to read: accounts with what they own, and a clock. It is written from
// the specification alone and knows nothing of the program; steps (steps/*.ts) change it and say what must be answered.
export type Who = 0 | 1;
type MessageStatus = 110 | 111 | 112;
export type List = 'BIREYSEL' | 'TACIR';
export type Mode = 'english' | 'turkish' | 'unicode';

export type Message = {
  /** As a report shows it: `+90…`, or as given where it is no number. */
  number: string;
  status: MessageStatus;
  credits: number;
  /** As the phone shows it, where that is plain ASCII in one part; otherwise ''. */
  text: string;
  /** `air`: a carrier took it; `refused`: a carrier saw it and did not; `held`: no carrier saw it, nor will. */
  place: 'here' | 'air' | 'refused' | 'held';
  /** Ended by us, because no carrier said how it ended: the one end that a receipt may still correct. */
  closed: boolean;
};

export type Order = {
  id: string;
  who: Who;
  sender: string;
  /** What the duplicate rule compares. */
  likeness: string;
  submitMs: number;
  sendMs: number;
  state: 'scheduled' | 'begun' | 'cancelled';
  list: List | null;
  messages: Message[];
};

export type Consent = {
  recipient: string;
  recipientType: string;
  type: string;
  status: string;
  source: string;
  dateMs: number;
};

type Brand = { code: number; active: boolean; quota: number | null; used: Record<string, number> };

export type Account = {
  sms: number;
  mode: Mode;
  abroad: boolean;
  api: boolean;
  active: boolean;
  senders: string[];
  brand: Brand;
  /** Oldest first. */
  blacklist: string[];
  /** In the order of arrival. */
  consents: Consent[];
  /** Oldest first. */
  inbox: { number: string; to: string; text: string; atMs: number }[];
  /** The number that people write to. */
  inboundNumber: string;
  keys: Record<string, { body: string; id: string; atMs: number }>;
};

export type World = {
  nowMs: number;
  accounts: [Account, Account];
  orders: Order[];
  /** What was accepted, as it was asked for: to be asked for again. */
  asked: object[];
};

const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
export const secondMs = 1_000;

/** Long ago, so that all that happens in a sequence lies before the database's own "now". */
const beginningMs = Date.UTC(2025, 2, 10, 9, 0, 0);
export const brandCodes = [701_701, 702_702] as const;
const welcomeCredit = 100;

export function newWorld(inboundNumbers: [string, string]): World {
  const account = (who: Who): Account => ({
    sms: welcomeCredit,
    mode: 'english',
    abroad: false,
    api: true,
    active: true,
    senders: [],
    brand: { code: brandCodes[who], active: false, quota: null, used: {} },
    blacklist: [],
    consents: [],
    inbox: [],
    inboundNumber: inboundNumbers[who],
    keys: {},
  });
  return { nowMs: beginningMs, accounts: [account(0), account(1)], orders: [], asked: [] };
}

/** `YYYY-MM-DD HH:MM:SS` in Turkey, three hours ahead all year. */
export function turkeyTime(ms: number): string {
  return new Date(ms + 3 * hourMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** Whether calls of this account are answered at all. */
export function mayCall({ api, active }: Account): boolean {
  return api && active;
}

/** In the order of their ids, so that two worlds with the same orders have them in the same places. */
export function addOrder({ orders }: World, order: Order): void {
  orders.push(order);
  orders.sort((a, b) => Number(a.id) - Number(b.id));
}

/** Of all orders of both accounts, by an index that always fits; undefined while there is none. */
export function orderAt({ orders }: World, index: number): Order | undefined {
  return orders[index % Math.max(1, orders.length)];
}

export function currentConsent(account: Account, recipient: string, recipientType: string, type: string) {
  return account.consents
    .filter(one => one.recipient === recipient && one.recipientType === recipientType && one.type === type)
    .reduce<Consent | undefined>((latest, one) => (latest && latest.dateMs > one.dateMs ? latest : one), undefined);
}

/** Whether this account must not write to this number (any more). */
export function isBlocked(account: Account, number: string, list: List | null): boolean {
  if (account.blacklist.includes(number)) return true;
  if (list === null) return false;
  return !account.brand.active || currentConsent(account, number, list, 'MESAJ')?.status !== 'ONAY';
}

/** Brings a message to its end; what is not delivered costs nothing. */
export function end(world: World, order: Order, message: Message, status: 111 | 112): void {
  if (message.status !== 110) return;
  message.status = status;
  if (status === 112) world.accounts[order.who].sms += message.credits;
}

const statusOf = (order: Order): number => {
  if (order.state === 'cancelled') return 115;
  if (order.state === 'scheduled' || order.messages.some(one => one.status === 110)) return 113;
  // As a whole it failed when no carrier saw any of it.
  return order.messages.every(one => one.place === 'held') ? 115 : 114;
};

/** The members that get-report and get-reports share. */
export function summaryOf(order: Order) {
  const count = (status: MessageStatus) => order.messages.filter(one => one.status === status).length;
  return {
    status: statusOf(order),
    total: order.messages.length,
    delivered: count(111),
    undelivered: count(112),
    waiting: count(110),
    submitAt: turkeyTime(order.submitMs),
    sendAt: turkeyTime(order.sendMs),
    sender: order.sender,
  };
}

/** Consumed, and reserved while messages wait. */
export function priceOf(order: Order): number {
  return order.messages.reduce((sum, one) => sum + (one.status === 112 ? 0 : one.credits), 0);
}
