import { afterAll, expect, test } from 'vitest';
import { digestOf, passwordFits } from '../../smpp-server/login.ts';
import { addressesMax, findSmppLogin } from '../../smpp-server/users.ts';
import { startPanel } from '../panel-fixture.ts';

const panel = await startPanel();
const { pool } = panel.database;
afterAll(() => panel.stop());

type Owner = Awaited<ReturnType<typeof panel.owner>>;
const idOf = async (systemId: string): Promise<number> => (await findSmppLogin(pool, systemId))!.id;

async function fits(systemId: string, password: string, at = new Date()): Promise<boolean> {
  return passwordFits((await findSmppLogin(pool, systemId))!, digestOf(panel.key, systemId, password), at);
}

/** The state that an SMPP process leaves behind. */
async function bind(systemId: string, secondsSilent = 0): Promise<number> {
  const node = `insert into smpp_nodes (beat_at) values (now() - $1 * interval '1 second') returning id`;
  const nodeId = (await pool.query(node, [secondsSilent])).rows[0].id;
  const made = await pool.query(
    `insert into smpp_binds (node_id, user_id, kind, address, secure, submits, submits_per_second, last_error, last_error_at)
     values ($1, $2, 'transceiver', '192.0.2.7', true, 40, 8, 'submit_sm: ESME_RTHROTTLED', now()) returning id`,
    [nodeId, await idOf(systemId)],
  );
  return made.rows[0].id;
}

const isKicked = async (bindId: number) =>
  (await pool.query('select kicked from smpp_binds where id = $1', [bindId])).rows[0].kicked;

async function theUser(owner: Owner) {
  const { users } = await owner.ok('smpp.list', {});
  return users[0]!;
}

test('a password is shown when it is made and when it is rotated, never else; the old one works as long as was chosen', async () => {
  const owner = await panel.owner();
  const first = await owner.ok('smpp.add', { name: ' Depo ', addresses: ['192.0.2.7', '192.0.2.0/28'] });
  expect(await theUser(owner)).toMatchObject({ systemId: first.systemId, name: 'Depo', enabled: true, oldUntil: null });
  const { systemId } = first;
  const second = await owner.ok('smpp.rotate', { systemId, keepHours: 2 });
  expect(second).toMatchObject({ systemId, password: expect.stringMatching(/^\w{8}$/) });
  const later = new Date(Date.now() + 2 * 3_600_000 + 60_000);
  expect([await fits(systemId, first.password), await fits(systemId, second.password)]).toEqual([true, true]);
  expect([await fits(systemId, first.password, later), await fits(systemId, second.password, later)]).toEqual([
    false,
    true,
  ]);
  expect((await theUser(owner)).oldUntil).not.toBeNull();
  const third = await owner.ok('smpp.rotate', { systemId, keepHours: 0 });
  expect([await fits(systemId, second.password), await fits(systemId, third.password)]).toEqual([false, true]);
  expect((await owner.refusal('smpp.rotate', { systemId, keepHours: 721 })).field).toBe('keepHours');
  for (const name of ['smpp.list', 'audit.list'] as const)
    for (const { password } of [first, second, third])
      expect((await owner.send(name, {})).text, name).not.toContain(password);
});

test('limits, addresses, consent list and inbound are changed one by one within their bounds, and the audit says which', async () => {
  const owner = await panel.owner();
  const { systemId } = await owner.ok('smpp.add', {});
  const change = { binds: 4, window: 10, receiptWindow: 20, rate: 300, consentList: 'TACIR', inbound: false } as const;
  await owner.ok('smpp.save', { systemId, ...change, addresses: [' 192.0.2.7 ', '2001:DB8::1', '192.0.2.7'] });
  const addresses = ['192.0.2.7', '2001:db8::1'];
  expect(await theUser(owner)).toMatchObject({ ...change, addresses, enabled: true, duplicates: false });
  await owner.ok('smpp.save', { systemId, rate: null, consentList: null });
  await owner.ok('smpp.save', { systemId, enabled: false });
  expect(await theUser(owner)).toMatchObject({ ...change, rate: null, consentList: null, enabled: false, addresses });
  // A call without a change writes no entry.
  await owner.ok('smpp.save', { systemId, binds: 4 });
  const { rows } = await owner.ok('audit.list', {});
  expect(rows.filter(one => one.action === 'smpp.change').map(one => one.detail)).toEqual([
    { systemId, state: 'off' },
    { systemId, rate: 'none', iys: 'none' },
    expect.objectContaining({
      systemId,
      binds: 4,
      'receipt-window': 20,
      iys: 'TACIR',
      addresses: addresses.join(', '),
    }),
  ]);
  const { limits } = await owner.ok('smpp.list', {});
  for (const [field, { least, most }] of Object.entries(limits))
    for (const wrong of [least - 1, most + 1])
      expect((await owner.refusal('smpp.save', { systemId, [field]: wrong })).field, `${wrong}`).toBe(field);
  const notOne = await owner.refusal('smpp.save', { systemId, addresses: ['192.0.2.7', 'sunucum'] });
  expect(notOne).toMatchObject({ code: 'bad-address', field: 'addresses', tr: expect.stringContaining('“sunucum”') });
  const many = Array.from({ length: addressesMax + 1 }, (_, at) => `192.0.2.${at}`);
  expect((await owner.refusal('smpp.save', { systemId, addresses: many })).code).toBe('smpp-addresses-full');
  expect((await owner.refusal('smpp.add', { consentList: 'HERKES' as never })).field).toBe('consentList');
});

