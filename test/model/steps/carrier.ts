// What happens beside the interface and shows in it: time passes, schedules fire, messages leave, receipts come or do not.
import fc from 'fast-check';
import { silentLog } from '../../../src/log.ts';
import { fireDue } from '../../../src/queue/fire.ts';
import { closeOverdue } from '../../../src/settle/close.ts';
import { expectSame } from '../answers.ts';
import { closing } from '../hand-crank.ts';
import { kind } from '../kind.ts';
import { refusedNumber } from '../numbers.ts';
import { dayMs, end, isBlocked, type Message, type Order, secondMs, type World } from '../world.ts';

const minute = 60;

export const pass = kind<{ seconds: number }, void>({
  weight: 5,
  given: fc.record({
    seconds: fc.constantFrom(1, 40, 3 * minute, 9 * minute, 11 * minute, 95 * minute, 25 * 60 * minute),
  }),
  isAtomic: false,
  run: async (rig, world, { seconds }) => rig.clockIs({ ...world, nowMs: world.nowMs + seconds * secondMs }),
  judge(world, { seconds }) {
    world.nowMs += seconds * secondMs;
  },
});

/** Schedules whose time has come begin; who may not be written to any more falls out. */
export const fire = kind<object, void>({
  weight: 3,
  given: fc.constant({}),
  isAtomic: true,
  async run(rig) {
    while ((await fireDue(rig.app.db, silentLog, closing.afterMs)) === 0);
  },
  judge: beginDue,
});

function beginDue(world: World): void {
  for (const order of world.orders) {
    const account = world.accounts[order.who];
    if (order.state !== 'scheduled' || order.sendMs > world.nowMs || !account.active) continue;
    order.state = 'begun';
    for (const message of order.messages)
      if (message.status === 110 && isBlocked(account, message.number, order.list)) hold(world, order, message);
  }
}

function hold(world: World, order: Order, message: Message): void {
  end(world, order, message, 112);
  message.place = 'held';
}

const validityMs = dayMs;

/** All that waits and may still leave is given to the carrier: once, and nobody else's. */
export const dispatch = kind<object, string[]>({
  weight: 8,
  given: fc.constant({}),
  isAtomic: false,
  async run(rig) {
    while ((await fireDue(rig.app.db, silentLog, closing.afterMs)) === 0);
    return rig.crank.turn();
  },
  judge(world, _, seen) {
    beginDue(world);
    const promised: string[] = [];
    for (const order of world.orders) {
      if (order.state !== 'begun' || !world.accounts[order.who].active) continue;
      for (const message of order.messages)
        if (message.place === 'here') promised.push(...leave(world, order, message));
    }
    expectSame('on the air', seen, promised.sort());
  },
});

function leave(world: World, order: Order, message: Message): string[] {
  const account = world.accounts[order.who];
  const isRevoked = order.sender !== 'APITEST' && !account.senders.includes(order.sender);
  if (isRevoked || order.sendMs + validityMs < world.nowMs || isBlocked(account, message.number, order.list)) {
    hold(world, order, message);
    return [];
  }
  message.place = message.number === refusedNumber ? 'refused' : 'air';
  if (message.place === 'refused') end(world, order, message, 112);
  return [`${message.number} ${message.text}`];
}

/** `order`, `place`: the message in question; none while the carrier has none. */
type Reported = { message: number; word: string; order?: string; place?: number };
const words = ['DELIVRD', 'DELIVRD', 'DELIVRD', 'UNDELIV', 'EXPIRED', 'REJECTD', 'DELETED', 'ENROUTE', 'UNKNOWN'];

/** The carrier says how one of its messages ended; also of one that had ended before. */
export const receipt = kind<Reported, boolean>({
  weight: 9,
  given: fc.record({ message: fc.nat(60), word: fc.constantFrom(...words) }),
  isAtomic: true,
  resolve({ orders }, one) {
    const all = orders.flatMap(({ id, messages }) =>
      messages.flatMap((message, place) => (message.place === 'air' ? [{ order: id, place }] : [])),
    );
    return { ...one, ...all[one.message % Math.max(1, all.length)] };
  },
  run: async (rig, _, one) => one.order === undefined || rig.crank.report(one.order, one.place!, one.word),
  judge(world, one, wasTaken) {
    expectSame('the carrier had it', wasTaken, true);
    const order = world.orders.find(({ id }) => id === one.order);
    if (!order || ['ENROUTE', 'UNKNOWN'].includes(one.word)) return;
    const message = order.messages[one.place!]!;
    if (message.closed && one.word === 'DELIVRD') return correct(world, order, message);
    // Never after a carrier's own final word.
    message.closed = false;
    end(world, order, message, one.word === 'DELIVRD' ? 111 : 112);
  },
});

/** It was closed because nobody said anything; paid as far as the balance reaches. */
function correct(world: World, order: Order, message: Message): void {
  const account = world.accounts[order.who];
  if (account.sms < message.credits) message.credits = 0;
  account.sms -= message.credits;
  message.status = 111;
  message.closed = false;
}

/** As long without a word from the carrier as it takes: what is open is closed, and costs nothing. The clock then goes on as before. */
export const close = kind<object, void>({
  weight: 1,
  given: fc.constant({}),
  isAtomic: false,
  async run(rig, world) {
    rig.clockIs({ ...world, nowMs: world.nowMs + 2 * closing.afterMs });
    const overdue = closeOverdue(rig.app.db, silentLog, closing.afterMs);
    while ((await overdue()) === 0);
    rig.clockIs(world);
  },
  judge(world) {
    for (const order of world.orders.filter(one => one.state === 'begun'))
      for (const message of order.messages.filter(one => one.status === 110)) {
        end(world, order, message, 112);
        if (message.place === 'air') message.closed = true;
        else message.place = 'held';
      }
  },
});
