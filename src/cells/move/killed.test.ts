// A mover that dies at any step leaves no account waiting and none in two cells, and the next mover continues.
import pg from 'pg';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { wait } from '../../../test/support/run/wait.ts';
import { cellOfAccount } from '../directory.ts';
import { accountWithEverything, digestOf, leftovers, rowsOf, twoCells } from './move-fixture.ts';
import { cancelMove, relieveMoves } from './mover.ts';
import { openMoves } from './moves.ts';
import { query } from './side.ts';

vi.setConfig({ testTimeout: 180_000 });
const cells = await twoCells();
afterAll(() => cells.close());
const account = await accountWithEverything(cells);
const all = await rowsOf(cells.dbs[0], account.id);
const digest = await digestOf(cells.dbs[0], account.id);

// From the end of a statement on every connection of the mover fails.
let deadly: RegExp | null = null;
let dead = false;
const query_ = pg.Client.prototype.query as (...given: unknown[]) => unknown;
pg.Client.prototype.query = function (
  this: pg.Client & { connectionParameters: { application_name?: string } },
  ...given: unknown[]
) {
  if (!this.connectionParameters.application_name?.startsWith('peyk move')) return query_.apply(this, given);
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

/** For each cell: whether the account is there, which is where its balance is. */
async function placesOf(): Promise<boolean[]> {
  const found = cells.dbs.map(db =>
    query(
      db,
      "select 1 from balances b join accounts a on a.id = b.account_id and a.status = 'active' where a.id = $1",
      [account.id],
    ),
  );
  return (await Promise.all(found)).map(rows => rows.length > 0);
}

// Statements of a move, in their order, and whether the account has left its old cell by then.
const deaths: [when: string, RegExp, hasLeft: boolean][] = [
  ['the move is begun', /insert into account_moves/, false],
  ['the first messages are copied', /^insert into messages/, false],
  ['an order is copied', /^insert into message_numbers/, false],
  ['the account waits, as the home knows', /set step = \$2/, false],
  ['the account waits', /set status = 'moving'/, false],
  ['unfinished messages are removed', /with g as \(delete from messages/, false],
  ['everything is removed and not committed', /'smpp_users', json_agg/, false],
  ['the account is gone', /select 1 from balances/, true],
  ['its rows arrive', /^insert into balances/, true],
  ['it arrived and is not committed', /pg_notify\(channel\('peyk_dispatch'/, true],
  ['the directory is being switched', /insert into account_cells \(account_id, cell\) values/, true],
  ['the switch waits for its commit', /pg_notify\(channel\('peyk_cells'/, true],
  ['the switch is made', /set kicked = true/, true],
  ['its keys are removed', /delete from credentials where account_id/, true],
  ['half of the old cell is cleared', /remove_orders/, true],
  ['the move is over', /delete from account_moves/, true],
];

async function killedAt(pattern: RegExp, to: number): Promise<void> {
  deadly = pattern;
  await expect(cells.move(account, to)).rejects.toThrow();
  expect(dead, 'the statement was reached').toBe(true);
  deadly = null;
  dead = false;
}

/** Runs the background task, as soon as the sessions of the dead mover have ended. */
async function relieved(): Promise<void> {
  await wait('the move to be relieved', async () => {
    await relieveMoves(cells.parts);
    return (await openMoves(cells.parts.db)).every(one => one.step === 'copying');
  });
}

let lives = 0;
test.each(deaths)(
  'a mover killed when %s leaves the account whole in one place, and it works there',
  async (_when, pattern, hasLeft) => {
    const to = 1 - lives;
    await killedAt(pattern, to);
    await relieved();
    if (hasLeft) lives = to;
    expect(await placesOf()).toEqual([lives === 0, lives === 1]);
    expect(await cellOfAccount(cells.parts.db, account.id)).toBe(lives);
    expect(await rowsOf(cells.dbs[lives]!, account.id)).toEqual(all);
    if (hasLeft) {
      expect(await digestOf(cells.dbs[lives]!, account.id)).toEqual(digest);
      expect(await leftovers(cells)).toEqual([]);
      return;
    }
    // The next mover continues from the stored step.
    await wait('nobody else to move it', () =>
      cells.move(account, to).then(
        () => true,
        () => false,
      ),
    );
    lives = to;
    expect(await digestOf(cells.dbs[lives]!, account.id)).toEqual(digest);
    expect(await leftovers(cells)).toEqual([]);
  },
);

test('a cancelled move leaves nothing in the new cell', async () => {
  await killedAt(/^insert into message_numbers/, 1 - lives);
  await wait('nobody else to move it', () =>
    cancelMove(cells.parts, account.id, () => {}).then(
      state => state === 'cancelled',
      () => false,
    ),
  );
  expect(await cancelMove(cells.parts, account.id, () => {})).toBeNull();
  expect(await rowsOf(cells.dbs[lives]!, account.id)).toEqual(all);
  const { accounts: _, ...elsewhere } = await rowsOf(cells.dbs[1 - lives]!, account.id);
  expect(elsewhere).toEqual({});
  expect(await leftovers(cells)).toEqual([]);
});

test('a move whose account has left the old cell is finished instead of cancelled', async () => {
  await killedAt(/select 1 from balances/, 1 - lives);
  await wait('the end of the move', () =>
    cancelMove(cells.parts, account.id, () => {}).then(
      state => state === 'moved',
      () => false,
    ),
  );
  expect(await rowsOf(cells.dbs[1 - lives]!, account.id)).toEqual(all);
  expect(await leftovers(cells)).toEqual([]);
});
