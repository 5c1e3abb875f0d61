// The panel over two databases: people at home, accounts in either, staff over both.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../../../test/support/database/database.ts';
import { makeCell } from '../../cells/add-cell.ts';
import { changeCell } from '../../cells/directory.ts';
import { silentLog } from '../../log.ts';
import { goodPassword, startPanel } from '../panel-fixture.ts';

const panel = await startPanel('no-build-here', '', '', false, { own: true });
const { pool: home } = panel.database;
const cell = await testDatabase({ empty: true });
afterAll(async () => {
  await panel.stop();
  await cell.close();
});

let people = 0;

/** A customer who signed up while only the cell takes new accounts. */
async function customer() {
  const browser = panel.browser();
  const no = ++people;
  const given = {
    ...{ accountName: `Hücredeki ${no}`, name: 'Bir Kişi', email: `hucre${no}@ornek.com`, password: goodPassword },
    ...{ mobile: `0555 000 01 0${no}`, terms: 1, privacy: 1 },
  };
  await browser.ok('session.signUpStart', given);
  const me = await browser.ok('session.signUp', { ...given, code: await panel.sentCode(905_550_000_100 + no) });
  return Object.assign(browser, { accountId: me.account!.id, email: given.email });
}

beforeAll(async () => {
  await makeCell(home, cell.url, { key: panel.key, weight: 1, log: silentLog });
  await changeCell(home, 0, { weight: 0 });
  await panel.cells.look();
});

test('who signs up gets an account in a cell with the welcome credit, and works in it', async () => {
  const owner = await customer();
  const count = async (db: typeof home) =>
    (await db.query('select sms from balances where account_id = $1', [owner.accountId])).rows;
  expect([await count(home), await count(cell.pool)]).toEqual([[], [{ sms: 100 }]]);
  const { orderId } = await owner.ok('send.submit', {
    ...{ sender: 'APITEST', text: 'Merhaba', recipients: ['5550001234'], commercial: false },
    ...{ sendAt: '2099-01-01 10:00', idempotencyKey: 'hucredeki-1' },
  });
  expect(orderId).toBeGreaterThan(1_000_000_000_000);
  const { rows } = await owner.ok('orders.list', {});
  expect(rows).toMatchObject([{ id: orderId, source: { kind: 'panel', who: owner.email } }]);
  expect((await owner.ok('audit.list', {})).rows.map(one => one.action)).toContain('order.send');
  await owner.ok('session.signOut', {});
  await owner.ok('session.signIn', { email: owner.email, password: goodPassword });
  expect((await owner.ok('orders.list', {})).rows).toHaveLength(1);
});

test('people are invited and shown at home, and settings count at once everywhere', async () => {
  const owner = await customer();
  const { token } = await owner.ok('users.invite', { email: 'arkadas@ornek.com', role: 'viewer' });
  const friend = panel.browser();
  const joined = {
    token: token!,
    name: 'Arkadaş',
    mobile: '0555 000 02 01',
    password: goodPassword,
    terms: 1,
    privacy: 1,
  };
  await friend.ok('session.acceptInvite', joined);
  expect((await owner.ok('users.list', {})).users).toHaveLength(2);
  expect((await friend.ok('orders.list', {})).rows).toEqual([]);
  const copies = await cell.pool.query('select email, password_hash from users order by email');
  expect(copies.rows).toContainEqual({ email: 'arkadas@ornek.com', password_hash: '' });
});

test('staff see, find and change accounts of every cell', async () => {
  const staff = await panel.staff();
  const owner = await customer();
  const atHome = await panel.owner('Evdeki');
  const { rows } = await staff.ok('staff.accounts', {});
  expect(rows.map(one => one.id)).toEqual(expect.arrayContaining([owner.accountId, atHome.accountId]));
  const found = async (text: string) => (await staff.ok('staff.search', { text })).hits;
  expect(await found(owner.email)).toMatchObject([
    { kind: 'account', id: owner.accountId, owner: owner.email },
    { kind: 'user', email: owner.email, accounts: [{ id: owner.accountId }] },
  ]);
  const { sms } = await staff.ok('staff.account', { id: owner.accountId });
  await staff.ok('staff.grantCredit', { id: owner.accountId, sms: 50, reason: 'Deneme' });
  expect((await staff.ok('staff.account', { id: owner.accountId })).sms).toBe(sms + 50);
  await staff.ok('staff.setAccount', { id: owner.accountId, status: 'suspended', reason: 'Ödeme' });
  const shadow = await home.query('select status from accounts where id = $1', [owner.accountId]);
  expect(shadow.rows).toEqual([{ status: 'suspended' }]);
  expect((await owner.refusal('blacklist.add', { numbers: ['5550009876'] })).code).toBe('suspended');
  const log = await staff.ok('staff.audit', {});
  const actions = log.rows.map(one => one.action);
  expect(actions.slice(0, 2)).toEqual(['account.set', 'credit.grant']);
  expect(actions).toContain('account.sign-up');
  expect((await staff.ok('staff.status', {})).accounts.suspended).toBe(1);
});

test('an account that staff open goes to a cell, and they see it as its people do', async () => {
  const staff = await panel.staff();
  const opened = await staff.ok('staff.openAccount', { name: 'Açılan', ownerEmail: 'acilan@ornek.com' });
  const { rows } = await cell.pool.query('select name from accounts where id = $1', [opened.id]);
  expect(rows).toEqual([{ name: 'Açılan' }]);
  await staff.ok('staff.viewAs', { id: opened.id, reason: 'Telefonda' });
  expect((await staff.ok('orders.list', {})).rows).toEqual([]);
  await staff.ok('staff.viewEnd', {});
});

