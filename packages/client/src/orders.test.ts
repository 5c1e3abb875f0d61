// How a list is laid out over orders.
import { expect, test } from 'vitest';
import { numbers } from '../../../test/support/customers/samples.ts';
import { type NewOrder, wireOrders } from './orders.ts';
import { limits } from './wire.ts';

type Message = { text: string; receipents: { number: string[] } };
const messagesOf = (order: NewOrder) =>
  wireOrders(order).map(({ message }) => (Array.isArray(message) ? message : [message]) as Message[]);
const countsOf = (order: NewOrder) =>
  messagesOf(order).map(list => list.reduce((sum, one) => sum + one.receipents.number.length, 0));

test('no order has more than 50,000 recipients, and every recipient is in one', () => {
  const to = numbers(100_001);
  expect(countsOf({ sender: 'A', text: 'a', to })).toEqual([50_000, 50_000, 1]);
  expect(messagesOf({ sender: 'A', text: 'a', to }).flatMap(([one]) => one!.receipents.number)).toEqual(to);
  const personal = numbers(70_000).map((one, i) => ({ text: `${i % 9}`, to: [one] }));
  expect(countsOf({ sender: 'A', messages: personal })).toEqual([50_000, 20_000]);
});

test('a text goes to a number once, though it is spelled in two ways and would be in two orders', () => {
  const to = [
    ...numbers(50_000),
    '+90 (555) 000 00 00',
    '0090 555 000 00 01',
    '05550000002',
    '905550000003',
    '5550099999',
  ];
  expect(countsOf({ sender: 'A', text: 'a', to })).toEqual([50_000, 1]);
  // Within one order the server sees to it, and the report shows what was given.
  expect(countsOf({ sender: 'A', text: 'a', to: ['5550000000', '05550000000'] })).toEqual([2]);
});

test('personal texts are split where their body would not fit', () => {
  const messages = numbers(60).map(to => ({ text: 'ş"'.repeat(200_000), to }));
  const orders = wireOrders({ sender: 'A', messages });
  expect(orders.length).toBeGreaterThan(1);
  for (const order of orders) expect(Buffer.byteLength(JSON.stringify({ order }))).toBeLessThan(limits.bodyBytes);
  expect(countsOf({ sender: 'A', messages }).reduce((sum, one) => sum + one)).toBe(60);
});

test('consent, encoding and time are said as the interface says them', () => {
  const [order] = wireOrders({
    sender: 'A',
    text: 'a',
    to: '5550000000',
    consent: 'TACIR',
    encoding: 'utf8',
    sendAt: new Date('2026-05-01T07:00:00Z'),
  });
  expect(order).toMatchObject({ iys: '1', iysList: 'TACIR', encoding: 'utf8', sendDateTime: '2026-05-01 10:00:00' });
  expect(wireOrders({ sender: 'A', text: 'a', to: [] })).toHaveLength(1);
});
