// What cells share: the binds of carriers, and what arrives at the wrong one.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { acceptOrder } from '../accept/accept.ts';
import { AcceptQueue } from '../accept/accept-queue.ts';
import { findAccount } from '../accounts/account.ts';
import { openAccount } from '../accounts/open.ts';
import { readSharedCarriers } from '../carriers/carrier-copies.ts';
import { carriersWithPasswords, pauseCarrier, putCarrier } from '../carriers/carriers.ts';
import type { Db } from '../db/db.ts';
import { addInboundNumber } from '../inbound/numbers.ts';
import { silentLog } from '../log.ts';
import { type CellPart, CellParts } from './cell-parts.ts';
import { addCell, takeCellOut } from './directory.ts';
import { forwarder } from './forward.ts';
import { divide, forgetShares, shareCarriers } from './share-carriers.ts';

const databases = [await testDatabase(), await testDatabase()] as const;
const [home, there] = databases.map(one => one.pool) as [Db, Db];
afterAll(() => Promise.all(databases.map(one => one.close())));
const key = randomBytes(32);
const part = (db: Db): CellPart => ({ db, stop: async () => {} });
const cells = new CellParts(part(home), { homeDb: home, key, log: silentLog, open: () => part(there) });
const round = () =>
  shareCarriers(
    [
      [0, home],
      [1, there],
    ],
    silentLog,
  );
const bound = async (db: Db, carrier: number, slots: number) => {
  await db.query('delete from carrier_links');
  for (let slot = 0; slot < slots; slot++)
    await db.query(`insert into carrier_links (carrier_id, slot, dispatcher_id, state) values ($1, $2, 1, 'bound')`, [
      carrier,
      slot,
    ]);
};

beforeAll(async () => {
  await addCell(home, key, databases[1].url, 1);
  await cells.look();
});

test('binds are divided as evenly as they go', () => {
  expect([...divide(5, [0, 1, 4])]).toEqual([
    [0, 2],
    [1, 2],
    [4, 1],
  ]);
  expect([...divide(1, [0, 1]).values()]).toEqual([1, 0]);
});

test('a cell gets binds only when the one that had them has let them go, and the settings of the home', async () => {
  const given = { host: '127.0.0.1', port: '2775', 'system-id': 'peyk', password: 'gizli', binds: '4', rate: '100' };
  const { id } = await putCarrier(home, key, 'alfa', given);
  await bound(home, id, 4);
  await round();
  await round();
  expect((await readSharedCarriers(home))[0]).toMatchObject({ binds: 4, share: 2 });
  expect((await readSharedCarriers(there))[0]).toMatchObject({ name: 'alfa', share: 0 });
  await bound(home, id, 2);
  await round();
  expect(await carriersWithPasswords(there, key)).toMatchObject([
    { id, name: 'alfa', password: 'gizli', binds: 2, rate: 50 },
  ]);
  expect(await carriersWithPasswords(home, key)).toMatchObject([{ binds: 2, rate: 50 }]);
});

test('a carrier paused in a cell is paused everywhere, and resumed at home resumed everywhere; one that is removed is gone', async () => {
  await round();
  await pauseCarrier(there, 'alfa', true, 'account: no credit');
  await round();
  expect((await readSharedCarriers(home))[0]).toMatchObject({ paused: true, pauseReason: 'account: no credit' });
  await pauseCarrier(home, 'alfa', false);
  await round();
  expect((await readSharedCarriers(there))[0]).toMatchObject({ paused: false });
  await home.query('delete from carriers');
  await round();
  expect(await readSharedCarriers(there)).toEqual([]);
});

test('a receipt that arrives at the wrong cell settles its message in the right one, and is kept until then', async () => {
  const account = (await findAccount(there, (await openAccount(there, 'Orada')).id))!;
  const draft = {
    sender: 'APITEST',
    texts: [{ text: 'x', recipients: ['05550000001'] }],
    sendAt: null,
    consentCheck: false,
    consentList: null,
    source: 'api',
  };
  const orderId = await acceptOrder(new AcceptQueue(there, 1_000_000), account, draft, null, new Date());
  await there.query(
    `insert into submits (day, carrier_id, smsc_id, message_id, part, parts)
     select submit_day(now()), 7, 'abc', first_message_id, 1, 1 from orders where id = $1`,
    [orderId],
  );
  await home.query(`insert into receipts (carrier_id, smsc_id, status, reason, number, received_at) values
    (7, 'abc', 111, 0, 905550000001, now()), (7, 'nobody', 111, 0, 905550000001, now() - interval '1 minute'), (7, 'soon', 111, 0, 905550000001, now())`);
  await forwarder(0, home, cells)();
  const { rows } = await there.query('select status from messages where account_id = $1', [account.id]);
  expect(rows).toEqual([{ status: 111 }]);
  const left = await home.query('select smsc_id, offered from receipts order by id');
  expect(left.rows).toEqual([
    { smsc_id: 'nobody', offered: true },
    { smsc_id: 'soon', offered: false },
  ]);
});

test('a message from a phone that arrives at the wrong cell reaches its account once', async () => {
  const { id } = await openAccount(there, 'Kısa numara');
  await addInboundNumber(there, id, '3456', '');
  await home.query(`insert into inbound_unrouted (carrier_id, sender, recipient, text) values
    (7, '905550000002', '3456', 'Merhaba'), (7, '905550000002', '9999', 'Kimse yok')`);
  const round = forwarder(0, home, cells);
  await round();
  await home.query('update inbound_unrouted set offered = false');
  await round();
  const { rows } = await there.query('select text from inbound_messages where account_id = $1', [id]);
  expect(rows).toEqual([{ text: 'Merhaba' }]);
  expect((await home.query('select text from inbound_unrouted')).rows).toEqual([{ text: 'Kimse yok' }]);
});

// Last: the cell is no longer one.
test('a round that knows a cell which was taken out meanwhile gives it nothing, and its binds are the others’', async () => {
  const given = { host: '127.0.0.1', port: '2775', 'system-id': 'peyk', password: 'gizli', binds: '4' };
  const { id } = await putCarrier(home, key, 'beta', given);
  await bound(home, id, 2);
  for (let i = 0; i < 3; i++) await round();
  expect((await readSharedCarriers(there)).map(one => one.share)).toEqual([2]);
  await bound(there, id, 0);
  await takeCellOut(home, 1);
  await forgetShares(home, 1);
  await round();
  expect((await home.query('select cell from carrier_shares where cell <> 0')).rows).toEqual([]);
  for (let i = 0; i < 2; i++) await shareCarriers([[0, home]], silentLog);
  expect((await readSharedCarriers(home)).map(one => one.share)).toEqual([4]);
});
