// What only shows in numbers: more orders than a page of get-reports, more messages than a page of get-report.
import fc from 'fast-check';
import { grantCredit } from '../../../src/balance/ledger.ts';
import type { Reply } from '../../support/customers/client.ts';
import { expectCode, expectSame } from '../answers.ts';
import { kind } from '../kind.ts';
import { addOrder, mayCall, type Who, type World } from '../world.ts';
import { reports } from './orders.ts';

const who = fc.constantFrom<Who>(0, 1);
type Whose = { who: Who };
const senderOf = (world: World, owner: Who) => world.accounts[owner].senders[0] ?? 'APITEST';

const ordersMany = 31;
const number = '+905550000004';
const text = (i: number) => `Sira ${i}`;
type Burst = { sent: Reply[]; pages: Reply[] };
const page = (owner: Who, no: number) => ({ who: owner, range: 'today', index: 0, atMs: 0, page: no, beside: false });

/** One more order than a page holds, all at once, then both pages. */
export const burst = kind<Whose, Burst>({
  weight: 1,
  given: fc.record({ who }),
  isAtomic: false,
  async run(rig, world, one) {
    await grantCredit(rig.app.db, rig.id(one.who), ordersMany, 'model', 'model');
    const sender = senderOf(world, one.who);
    const sent = await Promise.all(
      Array.from({ length: ordersMany }, (_, i) =>
        rig.call(one.who, 'send-sms', { order: { sender, message: { text: text(i), receipents: { number } } } }),
      ),
    );
    const pages: Reply[] = [];
    for (const no of [1, 2]) pages.push((await reports.run(rig, world, page(one.who, no))) as Reply);
    return { sent, pages };
  },
  judge(world, one, { sent, pages }) {
    const account = world.accounts[one.who];
    account.sms += ordersMany;
    const sender = senderOf(world, one.who);
    const isListed = account.blacklist.includes(number);
    for (const [i, reply] of sent.entries()) {
      const likeness = JSON.stringify([sender, [[text(i), [number]]]]);
      const isRepeated = world.orders.some(
        order => order.who === one.who && order.likeness === likeness && world.nowMs - order.submitMs < 600_000,
      );
      if (!expectCode(account, reply, isListed ? 452 : isRepeated ? 451 : 200)) continue;
      account.sms--;
      addOrder(world, {
        id: reply.response.order!.id,
        who: one.who,
        sender,
        likeness,
        submitMs: world.nowMs,
        sendMs: world.nowMs,
        state: 'begun',
        list: null,
        messages: [{ number, status: 110, credits: 1, text: `${text(i)} B186`, place: 'here', closed: false }],
      });
    }
    for (const [i, reply] of pages.entries()) reports.judge(world, page(one.who, i + 1), reply);
  },
});

const messagesMany = 1_003;
const pageSizes = [1_000, 3, 0];

/** An order of more messages than a page holds; cancelled, so that it can be read at once. */
export const bulk = kind<Whose, { sent: Reply; pages: Reply[] }>({
  weight: 1,
  given: fc.record({ who }),
  isAtomic: false,
  async run(rig, world, one) {
    const sender = senderOf(world, one.who);
    await grantCredit(rig.app.db, rig.id(one.who), messagesMany, 'model', 'model');
    const numbers = Array.from({ length: messagesMany }, (_, i) => `555${1_000_000 + i}`);
    const message = { text: 'Toplu', receipents: { number: numbers } };
    const order = { sender, message, sendDateTime: '2099-01-01 10:00' };
    const sent = await rig.call(one.who, 'send-sms', { order });
    const takeBack = () => grantCredit(rig.app.db, rig.id(one.who), -messagesMany, 'model', 'model');
    if (sent.code !== 200) {
      await takeBack();
      return { sent, pages: [] };
    }
    const { id } = sent.response.order!;
    await rig.call(one.who, 'cancel-order', { order: { id } });
    const pages: Reply[] = [];
    for (const no of [1, 2, 3]) pages.push(await rig.call(one.who, 'get-report', { order: { id, page: String(no) } }));
    await takeBack();
    return { sent, pages };
  },
  judge(world, one, { sent, pages }) {
    const account = world.accounts[one.who];
    expectCode(account, sent, 200);
    if (!mayCall(account)) return;
    expectSame(
      'messages by page',
      pages.map(({ response }) => response.order!.message.length),
      pageSizes,
    );
    const { total, undelivered, price, status } = pages[0]!.response.order!;
    expectSame(
      'order',
      { total, undelivered, price, status },
      { total: messagesMany, undelivered: messagesMany, price: 0, status: 115 },
    );
    addOrder(world, {
      id: sent.response.order!.id,
      who: one.who,
      sender: senderOf(world, one.who),
      likeness: '',
      submitMs: world.nowMs,
      sendMs: Date.parse('2099-01-01T10:00:00+03:00'),
      state: 'cancelled',
      list: null,
      messages: Array.from({ length: messagesMany }, (_, i) => ({
        number: `+90555${1_000_000 + i}`,
        status: 112,
        credits: 1,
        text: '',
        place: 'held',
        closed: false,
      })),
    });
  },
});