test('sending is held and released in every cell', async () => {
  const staff = await panel.staff();
  await staff.ok('staff.holdDispatch', { reason: 'Bakım' });
  const held = () => cell.pool.query('select reason from dispatch_hold');
  expect((await held()).rows).toHaveLength(1);
  expect((await staff.ok('staff.status', {})).hold).not.toBeNull();
  await staff.ok('staff.releaseDispatch', { close: false });
  expect((await held()).rows).toEqual([]);
});

test('what staff see at the top of every page covers all cells, as on the status page', async () => {
  const staff = await panel.staff();
  const owner = await customer();
  await cell.pool.query(`insert into applications (account_id, kind) values ($1, 'subscription')`, [owner.accountId]);
  await cell.pool.query(
    `insert into chunks (account_id, lane, first_message_id, count, due_at) values ($1, 0, 777, 7, now())`,
    [owner.accountId],
  );
  await cell.pool.query(`insert into dispatch_hold (reason, detail) values ('operator', 'Bakım')`);
  onTestFinished(() => cell.pool.query('delete from dispatch_hold').then(() => undefined));
  onTestFinished(() => cell.pool.query('delete from chunks where first_message_id = 777').then(() => undefined));
  const status = await staff.ok('staff.status', {});
  const waiting = status.queue.reduce((sum, one) => sum + one.messages, 0);
  expect([status.applicationsWaiting, waiting >= 7, status.hold?.detail]).toEqual([1, true, 'Bakım']);
  const signs = async () => (await staff.ok('live', {})).staff!;
  await expect.poll(signs).toMatchObject({ waiting, applicationsWaiting: 1, held: true, cellsSilent: [] });
});

test('a cell that does not answer is named to staff, and what must miss none is done elsewhere and says where not', async () => {
  const staff = await panel.staff();
  const name = new URL(cell.url).pathname.slice(1);
  const open = (isOpen: boolean) => home.query(`alter database "${name}" allow_connections ${isOpen}`);
  await open(false);
  await home.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  const refused = await staff.refusal('staff.holdDispatch', { reason: 'Bakım' });
  await expect.poll(async () => (await staff.ok('live', {})).staff!.cellsSilent).toEqual([1]);
  expect(refused).toMatchObject({ code: 'cells-silent', tr: expect.stringContaining('hücre: 1.') });
  expect((await home.query('select reason from dispatch_hold')).rows).toHaveLength(1);
  expect((await staff.ok('staff.status', {})).hold?.detail).toBe('Bakım');
  await open(true);
  await expect.poll(async () => (await staff.ok('live', {})).staff!.cellsSilent).toEqual([]);
  await staff.ok('staff.holdDispatch', { reason: 'Bakım' });
  expect((await cell.pool.query('select reason from dispatch_hold')).rows).toHaveLength(1);
  await staff.ok('staff.releaseDispatch', { close: false });
});

test('applications of all cells stand in the order in which they came, page by page, each once', async () => {
  const staff = await panel.staff();
  const there = await customer();
  const here = await panel.owner('Sıradaki');
  const add = (db: typeof home, accountId: number, second: number) =>
    db.query(
      `insert into applications (account_id, kind, created_at)
       select $1, 'subscription', timestamptz '2020-01-01' + make_interval(secs => $2 + n) from generate_series(0, 116, 4) n`,
      [accountId, second],
    );
  await add(home, here.accountId, 0);
  await add(home, here.accountId, 1);
  await add(cell.pool, there.accountId, 2);
  await add(cell.pool, there.accountId, 3);
  const listed: { id: number; createdAt: string; accountId: number }[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { rows: typeof listed; next: string | null } = await staff.ok('staff.applications', {
      state: 'applied',
      cursor,
    });
    listed.push(...page.rows);
    cursor = page.next;
  }
  const own = listed.filter(one => [here.accountId, there.accountId].includes(one.accountId));
  expect([own.length, new Set(own.map(one => one.id)).size]).toEqual([120, 120]);
  expect(own.map(one => one.createdAt)).toEqual(own.map(one => one.createdAt).sort());
  expect(new Set(own.slice(0, 4).map(one => one.accountId)).size).toBe(2);
});

test('orders of an account that works in another cell are in no list and no figure of staff', async () => {
  const staff = await panel.staff();
  const { accountId } = await panel.owner('Taşınan');
  await home.query(
    `insert into orders (id, account_id, sender, lane, source, state, total, first_message_id, submit_at, send_at, close_after, fingerprint, text, encoding, parts)
     select 123456000 + n, $1, 'TASINAN', 0, 'api', 'finished', 5, 1, now(), now(), now() - interval '1 hour', 1, 'x', 0, 1
     from generate_series(1, 2) n`,
    [accountId],
  );
  const seen = async () => {
    const { today } = await staff.ok('staff.status', {});
    const listed = (await staff.ok('staff.accounts', { search: 'Taşınan' })).rows.length;
    const hits = (await staff.ok('staff.search', { text: '123456001' })).hits.length;
    return { today: today.total, listed, hits };
  };
  const before = await seen();
  expect(before).toMatchObject({ listed: 1, hits: 1 });
  // Part of its history is in another cell; its balance is in the cell where it lives now.
  await home.query('delete from balances where account_id = $1', [accountId]);
  expect(await seen()).toEqual({ today: before.today - 10, listed: 0, hits: 0 });
});
