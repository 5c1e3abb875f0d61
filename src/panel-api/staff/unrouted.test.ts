// Messages to numbers that no account has, as staff see them: assigned to an account, or deleted.
import { afterAll, expect, test } from 'vitest';
import { receiveInboundText } from '../../inbound/receive.ts';
import { startPanel } from '../panel-fixture.ts';

const panel = await startPanel();
const { pool } = panel.database;
afterAll(() => panel.stop());

const from = '905550000001';
let names = 0;
const write = (to: string, text: string) => receiveInboundText(pool, 1, { id: `m${++names}`, from, to, text });

test('a number given to an account brings what was written to it into that inbox, with its time, and an opt-out is honoured', async () => {
  const owner = await panel.owner('Numaranın Sahibi');
  const staff = await panel.staff();
  const account = (await owner.ok('session.me', {})).account!.id;
  await write('7801', 'merhaba');
  await write('7801', 'RET');
  await write('7802', 'baska');
  await pool.query(`update inbound_unrouted set received_at = now() - interval '3 days' where text = 'merhaba'`);
  const before = await staff.ok('staff.unrouted', {});
  expect(before.isComplete).toBe(true);
  expect(before.numbers).toMatchObject([
    { number: '7802', messages: 1, firstWord: 'baska' },
    { number: '7801', messages: 2, firstWord: 'RET' },
  ]);
  expect(before.messages.map(one => [one.number, one.from, one.text])).toEqual([
    ['7802', from, 'baska'],
    ['7801', from, 'RET'],
    ['7801', from, 'merhaba'],
  ]);
  const old = before.messages[2]!.receivedAt;
  expect(await staff.ok('staff.assignUnrouted', { id: account, number: '7801' })).toEqual({
    routed: 2,
    isComplete: true,
  });
  const inbox = (await owner.ok('inbox.list', {})).rows;
  expect(inbox.map(one => one.text)).toEqual(['RET', 'merhaba']);
  expect(inbox[1]!.receivedAt).toBe(old);
  expect((await owner.ok('blacklist.list', {})).rows).toHaveLength(1);
  expect((await staff.ok('staff.unrouted', {})).numbers.map(one => one.number)).toEqual(['7802']);
  // From now on it is the account's.
  await write('7801', 'yeni');
  expect((await owner.ok('inbox.list', {})).rows[0]!.text).toBe('yeni');
  expect((await staff.ok('staff.audit', { action: 'number.add' })).rows[0]).toMatchObject({
    detail: { number: '7801', messages: 2 },
  });
});

test('with a keyword only what it begins is moved; a number of another account and an unknown account are refused', async () => {
  const staff = await panel.staff();
  const [first, second] = [await panel.owner('Bir'), await panel.owner('İki')];
  const [one, two] = [(await first.ok('session.me', {})).account!.id, (await second.ok('session.me', {})).account!.id];
  await write('7803', 'abc evet');
  await write('7803', 'xyz hayir');
  const input = { id: one, number: '7803', keyword: 'abc' };
  expect(await staff.ok('staff.assignUnrouted', input)).toEqual({ routed: 1, isComplete: true });
  expect((await staff.refusal('staff.assignUnrouted', { ...input, id: two })).code).toBe('number-taken');
  expect((await staff.refusal('staff.assignUnrouted', { id: one, number: 'x' })).code).toBe('bad-number');
  expect((await staff.refusal('staff.assignUnrouted', { id: 999_999_999, number: '7803' })).code).toBe('not-found');
  const left = (await staff.ok('staff.unrouted', {})).messages.filter(message => message.number === '7803');
  expect(left.map(message => message.text)).toEqual(['xyz hayir']);
});

test('what was written to a number is deleted as far as it was seen', async () => {
  const staff = await panel.staff();
  await write('7804', 'bir');
  await write('7804', 'iki');
  const [line] = (await staff.ok('staff.unrouted', {})).numbers;
  expect(line).toMatchObject({ number: '7804', messages: 2 });
  await pool.query(`insert into inbound_unrouted (carrier_id, sender, recipient, text, received_at)
    values (1, '${from}', '7804', 'sonra', now() + interval '1 minute')`);
  expect(await staff.ok('staff.deleteUnrouted', { number: '7804', until: line!.lastAt })).toEqual({ deleted: 2 });
  const { rows } = await pool.query(`select text from inbound_unrouted where recipient = '7804'`);
  expect(rows).toEqual([{ text: 'sonra' }]);
  expect((await staff.ok('staff.audit', { action: 'unrouted.delete' })).rows[0]).toMatchObject({
    detail: { number: '7804', messages: 2 },
  });
});
