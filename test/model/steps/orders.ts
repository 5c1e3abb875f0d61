// cancel-order, get-report, get-reports; and the panel's "at another time", which changes the same order.
import fc from 'fast-check';
import { rescheduleOrder } from '../../../src/queue/reschedule.ts';
import { Refusal } from '../../../src/status.ts';
import type { Reply } from '../../support/customers/client.ts';
import { expectCode, expectSame } from '../answers.ts';
import { kind } from '../kind.ts';
import {
  dayMs,
  end,
  type Order,
  orderAt,
  priceOf,
  secondMs,
  summaryOf,
  turkeyTime,
  type Who,
  type World,
} from '../world.ts';

const who = fc.constantFrom<Who>(0, 0, 1);
/** One of those there are, of whichever account; or an id that is none. */
const order = fc.oneof({ arbitrary: fc.nat(40), weight: 12 }, fc.constantFrom('9', 'abc', '0', '', '99999999999999'));
/** `who`: null for the order's owner. */
const asker = fc.oneof({ arbitrary: fc.constant(null), weight: 5 }, who);
type Asked = { who: Who | null; order: number | string; asNumber: boolean };
const asked = { who: asker, order, asNumber: fc.boolean() };

/** By its id from here on, which is nobody's where there is no order yet. */
function resolve<G extends { who: Who | null; order: number | string }>(world: World, given: G): G {
  const one = typeof given.order === 'string' ? undefined : orderAt(world, given.order);
  const id = typeof given.order === 'string' ? given.order : (one?.id ?? '9');
  return { ...given, order: id, who: given.who ?? one?.who ?? 0 };
}

function wireId({ order: id, asNumber }: Asked): string | number {
  return asNumber && /^\d+$/.test(String(id)) ? Number(id) : id;
}

/** The order asked for, if it is this account's. */
function found(world: World, { order: id, who: owner }: Pick<Asked, 'order' | 'who'>): Order | undefined {
  return world.orders.find(one => one.id === id && one.who === owner);
}

export const cancel = kind<Asked, Reply>({
  weight: 6,
  given: fc.record(asked),
  isAtomic: true,
  resolve,
  run: (rig, _, one) => rig.call(one.who!, 'cancel-order', { order: { id: wireId(one) } }),
  judge(world, one, reply) {
    const mine = found(world, one);
    const code = mine?.state === 'scheduled' ? 200 : 455;
    if (!expectCode(world.accounts[one.who!], reply, code)) return;
    mine!.state = 'cancelled';
    for (const message of mine!.messages) {
      end(world, mine!, message, 112);
      message.place = 'held';
    }
  },
});

type AskedReport = Asked & { page: string | number | null; rowCount: string | number | null };
const rowsMax = 1_000;

export const report = kind<AskedReport, Reply>({
  weight: 10,
  given: fc.record({
    ...asked,
    page: fc.constantFrom(null, null, null, null, '1', 2, '0', -1),
    rowCount: fc.constantFrom(null, null, '1', 2, '5000'),
  }),
  isAtomic: true,
  resolve,
  run(rig, _, one) {
    const pages = {
      ...(one.page !== null && { page: one.page }),
      ...(one.rowCount !== null && { rowCount: one.rowCount }),
    };
    return rig.call(one.who!, 'get-report', { order: { id: wireId(one), ...pages } });
  },
  judge(world, one, reply) {
    const mine = found(world, one);
    const page = Number(one.page ?? 1);
    const code = !mine ? 455 : mine.state === 'scheduled' ? 456 : page < 1 ? 464 : 200;
    if (!expectCode(world.accounts[one.who!], reply, code)) return;
    const rows = Math.min(rowsMax, Number(one.rowCount ?? rowsMax));
    const shown = mine!.messages.slice((page - 1) * rows, page * rows);
    expectSame('order', reply.response.order, {
      ...summaryOf(mine!),
      id: mine!.id,
      price: priceOf(mine!),
      message: shown.map(({ number, status }) => ({ number, status })),
    });
  },
});

/** `atMs`: when the order in question was submitted. */
type AskedReports = {
  who: Who;
  range: string;
  index: number;
  atMs?: number;
  page: number | null;
  beside: boolean;
};
const ordersPerPage = 30;

