// send-sms may start with a remembered account; callers never notice it.
import { afterAll, expect, test } from 'vitest';
import { expectRefusal, expectSuccess } from '../../test/support/customers/answers.ts';
import { freshText, order, sender } from '../../test/support/customers/samples.ts';
import { testApp } from '../../test/support/program/app.ts';
import { rotateCredentials } from '../accounts/credentials.ts';
import { listRefusals } from '../accounts/refusals.ts';
import { changeSettings } from '../accounts/settings.ts';
import { addToBlacklist } from '../blacklist/blacklist.ts';
import { parseNumber } from '../numbers/phone.ts';
import { decideSender } from '../senders/senders.ts';
import { setWebhookUrl } from '../webhooks/endpoints.ts';

const app = await testApp();
afterAll(() => app.close());

/** An account whose last send has just cached it. */
async function remembered() {
  const account = await app.open({ senders: [sender], sms: 1_000 });
  const send = (more: object = {}, text = freshText()) => account.call('send-sms', { order: order(more, text) });
  expectSuccess(await send(), 'order');
  expectSuccess(await send(), 'order');
  return { account, send };
}

test('a key that was rotated a moment ago answers 401 to the next send', async () => {
  const { account, send } = await remembered();
  await rotateCredentials(app.db, account.id);
  expectRefusal(await send(), 401);
  // The refusal is logged once, with its cause.
  await app.refusals.flush();
  expect((await listRefusals(app.db, account.id)).map(one => one.cause)).toEqual(['disabled-key']);
});

test.each([
  ['api=off', { api: 'off' }],
  ['status=suspended', { status: 'suspended' }],
  ['ips=192.0.2.1', { ips: '192.0.2.1' }],
])('an account set to %s a moment ago answers 401 to the next send', async (_name, setting) => {
  const { account, send } = await remembered();
  await changeSettings(app.db, account.id, setting as unknown as Record<string, string>);
  expectRefusal(await send(), 401);
});

test('a sender that was revoked a moment ago answers 450 to the next send, a new one 200', async () => {
  const { account, send } = await remembered();
  await decideSender(app.db, account.id, 'YENI', 'approved');
  expectSuccess(await send({ sender: 'YENI' }), 'order');
  await decideSender(app.db, account.id, sender, 'rejected');
  expectRefusal(await send(), 450);
});

test('a text goes out in the mode that was set a moment ago', async () => {
  const { account, send } = await remembered();
  await changeSettings(app.db, account.id, { mode: 'turkish' });
  const text = `ğüşiöç ${freshText()}`;
  const { order: made } = expectSuccess(await send({}, text), 'order') as { order: { id: string } };
  const stored = await app.db.query('select text from order_texts where order_id = $1', [made.id]);
  expect(stored.rows[0].text).toBe(text);
});

test('an account whose webhook was set a moment ago gets an event of the next send, and none when it is gone', async () => {
  const { account, send } = await remembered();
  const queued = async () =>
    (await app.db.query('select count(*)::int as n from webhook_outbox where account_id = $1', [account.id])).rows[0].n;
  expect(await queued()).toBe(0);
  await setWebhookUrl(app.db, account.id, 'https://example.com/hook', false);
  expectSuccess(await send(), 'order');
  expect(await queued()).toBe(1);
  await setWebhookUrl(app.db, account.id, '', false);
  expectSuccess(await send(), 'order');
  expect(await queued()).toBe(1);
});

test('a recipient blacklisted a moment ago answers 452 to the next send', async () => {
  const { account } = await remembered();
  const to = '5551234567';
  await addToBlacklist(app.db, account.id, parseNumber(to, false), 'api');
  expectRefusal(await account.call('send-sms', { order: order({}, freshText(), [to]) }), 452);
});

test('the answer to a repeated idempotency key is not given to a key that was rotated', async () => {
  const { account } = await remembered();
  const members = { order: order() };
  const headers = { 'idempotency-key': 'tekrar' };
  expectSuccess(await account.call('send-sms', members, { headers }), 'order');
  await rotateCredentials(app.db, account.id);
  expectRefusal(await account.call('send-sms', members, { headers }), 401);
});
