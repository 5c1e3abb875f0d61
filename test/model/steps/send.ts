// send-sms: every check in the order in which it is answered, and the order that an accepted one becomes.
import fc from 'fast-check';
import type { Reply } from '../../support/customers/client.ts';
import { expectCode, expectSame } from '../answers.ts';
import { kind } from '../kind.ts';
import { anyNumber, readNumber } from '../numbers.ts';
import { creditsOf, shownOnPhone, texts } from '../texts.ts';
import {
  type Account,
  addOrder,
  dayMs,
  isBlocked,
  type List,
  type Message,
  type Mode,
  type Order,
  turkeyTime,
  type Who,
  type World,
} from '../world.ts';

type Given = {
  who: Who;
  sender: string | null;
  messages: { text: number; numbers: (string | number)[] }[];
  spelling: 'list' | 'object' | 'commas';
  encoding: string | null;
  /** Minutes from now, written in one of the four forms; or what is no time; null = none given. */
  time: { minutes: number; form: number } | string | null;
  iys: string | number | boolean | null;
  iysList: string | null;
  key: string | null;
  /** Which of those accepted before it repeats. */
  again: number | null;
};

/** In place of a sender: one that this account may use now. */
const usable = '(usable)';
const minuteMs = 60_000;
const duplicateMs = 10 * minuteMs;
const mostly = <T>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: others.length * 3 }, fc.constantFrom(...others));

const time: fc.Arbitrary<Given['time']> = fc.oneof(
  { arbitrary: fc.constant(null), weight: 6 },
  { arbitrary: fc.record({ minutes: fc.constantFrom(-5, 1, 30, 90, 90), form: fc.nat(3) }), weight: 6 },
  { arbitrary: fc.constantFrom('31/02/2026 10:00', '2026-13-01 10:00', 'yarın', '10/10/2026'), weight: 1 },
);

const message = fc.record({
  // The short ones most of the time, so that two orders are sometimes alike.
  text: fc.oneof({ arbitrary: fc.nat(2), weight: 4 }, fc.nat(texts.length - 1)),
  numbers: fc.oneof(
    { arbitrary: fc.uniqueArray(anyNumber, { minLength: 1, maxLength: 4 }), weight: 12 },
    { arbitrary: fc.constant<(string | number)[]>([]), weight: 1 },
  ),
});

const given: fc.Arbitrary<Given> = fc.record({
  who: fc.constantFrom<Who>(0, 0, 1),
  sender: mostly<string | null>(usable, 'PEYK', 'APITEST', 'peyk', 'ORNEK', null),
  messages: fc.oneof({ arbitrary: fc.tuple(message), weight: 5 }, fc.array(message, { minLength: 2, maxLength: 2 })),
  spelling: fc.constantFrom('list', 'list', 'object', 'commas'),
  encoding: mostly<string | null>(null, 'utf8', 'gsm0338-tr', 'gsm0338', 'other'),
  time,
  iys: fc.oneof(
    { arbitrary: fc.constant<Given['iys']>(null), weight: 6 },
    { arbitrary: fc.constantFrom<Given['iys']>('1', 1, true), weight: 6 },
    fc.constantFrom<Given['iys']>('0', 0, false, '', 'evet'),
  ),
  iysList: mostly<string | null>('BIREYSEL', 'TACIR', null, 'HEPSI'),
  key: mostly<string | null>(null, 'a', 'b'),
  again: fc.oneof({ arbitrary: fc.constant(null), weight: 4 }, fc.nat(5)),
});

export const send = kind<Given, Reply>({
  weight: 14,
  given,
  isAtomic: true,
  resolve(world, given) {
    const { again } = given;
    const earlier =
      typeof again === 'number' ? world.asked.at(-1 - (again % Math.max(1, world.asked.length))) : undefined;
    const one = (earlier ?? given) as Given;
    return one.sender === usable ? { ...one, sender: world.accounts[one.who].senders[0] ?? 'APITEST' } : one;
  },
  run: (rig, world, one) =>
    rig.call(one.who, 'send-sms', { order: wireOrder(world, one) }, one.key ? { 'idempotency-key': one.key } : {}),
  judge(world, one, reply) {
    const account = world.accounts[one.who];
    const body = JSON.stringify(wireOrder(world, one));
    const earlier = one.key === null ? undefined : account.keys[one.key];
    if (earlier && world.nowMs - earlier.atMs < dayMs) return repeat(account, earlier, body, reply);
    const verdict = judgeOrder(world, account, one);
    const code = typeof verdict === 'number' ? verdict : 200;
    if (!expectCode(account, reply, code) || typeof verdict === 'number') return;
    const id = idOf(world, reply);
    account.sms -= verdict.messages.reduce((sum, message) => sum + (message.status === 110 ? message.credits : 0), 0);
    addOrder(world, { ...verdict, id });
    world.asked.push(one);
    if (one.key !== null) account.keys[one.key] = { body, id, atMs: world.nowMs };
  },
});

/** Of the right shape, and nobody's before. */
function idOf(world: World, { response }: Reply): string {
  const { id, orderId } = response.order!;
  expectSame(
    'order',
    { shape: /^[1-9]\d*$/.test(id), orderId, order: response.order },
    {
      shape: true,
      orderId: id,
      order: { id, orderId: id },
    },
  );
  expectSame(
    'orders with this id',
    world.orders.filter(one => one.id === id),
    [],
  );
  return id;
}

function repeat(account: Account, earlier: { body: string; id: string }, body: string, reply: Reply): void {
  if (!expectCode(account, reply, earlier.body === body ? 200 : 422)) return;
  expectSame('order', reply.response.order, { id: earlier.id, orderId: earlier.id });
}