type Range = { filter: object; from: number; to: number } | { filter: object };

/** By name: what is asked for, and from when to when that is; without: 458. Days are Turkey's. */
const ranges: Record<string, (nowMs: number, atMs: number) => Range> = {
  today: nowMs => days(nowMs, nowMs),
  'ten days': nowMs => days(nowMs - 10 * dayMs, nowMs),
  'one order': (_, ms) => ({ filter: { start: turkeyTime(ms), end: turkeyTime(ms) }, from: ms, to: ms + secondMs }),
  'since an order': (nowMs, atMs) => {
    const ms = Math.max(atMs, nowMs - 9 * dayMs);
    return { filter: { start: turkeyTime(ms), end: turkeyTime(nowMs) }, from: ms, to: nowMs + secondMs };
  },
  'eleven days': nowMs => ({ filter: days(nowMs - 11 * dayMs, nowMs).filter }),
  'the wrong way': nowMs => ({ filter: days(nowMs, nowMs - dayMs).filter }),
  'no end': nowMs => ({ filter: { start: turkeyTime(nowMs).slice(0, 10) } }),
  'no date': () => ({ filter: { start: '2025-02-30', end: '2025-03-01' } }),
};

function days(startMs: number, endMs: number) {
  const [start, last] = [turkeyTime(startMs).slice(0, 10), turkeyTime(endMs).slice(0, 10)];
  const midnight = (day: string) => Date.parse(`${day}T00:00:00+03:00`);
  return { filter: { start, end: last }, from: midnight(start), to: midnight(last) + dayMs };
}

export const reports = kind<AskedReports, Reply>({
  weight: 4,
  given: fc.record({
    who,
    range: fc.oneof(fc.constantFrom('today', 'ten days', 'since an order'), fc.constantFrom(...Object.keys(ranges))),
    index: fc.nat(40),
    page: fc.constantFrom(null, null, 1, 2, 0),
    beside: fc.boolean(),
  }),
  isAtomic: true,
  resolve: (world, one) => ({ ...one, atMs: orderAt(world, one.index)?.submitMs ?? world.nowMs }),
  run(rig, { nowMs }, one) {
    const page = one.page === null ? {} : { page: one.page };
    const { filter } = ranges[one.range]!(nowMs, one.atMs!);
    return rig.call(one.who, 'get-reports', one.beside ? { filter, ...page } : { filter: { ...filter, ...page } });
  },
  judge(world, one, reply) {
    const range = ranges[one.range]!(world.nowMs, one.atMs!);
    const page = one.page ?? 1;
    const code = !('from' in range) ? 458 : page < 1 ? 464 : 200;
    if (!expectCode(world.accounts[one.who], reply, code) || !('from' in range)) return;
    const mine = world.orders.filter(
      ({ who: owner, submitMs }) => owner === one.who && submitMs >= range.from && submitMs < range.to,
    );
    const newest = mine.toSorted((a, b) => b.submitMs - a.submitMs || Number(b.id) - Number(a.id));
    const shown = newest.slice((page - 1) * ordersPerPage, page * ordersPerPage);
    expectSame('count', reply.response.count, mine.length);
    expectSame(
      'orders',
      reply.response.orders,
      shown.map(order => ({ ...summaryOf(order), id: Number(order.id) })),
    );
  },
});

type Moved = { who: Who | null; order: number | string; minutes: number };

export const reschedule = kind<Moved, number>({
  weight: 1,
  given: fc.record({ who: asker, order: fc.nat(40), minutes: fc.constantFrom(2, 45, 200) }),
  isAtomic: true,
  resolve,
  async run(rig, world, one) {
    const id = Number(one.order);
    const at = new Date(world.nowMs + one.minutes * 60 * secondMs);
    try {
      await rescheduleOrder(rig.app.db, rig.id(one.who!), id, at);
      return 200;
    } catch (error) {
      if (error instanceof Refusal) return error.code;
      throw error;
    }
  },
  judge(world, one, code) {
    const mine = found(world, one);
    const isMovable = mine?.state === 'scheduled';
    expectSame('code', code, isMovable ? 200 : 455);
    if (isMovable) mine!.sendMs = world.nowMs + one.minutes * 60 * secondMs;
  },
});
