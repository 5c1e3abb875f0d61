import { afterAll, expect, test } from 'vitest';
import { AcceptQueue } from '../accept/accept-queue.ts';
import { platformAccount } from '../accounts/platform-account.ts';
import { grantCredit } from '../balance/ledger.ts';
import { silentLog } from '../log.ts';
import { startPanel } from '../panel-api/panel-fixture.ts';
import { watchLowBalances } from './low-balance-watch.ts';

const panel = await startPanel();
const { pool } = panel.database;
afterAll(() => panel.stop());

const parts = { db: pool, homeDb: pool, orders: new AcceptQueue(pool, 90_000_000), log: silentLog };
let mobiles = 0;

type Owner = Awaited<ReturnType<typeof panel.owner>>;

/** An owner with a phone of their own, so that messages can be distinguished. */
async function ownerWithPhone(): Promise<Owner & { mobile: number }> {
  const owner = await panel.owner();
  const mobile = 905_550_001_000 + ++mobiles;
  await pool.query('update users set mobile = $1 where email = $2', [mobile, owner.email]);
  return Object.assign(owner, { mobile });
}

const setTo = async (owner: Owner, sms: number) => {
  const { sms: now } = await owner.ok('balance.read', {});
  await grantCredit(pool, owner.accountId, sms - now, 'deneme', 'deneme');
};

async function messagesTo(mobile: number): Promise<string[]> {
  const { id } = await platformAccount(pool);
  const { rows } = await pool.query(
    `select t.text from messages m join order_texts t on t.order_id = m.order_id and t.account_id = m.account_id
     where m.account_id = $1 and m.number = $2 order by m.id`,
    [id, mobile],
  );
  return (rows as { text: string }[]).map(one => one.text);
}

test('the bell says so while the balance is below, and the phone once per crossing', async () => {
  const owner = await ownerWithPhone();
  const saved = await owner.ok('settings.setLowBalance', { threshold: 50, sms: true });
  expect(saved).toMatchObject({ lowBalance: 50, lowBalanceSms: true });
  const round = () => watchLowBalances(parts);
  const bell = async () => (await owner.ok('live', {})).lowBalance;
  await round();
  expect([await bell(), await messagesTo(owner.mobile)]).toEqual([null, []]);
  await setTo(owner, 49);
  await round();
  await round();
  expect(await bell()).toBe(50);
  expect(await messagesTo(owner.mobile)).toEqual([
    'Peyk: Deneme Ltd hesabinin kredisi 49, belirlediginiz 50 sinirinin altinda.',
  ]);
  await setTo(owner, 48);
  await round();
  expect(await messagesTo(owner.mobile)).toHaveLength(1);
  await setTo(owner, 50);
  await round();
  expect(await bell()).toBeNull();
  await setTo(owner, 30);
  await round();
  expect(await messagesTo(owner.mobile)).toHaveLength(2);
});

test('without the setting, without a limit or without a phone nothing is sent', async () => {
  const quiet = await ownerWithPhone();
  await quiet.ok('settings.setLowBalance', { threshold: 500, sms: false });
  const off = await ownerWithPhone();
  await off.ok('settings.setLowBalance', { threshold: null, sms: true });
  const unreachable = await panel.owner();
  await pool.query('update users set mobile = null where email = $1', [unreachable.email]);
  await unreachable.ok('settings.setLowBalance', { threshold: 500, sms: true });
  await watchLowBalances(parts);
  expect(await messagesTo(quiet.mobile)).toEqual([]);
  expect(await messagesTo(off.mobile)).toEqual([]);
  expect((await quiet.ok('live', {})).lowBalance).toBe(500);
  expect((await off.ok('live', {})).lowBalance).toBeNull();
});

test('a process that died after sending does not send twice', async () => {
  const owner = await ownerWithPhone();
  await owner.ok('settings.setLowBalance', { threshold: 500, sms: true });
  await watchLowBalances(parts);
  await pool.query('update accounts set low_balance_told = false where id = $1', [owner.accountId]);
  await watchLowBalances(parts);
  expect(await messagesTo(owner.mobile)).toHaveLength(1);
});

test('a limit must be a whole number above zero', async () => {
  const owner = await panel.owner();
  for (const threshold of [0, -5, 1.5, 1e12])
    expect((await owner.refusal('settings.setLowBalance', { threshold, sms: false })).code).toBe('bad-input');
});
