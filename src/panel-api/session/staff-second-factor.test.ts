// If staff need a second factor, they have no staff rights until it is set up.
import { afterAll, expect, test } from 'vitest';
import { totpCode, totpStep } from '../../people/totp.ts';
import { nowMs } from '../../time/clock.ts';
import { type OperationName, operations } from '../contract/contract.ts';
import { goodPassword, startPanel } from '../panel-fixture.ts';

const panel = await startPanel(undefined, undefined, undefined, true);
afterAll(() => panel.stop());

const forStaff = (Object.keys(operations) as OperationName[]).filter(name => operations[name].role === 'staff');

async function enrol(staff: Awaited<ReturnType<typeof panel.staff>>): Promise<void> {
  const { secret } = await staff.ok('profile.totpStart', { password: goodPassword });
  await staff.ok('profile.totpConfirm', { code: totpCode(secret, totpStep(nowMs())) });
}

test('without it every operation of staff is refused with the way out; with it they are staff at once', async () => {
  const staff = await panel.staff();
  expect((await staff.ok('session.me', {})).user).toMatchObject({ staff: false, lacksSecondFactor: true });
  expect(forStaff.length).toBeGreaterThan(20);
  for (const name of forStaff) {
    const { code } = await staff.refusal(name, {} as never);
    expect([name, code]).toEqual([name, 'second-factor-needed']);
  }
  expect((await staff.get('/panel/api/export/staff-accounts')).statusCode).not.toBe(200);
  await enrol(staff);
  expect((await staff.ok('session.me', {})).user).toMatchObject({ staff: true, lacksSecondFactor: false });
  await staff.ok('staff.status', {});
});

test('who turns it off while looking at an account sees nothing of it any more', async () => {
  const owner = await panel.owner();
  const staff = await panel.staff();
  await enrol(staff);
  await staff.ok('staff.viewAs', { id: owner.accountId, reason: 'Destek' });
  await panel.database.pool.query('update users set totp_secret = null where staff');
  const me = await staff.ok('session.me', {});
  expect([me.account, me.viewing]).toEqual([null, null]);
  expect((await staff.refusal('orders.list', {})).code).toBe('no-account');
});

test('customers are asked for nothing', async () => {
  const owner = await panel.owner();
  expect((await owner.ok('session.me', {})).user).toMatchObject({ staff: false, lacksSecondFactor: false });
  expect((await owner.refusal('staff.status', {})).code).toBe('forbidden');
});
