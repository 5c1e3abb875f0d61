// A round copies what was committed since the round before, however long it had waited for its transaction.
import { afterAll, expect, test } from 'vitest';
import { addToBlacklist } from '../../blacklist/blacklist.ts';
import { openClient } from '../../db/db.ts';
import { setClock } from '../../time/clock.ts';
import { History } from './history.ts';
import { accountWithEverything, twoCells } from './move-fixture.ts';
import { query } from './side.ts';

const cells = await twoCells();
const onError = (error: Error) => console.error(error);
const clients = await Promise.all(cells.connections.map(one => openClient(one, { name: 'test', onError })));
const [from, to] = [clients[0]!, clients[1]!];
afterAll(async () => {
  await Promise.all(clients.map(one => one.end()));
  await cells.close();
});

const ids = async (db: typeof from, table: string, account: number) =>
  (await query<{ id: number }>(db, `select id from ${table} where account_id = $1 order by id`, [account])).map(
    one => one.id,
  );

test('an order that waited for its turn before it was stored is copied with its ledger entry and its blocked message', async () => {
  const account = await accountWithEverything(cells);
  await addToBlacklist(from, account.id, 905550000011, 'panel');
  const history = new History(account.id, from, to);
  await history.round(() => {});
  const takeBack = setClock(() => Date.now() - 30_000);
  const order = await account
    .send({ sender: 'PEYK', message: { text: 'Geç', receipents: { number: ['905550000010', '905550000011'] } } })
    .finally(takeBack);
  await history.round(() => {});
  expect(await ids(to, 'ledger_entries', account.id)).toEqual(await ids(from, 'ledger_entries', account.id));
  await cells.app.settle(account, order, 111);
  // As of a message that came months ago, whose number was assigned to the account today.
  await query(
    from,
    `insert into inbound_messages (account_id, number, number_text, recipient, text, received_at)
     values ($1, 905550000012, '905550000012', '908500000000', 'Merhaba', now() - interval '90 days')`,
    [account.id],
  );
  await history.round(() => {});
  for (const table of ['ledger_entries', 'inbound_messages'])
    expect(await ids(to, table, account.id)).toEqual(await ids(from, table, account.id));
  const ofOrder = 'select id, status, reason from messages where account_id = $1 and order_id = $2 order by id';
  expect(await query(to, ofOrder, [account.id, order])).toEqual(await query(from, ofOrder, [account.id, order]));
});