function wireOrder({ nowMs }: World, one: Given): object {
  const messages = one.messages.map(({ text, numbers }) => ({
    text: texts[text],
    receipents: { number: spelled(numbers, one.spelling) },
  }));
  return {
    ...(one.sender === null ? {} : { sender: one.sender }),
    message: messages.length === 1 ? messages[0] : messages,
    ...(one.encoding === null ? {} : { encoding: one.encoding }),
    ...(one.time === null ? {} : { sendDateTime: typeof one.time === 'string' ? one.time : timeText(nowMs, one.time) }),
    ...(one.iys === null ? {} : { iys: one.iys }),
    ...(one.iysList === null ? {} : { iysList: one.iysList }),
  };
}

function spelled(numbers: (string | number)[], spelling: Given['spelling']): unknown {
  if (spelling === 'object' && numbers.length > 0) return Object.fromEntries(numbers.map((one, i) => [i * 3, one]));
  return spelling === 'commas' && numbers.length > 0 ? numbers.join(',') : numbers;
}

/** `form` 1 and 3 have no seconds. */
function timeText(nowMs: number, { minutes, form }: { minutes: number; form: number }): string {
  const iso = turkeyTime(nowMs + minutes * minuteMs);
  const [day, clock] = [iso.slice(0, 10), iso.slice(11, form % 2 === 1 ? 16 : 19)];
  return form < 2 ? `${day.split('-').reverse().join('/')} ${clock}` : `${day} ${clock}`;
}

type NewOrder = Omit<Order, 'id'>;

/** The order it becomes, or the code of the first check that fails. */
function judgeOrder(world: World, account: Account, one: Given): NewOrder | number {
  const { sender } = one;
  const usable = account.senders.length === 0 ? sender === 'APITEST' : account.senders.includes(sender ?? '');
  if (sender === null || !usable) return 450;
  const mode = modes[one.encoding ?? ''] ?? account.mode;
  const credits = one.messages.map(({ text }) => creditsOf(texts[text]!, mode));
  if (credits.includes(0)) return 454;
  if (credits.includes(null)) return 453;
  if (typeof one.time === 'string') return 457;
  const list = listOf(account, one);
  if (typeof list === 'number') return list;
  const messages = one.messages.flatMap(({ text, numbers }, i) => {
    const each = { credits: credits[i]!, text: shownOnPhone(texts[text]!, mode) };
    return recipients(account, numbers, each, list);
  });
  const waiting = messages.filter(message => message.status === 110);
  if (waiting.length === 0) return nobody(account, one);
  const likeness = likenessOf(account, one);
  if (world.orders.some(order => order.who === one.who && isAlike(world, order, likeness))) return 451;
  if (waiting.reduce((sum, message) => sum + message.credits, 0) > account.sms) return 402;
  const sendMs = Math.max(world.nowMs, one.time === null ? 0 : timeMs(world.nowMs, one.time));
  const state = sendMs > world.nowMs ? 'scheduled' : 'begun';
  return { who: one.who, sender, likeness, submitMs: world.nowMs, sendMs, state, list, messages };
}

const modes: Record<string, Mode> = { utf8: 'unicode', 'gsm0338-tr': 'turkish', gsm0338: 'english' };

function timeMs(nowMs: number, { minutes, form }: { minutes: number; form: number }): number {
  const ms = nowMs + minutes * minuteMs;
  return form % 2 === 1 ? ms - (ms % minuteMs) : ms - (ms % 1_000);
}

/** The list against which consent is checked, null for none, or the code that refuses. APITEST is never commercial. */
function listOf(account: Account, { sender, iys, iysList }: Given): List | null | number {
  if (sender === 'APITEST' || iys === null || iys === '' || ['0', 'false'].includes(String(iys))) return null;
  if (!['1', 'true'].includes(String(iys))) return 468;
  if (iysList !== 'BIREYSEL' && iysList !== 'TACIR') return 469;
  return account.brand.active ? iysList : 470;
}

/** Each number once, in the order given; whom we must not write to stands there as 112 from the beginning. */
function recipients(
  account: Account,
  numbers: (string | number)[],
  each: Pick<Message, 'credits' | 'text'>,
  list: List | null,
): Message[] {
  const found = new Map<string, Message>();
  for (const given of numbers) {
    const read = readNumber(given, account.abroad);
    const number = read ?? String(given);
    const isHeld = read === null || isBlocked(account, read, list);
    if (!found.has(number))
      found.set(number, {
        number,
        status: isHeld ? 112 : 110,
        ...each,
        place: isHeld ? 'held' : 'here',
        closed: false,
      });
  }
  return [...found.values()];
}

/** 469 where somebody could be written to if he consented. */
function nobody(account: Account, { messages }: Given): number {
  const read = messages.flatMap(({ numbers }) => numbers.map(given => readNumber(given, account.abroad)));
  return read.some(number => number !== null && !account.blacklist.includes(number)) ? 469 : 452;
}

function likenessOf(account: Account, one: Given): string {
  const goodOnes = (numbers: (string | number)[]) =>
    [...new Set(numbers.map(given => readNumber(given, account.abroad)).filter(number => number !== null))].sort();
  return JSON.stringify([one.sender, one.messages.map(({ text, numbers }) => [texts[text], goodOnes(numbers)])]);
}

function isAlike({ nowMs }: World, order: Order, likeness: string): boolean {
  return order.likeness === likeness && order.state !== 'cancelled' && nowMs - order.submitMs < duplicateMs;
}
