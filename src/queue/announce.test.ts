// Notifications that an account has work.
import { afterAll, beforeEach, expect, test } from 'vitest';
import { freshText, numbers, order, sendDateTime, sender } from '../../test/support/customers/samples.ts';
import { testApp } from '../../test/support/program/app.ts';
import { openClient } from '../db/db.ts';
import { workChannel } from './announce.ts';

const app = await testApp();
const listener = await openClient(app.connection, { name: 'announce test', onError: () => {} });
let heard: string[] = [];
listener.on('notification', message => heard.push(message.payload ?? ''));
await listener.query(`listen ${workChannel}`);
beforeEach(() => {
  heard = [];
});
afterAll(async () => {
  await listener.end();
  await app.close();
});

test('orders that are stored together announce their accounts once', async () => {
  const [one, other] = [await app.open({ senders: [sender] }), await app.open({ senders: [sender] })];
  // The first is on its way while the others gather.
  await Promise.all([one, one, one, other, one].map(account => account.call('send-sms', { order: order() })));
  await expect.poll(() => heard.join(' ').split(' ').sort()).toContain(`0:${other.id}`);
  expect(heard.length).toBeLessThan(5);
  for (const words of heard) expect(new Set(words.split(' ')).size).toBe(words.split(' ').length);
});

test('an order of 1,000 recipients is announced, a refused one and one for later are not', async () => {
  const [poor, account] = [
    await app.open({ senders: [sender], sms: 0 }),
    await app.open({ senders: [sender], sms: 2_000 }),
  ];
  expect((await poor.call('send-sms', { order: order({}, freshText(), numbers(200)) })).code).toBe(402);
  expect((await account.call('send-sms', { order: order({ sendDateTime: sendDateTime(3_600_000) }) })).code).toBe(200);
  expect((await account.call('send-sms', { order: order({}, freshText(), numbers(1_000)) })).code).toBe(200);
  await expect.poll(() => heard).toEqual([`0:${account.id}`]);
});
