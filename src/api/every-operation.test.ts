// The codes common to all operations, tested for every operation of the table.
import { afterAll, describe, expect, test } from 'vitest';
import { expectRefusal, expectSuccess, texts } from '../../test/support/customers/answers.ts';
import {
  brandCode,
  consentEntry,
  number,
  order,
  sendDateTime,
  sender,
  validMembers,
} from '../../test/support/customers/samples.ts';
import { pathOf, testApp } from '../../test/support/program/app.ts';
import { statusTexts } from '../status.ts';
import { exampleAnswers } from './example-answers.ts';
import { operations } from './operations.ts';

const app = await testApp();
const broken = await testApp({ own: true });
afterAll(async () => {
  await app.close();
  await broken.close();
});

const account = await app.open({ senders: [sender], brands: [brandCode] });
await account.call('iys-register', { consent: { brandCode, list: [consentEntry()] } });
await account.call('add-blacklist', { blacklist: { number: number(901) } });
const scheduled = await account.send(order({ sendDateTime: sendDateTime(3_600_000) }));
const sent = await account.send(order());
await app.db.query(
  `insert into inbound_messages (account_id, number, number_text, recipient, text, received_at)
   values ($1, 905550000000, '+905550000000', '3340', 'merhaba', now())`,
  [account.id],
);

const stranded = await broken.open();
// Every request needs this table, so every request fails from here on.
await broken.db.query('alter table credentials rename to credentials_gone');

function membersOf(operation: string): Record<string, unknown> {
  return validMembers(operation, operation === 'cancel-order' ? scheduled : sent);
}

/** Replaces every text and number by its type, and every list by its first entry. */
function kindsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(kindsOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([member, one]) => [member, kindsOf(one)]));
}

for (const { name, needs, path, result, aliases } of operations) {
  describe(name, () => {
    test(`${name} answers 200 to a valid request, with the members of its row`, async () => {
      const members = (result?.split(', ') ?? []) as ('order' | 'count')[];
      const reply = await account.call(name, membersOf(name));
      expectSuccess(reply, ...members);
      const { status: _, ...answered } = reply.response;
      expect(kindsOf(answered), 'the example of the reference').toEqual(kindsOf(exampleAnswers[name] ?? {}));
    });

    test(`${name} answers 400 to a body that is no JSON`, async () => {
      expectRefusal(await app.client.post(pathOf(name), '{"request":'), 400);
      expectRefusal(await app.client.post(pathOf(name), ''), 400);
    });

    test(`${name} answers alike under every content type`, async () => {
      const { key, hash } = account;
      // The required object is left out, so that nothing changes.
      const body = JSON.stringify({ request: { authentication: { key, hash } } });
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ';'])
        expect((await app.client.post(pathOf(name), body, { 'content-type': type })).code).toBe(needs ? 400 : 200);
    });

    if (needs !== null)
      test(`${name} answers 400 without its object, but 401 first when the credentials are wrong`, async () => {
        for (const value of [undefined, 'text', 5, [], true])
          expectRefusal(await account.call(name, { [needs]: value }), 400);
        const other = await app.open();
        expectRefusal(await other.call(name, {}, { hash: 'wrong' }), 401);
      });

    test(`${name} answers 401 to wrong credentials`, async () => {
      // Uses an account of its own, because many failures with one key are slowed down.
      const { key, hash } = await app.open();
      for (const wrong of [{ hash: 'wrong' }, { key: `${key}0` }, { hash: 5 }, { hash: [hash] }, { hash: `${hash} ` }])
        expectRefusal(await app.call(name, membersOf(name), { key, hash, ...wrong }), 401);
      expectRefusal(await app.client.post(pathOf(name), { request: membersOf(name) }), 401);
    });

    test(`${name} answers 404 to every method but POST and beside its path`, async () => {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
        expectRefusal(await app.client.send(pathOf(name), { method, body: '{}' }), 404);
      for (const wrong of [`/v1/${path}x/json`, `/v2/${path}/json`, `/${path}/json`, `/v1/${path}/yaml`])
        expectRefusal(await app.client.post(wrong, '{}'), 404);
    });

    test(`${name} answers 503 when the database fails, and says nothing of the cause`, async () => {
      const reply = await broken.call(name, membersOf(name), stranded);
      expectRefusal(reply, 503);
      expect(reply.headers['retry-after']).toBe('1');
    });

    for (const alias of aliases ?? [])
      test(`${name} answers 200 at its other name ${alias}`, async () => {
        const { key, hash } = account;
        const body = { request: { authentication: { key, hash }, ...membersOf(name) } };
        expect((await app.client.post(`/v1/${alias}/json`, body)).code).toBe(200);
      });
  });
}

test('the status texts are those of the interface, letter by letter', () => {
  expect(statusTexts).toEqual(texts);
});

test('nothing of all this was a fault of the server', () => {
  expect(app.faults).toEqual([]);
  expect(broken.faults).toHaveLength(operations.length);
});