test('binds of living processes are shown with their counts; a kick marks the one, and never one of another account', async () => {
  const [owner, other] = [await panel.owner(), await panel.owner()];
  const { systemId } = await owner.ok('smpp.add', {});
  const [one, two] = [await bind(systemId), await bind(systemId)];
  await bind(systemId, 60);
  const { liveBinds, users, server } = await owner.ok('smpp.list', {});
  expect(liveBinds.map(shown => shown.id)).toEqual([one, two]);
  expect(liveBinds[0]).toMatchObject({ kind: 'transceiver', secure: true, submits: 40, submitsPerSecond: 8 });
  expect(users[0]).toMatchObject({ bound: 2, binds: 2 });
  expect(server).toEqual({ host: 'localhost', port: 2776, tlsPort: null });

  const own = (await other.ok('smpp.add', {})).systemId;
  expect((await other.refusal('smpp.kick', { systemId, bindId: one })).code).toBe('not-found');
  expect(await other.ok('smpp.kick', { systemId: own, bindId: one })).toEqual({ kicked: 0 });
  expect([await isKicked(one), await isKicked(two)]).toEqual([false, false]);
  expect((await other.ok('smpp.list', {})).liveBinds).toEqual([]);

  expect(await owner.ok('smpp.kick', { systemId, bindId: two })).toEqual({ kicked: 1 });
  expect([await isKicked(one), await isKicked(two)]).toEqual([false, true]);
  const actions = (await owner.ok('audit.list', {})).rows.map(row => row.action);
  expect(actions.filter(action => action === 'smpp.kick')).toHaveLength(1);
});

test('pending receipts of a user are counted, taken or not, with the age of the oldest, and goes with the user', async () => {
  const owner = await panel.owner();
  const [{ systemId }, idle] = [await owner.ok('smpp.add', {}), await owner.ok('smpp.add', {})];
  const pendingSql = `insert into smpp_outbox (user_id, status, created_at, node_id)
    select $1, 111, now() - no * interval '1 minute', case when no = 3 then 1 end from generate_series(1, 3) no`;
  await pool.query(pendingSql, [await idOf(systemId)]);
  await pool.query(`update smpp_users set refused = 5, expired = 7 where system_id = $1`, [systemId]);
  const [busy, quiet] = (await owner.ok('smpp.list', {})).users;
  expect(busy).toMatchObject({ waiting: 3, waitingMore: false, refused: 5, expired: 7 });
  expect(Date.now() - Date.parse(busy!.oldestAt!)).toBeGreaterThan(2 * 60_000);
  expect(quiet).toMatchObject({ systemId: idle.systemId, waiting: 0, oldestAt: null });

  const staff = await panel.staff();
  const { smppUsers } = await staff.ok('staff.account', { id: owner.accountId });
  expect(smppUsers.map(one => [one.systemId, one.waiting])).toEqual([
    [systemId, 3],
    [idle.systemId, 0],
  ]);

  await owner.ok('smpp.remove', { systemId });
  expect((await owner.refusal('smpp.save', { systemId, enabled: true })).code).toBe('not-found');
  expect((await owner.ok('smpp.list', {})).users.map(one => one.systemId)).toEqual([idle.systemId]);
  expect((await pool.query('select count(*) from smpp_outbox')).rows[0].count).toBe(0);
});

test('an account has at most twenty users, also when they are asked for at once', async () => {
  const owner = await panel.owner();
  const answers = await Promise.all(Array.from({ length: 22 }, () => owner.send('smpp.add', {})));
  const refused = answers.flatMap(({ body }) => (body.ok ? [] : [body.error.code]));
  expect(refused).toEqual(['smpp-users-full', 'smpp-users-full']);
  const { users, max } = await owner.ok('smpp.list', {});
  expect(users).toHaveLength(max);
});
