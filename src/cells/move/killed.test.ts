// A mover that dies, wherever it dies, leaves no account waiting, and is followed by the next one.
import pg from 'pg';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { wait } from '../../../test/support/wait.ts';
import { cellOfAccount } from '../directory.ts';
import { furnished, leftovers, rowsOf, twoCells } from './move-fixture.ts';
import { cancelMove, relieveMoves } from './mover.ts';
import { query } from './side.ts';

// Every table that is copied waits for transactions of all databases of the server.
vi.setConfig({ testTimeout: 180_000 });
const cells = await twoCells();
afterAll(() => cells.close());
const account = await furnished(cells);
const all = await rowsOf(cells.dbs[0], account.id);

// The connections of the mover are dead from the end of a statement on: nothing of what it would have done comes to pass.
let deadly: RegExp | null = null;
let dead = false;
const query_ = pg.Client.prototype.query as (...given: unknown[]) => unknown;
pg.Client.prototype.query = function (
  this: pg.Client & { connectionParameters: { application_name?: string } },
  ...given: unknown[]
) {
  if (this.connectionParameters.application_name !== 'peyk move') return query_.apply(this, given);
  const text = (given[0] as { text?: string }).text ?? String(given[0]);
  const callback = given.findLast(one => typeof one === 'function') as ((error: Error) => void) | undefined;
  if (dead) {
    const error = new Error('killed');
    return callback ? process.nextTick(callback, error) : Promise.reject(error);
  }
  const answer = query_.apply(this, given);
  if (deadly?.test(text)) dead = true;
  return answer;
} as typeof pg.Client.prototype.query;
afterEach(() => {
  deadly = null;
  dead = false;
});

const fencesOf = async () =>
  Promise.all(
    cells.dbs.map(
      async db =>
        (await query<{ why: string }>(db, 'select why from account_fences where account_id = $1', [account.id]))[0]
          ?.why,
    ),
  );

// Statements of a move, in their order. The next mover dies at the next of them.
const deaths = {
  'the new cell is fenced': /insert into account_fences/,
  'the publication is made': /^create publication/,
  'the slot is made': /pg_create_logical_replication_slot/,
  'the subscription is made': /^create subscription/,
  'rows are on their way': /set step = 'copying'/,
  'the account waits': /update account_moves set step = \$2/,
  'half of the triggers are made': /create or replace trigger .* on blacklist_entries/,
  'the last position is known': /pg_logical_emit_message/,
  'the first rows are written by hand': /insert into accounts overriding/,
  'the switch waits for its commit': /pg_notify\(channel\('peyk_cells'/,
  'the switch is made': /^select oid::text from pg_subscription/,
  'the subscription ended': /^drop subscription/,
  'the account went on': /pg_notify\(channel\('peyk_dispatch'/,
  'the publication ended': /^drop publication/,
};

async function killedAt(pattern: RegExp): Promise<void> {
  deadly = pattern;
  await expect(cells.move(account, 1)).rejects.toThrow();
  expect(dead, 'the statement was reached').toBe(true);
  deadly = null;
  dead = false;
}

test('a mover killed anywhere leaves nobody waiting, and the next one goes on', async () => {
  for (const [when, pattern] of Object.entries(deaths)) {
    await killedAt(pattern);
    const lives = await cellOfAccount(cells.parts.db, account.id);
    if (lives === 1) continue;
    await relieveMoves(cells.parts);
    expect((await fencesOf())[0], when).toBeUndefined();
    expect(await rowsOf(cells.dbs[0], account.id), when).toEqual(all);
  }
  // What is behind the switch is ended by whoever sees it.
  expect(await relieveMoves(cells.parts)).toBe(1);
  expect(await fencesOf()).toEqual(['left', undefined]);
  expect(await rowsOf(cells.dbs[1], account.id)).toEqual(all);
  expect(await leftovers(cells)).toEqual([]);
});

test('a move that was begun is taken back, and nothing of it stays', async () => {
  deadly = /set step = 'copying'/;
  await expect(cells.move(account, 0)).rejects.toThrow();
  deadly = null;
  dead = false;
  expect(await cancelMove(cells.parts, account.id, () => {})).toBe('cancelled');
  expect(await cancelMove(cells.parts, account.id, () => {})).toBeNull();
  expect(await rowsOf(cells.dbs[1], account.id)).toEqual(all);
  const { accounts: _, ...elsewhere } = await rowsOf(cells.dbs[0], account.id);
  expect(elsewhere).toEqual({});
  expect(await fencesOf()).toEqual([undefined, undefined]);
  expect(await leftovers(cells)).toEqual([]);
});

// A transaction that is open anywhere on the server keeps the copy of a table from beginning.
test('a move whose copy cannot begin is taken back, also where both cells are databases of one server', async ({
  onTestFinished,
}) => {
  const other = await testDatabase({ moves: true });
  onTestFinished(() => other.close());
  const holder = await other.pool.connect();
  onTestFinished(() => holder.release());
  let isStuck = false;
  const holdAndDie = async () => {
    await holder.query('begin');
    await holder.query('select pg_current_xact_id()');
    await wait('a copy that waits for the transaction', async () => (await waitingSenders()) > 0);
    isStuck = true;
    dead = true;
  };
  let held: Promise<void> | null = null;
  const moved = cells.move(account, 0, what => {
    if (what.startsWith('copying')) held ??= holdAndDie();
  });
  await expect(moved).rejects.toThrow('killed');
  await held;
  expect(isStuck).toBe(true);
  dead = false;
  expect(await cancelMove(cells.parts, account.id, () => {})).toBe('cancelled');
  expect(await leftovers(cells)).toEqual([]);
  await holder.query('rollback');
});

async function waitingSenders(): Promise<number> {
  const [found] = await query<{ count: number }>(
    cells.dbs[1],
    `select count(*)::int as count from pg_stat_activity
     where backend_type = 'walsender' and datname = current_database() and wait_event_type = 'Lock' and application_name like 'pg%sync%'`,
  );
  return found!.count;
}
