// Immediate means immediate: when an order is due is said by the database's clock, which is also the one that asks. And what
// changed since an order was accepted is looked at again when its chunks are leased.
import { afterAll, expect, test } from 'vitest';
import {
  brandCode,
  consentEntry,
  freshText,
  number,
  numbers,
  order,
  sender,
} from '../../test/support/customers/samples.ts';
import { testApp } from '../../test/support/program/app.ts';
import { removeBrand } from '../consent/brands.ts';
import { settle } from '../consent/sync/queue.ts';
import { nowMs, setClock } from '../time/clock.ts';
import { blockedReasons, claimChunks, returnChunks } from './claim.ts';
import { registerDispatcher, releaseLeases } from './dispatcher-lease.ts';

const app = await testApp();
afterAll(() => app.close());
const account = await app.open({ senders: [sender], sms: 10_000 });

test.each([
  ['one recipient', [number()]],
  ['many recipients, in one statement', numbers(300)],
  ['many recipients, copied in', numbers(1_200)],
])(
  'an order to %s is due at once, by the database’s clock, though the program’s is ahead or behind',
  async (_name, recipients) => {
    const start = nowMs();
    for (const ahead of [4 * 3_600_000, -60_000]) {
      const restore = setClock(() => start + ahead);
      const id = await account.send(order({}, freshText(), recipients)).finally(restore);
      // Dispatchers look back a few seconds: what carried an older time would wait for their next look at everything.
      const { rows } = await app.db.query(
        `select bool_and(c.due_at between $2 and now()) as due from chunks c join orders o on c.account_id = o.account_id and c.first_message_id >= o.first_message_id and c.first_message_id < o.first_message_id + o.total where o.id = $1`,
        [id, new Date(start - 5_000)],
      );
      expect(rows).toEqual([{ due: true }]);
    }
  },
);

/** What the only chunk of an order says when it is leased. */
async function leased(orderId: string): Promise<{ recheck: boolean; reasons: number[] }> {
  const owner = await registerDispatcher(app.db, 'test');
  const { rows } = await app.db.query('select lane, account_id as id from orders where id = $1', [orderId]);
  const { lane, id } = rows[0] as { lane: 0 | 1; id: number };
  const claimed = await claimChunks(app.db, owner, lane, [{ id, mark: 100 }], { messages: 500 });
  const chunk = claimed.find(one => one.facts?.some(facts => facts.id === Number(orderId)))!;
  const reasons = await blockedReasons(app.db, id, chunk.numbers!, chunk.facts![0]!.list);
  // Untouched, so that it can be leased again.
  await returnChunks(app.db, [{ chunkId: chunk.chunkId!, token: chunk.token, mark: 0 }]);
  await releaseLeases(app.db, owner);
  return { recheck: chunk.recheck, reasons };
}

test('an ONAY that the registry refused after the order was accepted is noticed when its chunk is leased', async () => {
  const commercial = await app.open({ senders: [sender], brands: [brandCode] });
  expect((await commercial.call('iys-register', { consent: { brandCode, list: [consentEntry()] } })).code).toBe(200);
  // As if it had been accepted an hour ago.
  const id = await commercial.send(order({ iys: '1', iysList: 'BIREYSEL' }, freshText(), [number()]));
  await app.db.query(`update orders set submit_at = submit_at - interval '1 hour' where id = $1`, [id]);
  expect(await leased(id)).toEqual({ recheck: false, reasons: [0] });
  const { rows } = await app.db.query(
    'select id, account_id as "accountId" from consent_records where account_id = $1',
    [commercial.id],
  );
  const verdict = { state: 'refused', code: 'H178' } as const;
  await settle(app.db, [{ record: rows[0], verdict }]);
  expect(await leased(id)).toEqual({ recheck: true, reasons: [3] });
});

test('a subscription that ended after the order was accepted is noticed when its chunk is leased', async () => {
  const commercial = await app.open({ senders: [sender], brands: [brandCode] });
  expect((await commercial.call('iys-register', { consent: { brandCode, list: [consentEntry()] } })).code).toBe(200);
  const id = await commercial.send(order({ iys: '1', iysList: 'BIREYSEL' }, freshText(), [number()]));
  expect(await leased(id)).toEqual({ recheck: false, reasons: [0] });
  await removeBrand(app.db, commercial.id, brandCode);
  expect(await leased(id)).toEqual({ recheck: true, reasons: [3] });
});

test('a number that joined the blacklist after acceptance is noticed though the program’s clock was ahead', async () => {
  const start = nowMs();
  const restore = setClock(() => start + 30_000);
  const id = await account.send(order({}, freshText(), [number(7)])).finally(restore);
  expect((await account.call('add-blacklist', { blacklist: { number: number(7) } })).code).toBe(200);
  expect(await leased(id)).toEqual({ recheck: true, reasons: [2] });
});
