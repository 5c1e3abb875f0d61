// The blacklist and the inbox.
import fc from 'fast-check';
import { receiveInboundText } from '../../../src/inbound/receive.ts';
import type { Reply } from '../../support/customers/client.ts';
import { expectCode, expectSame } from '../answers.ts';
import { kind } from '../kind.ts';
import { anyNumber, anySubscriber, readNumber } from '../numbers.ts';
import { secondMs, turkeyTime, type Who, type World } from '../world.ts';

const who = fc.constantFrom<Who>(0, 0, 1);
type OneNumber = { who: Who; number: string | number | null };
const oneNumber = fc.record({ who, number: fc.oneof({ arbitrary: anyNumber, weight: 12 }, fc.constant(null)) });
const members = ({ number }: OneNumber) => ({ blacklist: number === null ? {} : { number: String(number) } });
const read = (world: World, one: OneNumber) =>
  one.number === null ? null : readNumber(String(one.number), world.accounts[one.who].abroad);

export const addBlacklist = kind<OneNumber, Reply>({
  weight: 4,
  given: oneNumber,
  isAtomic: true,
  run: (rig, _, one) => rig.call(one.who, 'add-blacklist', members(one)),
  judge(world, one, reply) {
    const account = world.accounts[one.who];
    const number = read(world, one);
    if (!expectCode(account, reply, number === null ? 466 : 200)) return;
    if (!account.blacklist.includes(number!)) account.blacklist.push(number!);
  },
});

export const deleteBlacklist = kind<OneNumber, Reply>({
  weight: 3,
  given: oneNumber,
  isAtomic: true,
  run: (rig, _, one) => rig.call(one.who, 'delete-blacklist', members(one)),
  judge(world, one, reply) {
    const account = world.accounts[one.who];
    const number = read(world, one);
    const code = number === null ? 466 : account.blacklist.includes(number) ? 200 : 474;
    if (!expectCode(account, reply, code)) return;
    account.blacklist = account.blacklist.filter(one => one !== number);
  },
});

type Paged = { who: Who; filter: string; page: number; rowCount: number | null };
const paged = (filters: string[]) =>
  fc.record({
    who,
    filter: fc.constantFrom('none', 'none', ...filters),
    page: fc.constantFrom(1, 1, 1, 2, 3, 0),
    rowCount: fc.constantFrom(null, null, 1, 2),
  });

function wirePages({ page, rowCount }: Paged): object {
  return { page: String(page), ...(rowCount === null ? {} : { rowCount: String(rowCount) }) };
}

/** A page below 1 and a bad date: which is reported first is undefined. */
function pageCode({ page, filter }: Paged, reply: Reply): number {
  if (filter !== 'no date') return page < 1 ? 464 : 200;
  return page < 1 && reply.code === 464 ? 464 : 422;
}

function pageOf<T>(all: T[], { page, rowCount }: Paged): T[] {
  const rows = rowCount ?? 1_000;
  return all.slice((page - 1) * rows, page * rows);
}

const hourMs = 3_600_000;
/** Entries carry the database's own time, so bounds are an hour off on either side of it; all or none are within. */
const sides: Record<string, { start?: number; end?: number; all: boolean }> = {
  none: { all: true },
  since: { start: -hourMs, all: true },
  until: { end: hourMs, all: true },
  between: { start: -hourMs, end: hourMs, all: true },
  later: { start: hourMs, all: false },
  earlier: { end: -hourMs, all: false },
};

function boundsOf(filter: string): object {
  if (filter === 'no date') return { start: 'dün' };
  const { start, end } = sides[filter]!;
  const at = (ms: number) => turkeyTime(Date.now() + ms);
  return { ...(start !== undefined && { start: at(start) }), ...(end !== undefined && { end: at(end) }) };
}

export const getBlacklist = kind<Paged, Reply>({
  weight: 4,
  given: paged([...Object.keys(sides), 'no date']),
  isAtomic: true,
  run: (rig, _, one) =>
    rig.call(one.who, 'get-blacklist', { blacklist: { filter: boundsOf(one.filter), ...wirePages(one) } }),
  judge(world, one, reply) {
    const account = world.accounts[one.who];
    if (!expectCode(account, reply, pageCode(one, reply))) return;
    const listed = sides[one.filter]!.all ? account.blacklist : [];
    expectSame('blacklist', reply.response.blacklist, { count: listed.length, number: pageOf(listed, one) });
  },
});

type Written = { who: Who; from: string; text: string };
const optOuts = ['RET', 'ret', 'İptal', 'IPTAL', 'iptal', 'Dur', 'STOP'];

/** A subscriber writes to the account's number. */
export const write = kind<Written, void>({
  weight: 3,
  given: fc.record({ who, from: anySubscriber, text: fc.constantFrom(...optOuts, 'Merhaba', 'RET degil', 'Tamam') }),
  isAtomic: false,
  run: (rig, world, { who: to, from, text }) =>
    receiveInboundText(rig.app.db, 1, { id: '', from: from.slice(1), to: world.accounts[to].inboundNumber, text }),
  judge(world, { who: to, from, text }) {
    const account = world.accounts[to];
    account.inbox.push({ number: from, to: account.inboundNumber, text, atMs: world.nowMs });
    if (optOuts.includes(text) && !account.blacklist.includes(from)) account.blacklist.push(from);
  },
});

export const getInbox = kind<Paged & { index: number }, Reply>({
  weight: 3,
  given: fc
    .tuple(paged(['one message', 'since', 'until', 'no date']), fc.nat(5))
    .map(([one, index]) => ({ ...one, index })),
  isAtomic: true,
  run: (rig, world, one) =>
    rig.call(one.who, 'get-inbox', { inbox: { filter: inboxFilter(world, one).filter, ...wirePages(one) } }),
  judge(world, one, reply) {
    const account = world.accounts[one.who];
    if (!expectCode(account, reply, pageCode(one, reply))) return;
    const { from, to } = inboxFilter(world, one);
    const within = account.inbox.filter(({ atMs }) => atMs >= from && atMs < to).toReversed();
    const inbox = reply.response.inbox!;
    expectSame('count', inbox.count, within.length);
    expectSame(
      'messages',
      inbox.message.map(({ id, ...rest }) => ({ ...rest, hasId: Number.isSafeInteger(id) })),
      pageOf(within, one).map(({ atMs, ...rest }) => ({ ...rest, receivedAt: turkeyTime(atMs), hasId: true })),
    );
  },
});

function inboxFilter({ accounts, nowMs }: World, one: Paged & { index: number }) {
  const { inbox } = accounts[one.who];
  const atMs = inbox[one.index % Math.max(1, inbox.length)]?.atMs ?? nowMs;
  const at = turkeyTime(atMs);
  const [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const filters: Record<string, { filter: object; from: number; to: number }> = {
    none: { filter: {}, from, to },
    'one message': { filter: { start: at, end: at }, from: atMs, to: atMs + secondMs },
    since: { filter: { start: at }, from: atMs, to },
    until: { filter: { end: at }, from, to: atMs + secondMs },
    'no date': { filter: { end: '2025-02-30' }, from, to },
  };
  return filters[one.filter]!;
}
