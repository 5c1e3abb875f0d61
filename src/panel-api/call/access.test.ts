// Calls every operation of the contract with each role, and with the ids of another account.
import { afterAll, expect, test } from 'vitest';
import { addBrand } from '../../consent/brands.ts';
import { type InputOf, type OperationName, operations } from '../contract/contract.ts';
import { exportKinds, memberRoles } from '../contract/facts.ts';
import type { Browser } from '../panel-fixture.ts';
import { goodPassword } from '../panel-fixture.ts';
import {
  calls,
  documentId,
  hiddenNumber,
  hiddenText,
  markers,
  messageId,
  orderId,
  panel,
  png,
  pool,
  victim,
} from './access-fixture.ts';

afterAll(() => panel.stop());

const names = Object.keys(operations) as OperationName[];
const rank = (role: string) => (memberRoles as readonly string[]).indexOf(role);

async function memberOf(owner: Browser, role: 'viewer' | 'sender' | 'owner'): Promise<Browser> {
  const { token } = await owner.ok('users.invite', { email: `${role}-${Math.random()}@ornek.com`, role });
  const browser = panel.browser();
  await browser.ok('session.acceptInvite', { token, password: goodPassword });
  return browser;
}

/** Signs out last, because later calls would all fail. */
const walk = [...names].sort((a, b) => Number(a === 'session.signOut') - Number(b === 'session.signOut'));

async function codes(browser: Browser): Promise<Map<OperationName, string>> {
  const found = new Map<OperationName, string>();
  for (const name of walk) {
    if (operations[name].role === 'public') continue;
    const { body } = await browser.send(name, calls[name].own);
    found.set(name, body.ok ? 'ok' : body.error.code);
  }
  return found;
}

test('without a session every operation but the public ones answers signed-out', async () => {
  for (const [name, code] of await codes(panel.browser())) expect([name, code]).toEqual([name, 'signed-out']);
});

test.each(memberRoles)('a %s may do what the table says and nothing else', async role => {
  const host = await panel.owner('Ev sahibi');
  const member = await memberOf(host, role);
  for (const [name, code] of await codes(member)) {
    const needed = operations[name].role;
    const may = needed === 'user' || (needed !== 'staff' && rank(role) >= rank(needed));
    expect([name, code === 'forbidden'], `${name} answered ${code}`).toEqual([name, !may]);
    expect(code, name).not.toBe('unavailable');
  }
});

test('staff may use the staff operations, and without an account no others', async () => {
  const staff = await panel.staff();
  const me = await staff.ok('session.me', {});
  await pool.query('delete from memberships where user_id = $1', [me.user.id]);
  for (const [name, code] of await codes(staff)) {
    const { role } = operations[name];
    if (role === 'staff' || role === 'user')
      expect(['forbidden', 'no-account', 'unavailable'], name).not.toContain(code);
    else expect([name, code]).toEqual([name, 'no-account']);
  }
});

test('the poll of staff without an account is empty but for what concerns staff', async () => {
  const staff = await panel.staff();
  const { user } = await staff.ok('session.me', {});
  await pool.query('delete from memberships where user_id = $1', [user.id]);
  const live = await staff.ok('live', {});
  expect(live).toMatchObject({ balance: 0, running: [], scheduled: 0, inboxLatest: 0, webhookState: 'none' });
  expect(live.staff).toMatchObject({ carriersDown: 0 });
  expect((await victim.ok('live', {})).staff).toBeNull();
});

test('no operation takes an id of another account', async () => {
  const attacker = await panel.owner('Saldıran');
  await addBrand(pool, attacker.accountId, 777002, null);
  for (const name of walk) {
    const { foreign } = calls[name];
    if (foreign === undefined) continue;
    const { body, text } = await attacker.send(name, foreign);
    expect([name, body.ok]).toEqual([name, false]);
    for (const marker of markers) expect(text, name).not.toContain(marker);
  }
  expect((await victim.ok('orders.read', { id: orderId })).state).toBe('scheduled');
  expect((await victim.ok('blacklist.list', {})).total).toBe(1);
});

test('no answer of an account holds anything of another', async () => {
  const attacker = await panel.owner('Saldıran');
  await addBrand(pool, attacker.accountId, 777003, null);
  for (const name of walk) {
    if (name === 'session.signOut') continue;
    const { text } = await attacker.send(name, calls[name].own);
    for (const marker of markers) expect(text, name).not.toContain(marker);
  }
});

test('downloads and documents are for the account alone, and for staff', async () => {
  const attacker = await panel.owner('Saldıran');
  for (const kind of Object.keys(exportKinds)) {
    const answer = await attacker.get(`/panel/api/export/${kind}?id=${orderId}&search=&brand=777001`);
    for (const marker of markers) expect(answer.body, kind).not.toContain(marker);
    expect(answer.statusCode, kind).toBe(kind === 'recipients' ? 404 : 200);
    expect((await panel.browser().get(`/panel/api/export/${kind}`)).statusCode, kind).toBe(401);
  }
  const path = `/panel/api/document/${documentId}`;
  expect((await attacker.get(path)).statusCode).toBe(404);
  expect((await panel.browser().get(path)).statusCode).toBe(401);
  for (const allowed of [victim, await panel.staff()]) {
    const answer = await allowed.get(path);
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload.equals(png)).toBe(true);
    expect(answer.headers['content-disposition']).toContain('attachment');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  }
  const viewer = await memberOf(victim, 'viewer');
  expect((await viewer.get('/panel/api/export/audit')).statusCode).toBe(403);
  expect((await viewer.upload(png, 'image/png', 'a.png')).statusCode).toBe(403);
});

test('documents prove identities: of the account’s people only owners may download them', async () => {
  const path = `/panel/api/document/${documentId}`;
  for (const role of ['viewer', 'sender'] as const) {
    const answer = await (await memberOf(victim, role)).get(path);
    expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'forbidden']);
  }
  expect((await (await memberOf(victim, 'owner')).get(path)).statusCode).toBe(200);
});

test('staff who view as a customer read every page with numbers and texts masked, and can change nothing', async () => {
  const staff = await panel.staff();
  await staff.ok('staff.viewAs', { id: victim.accountId, reason: 'Destek 17' });
  const mayChange = new Set<OperationName>(['session.signOut', 'staff.viewAs', 'staff.viewReveal', 'staff.viewEnd']);
  for (const name of walk) {
    const { role, changes } = operations[name];
    if (role === 'public' || mayChange.has(name)) continue;
    for (const input of [calls[name].own, calls[name].foreign]) {
      if (input === undefined) continue;
      const { body, text } = await staff.send(name, input as InputOf<typeof name>);
      const code = body.ok ? 'ok' : body.error.code;
      if (changes || name === 'settings.testCredentials') expect([name, code]).toEqual([name, 'viewing']);
      else expect(['viewing', 'forbidden', 'no-account', 'signed-out', 'unavailable'], name).not.toContain(code);
      if (role === 'staff') continue;
      for (const hidden of [hiddenText, '9998877', '999 88 77', '9998878']) expect(text, name).not.toContain(hidden);
    }
  }
  for (const kind of Object.keys(exportKinds))
    expect((await staff.get(`/panel/api/export/${kind}?id=${orderId}`)).statusCode, kind).toBe(403);
  expect((await staff.upload(png, 'image/png', 'a.png')).statusCode).toBe(403);
});

test('numbers and texts are shown to staff with a reason, keys never, and the owner reads of it', async () => {
  const staff = await panel.staff();
  expect((await staff.refusal('staff.viewReveal', { reason: 'x' })).code).toBe('not-viewing');
  expect((await staff.refusal('staff.viewAs', { id: victim.accountId, reason: ' ' })).code).toBe('reason-needed');
  const { account, viewing } = await staff.ok('staff.viewAs', { id: victim.accountId, reason: 'Destek 18' });
  expect([account!.id, viewing!.revealed]).toEqual([victim.accountId, false]);
  expect((await staff.ok('orders.recipients', { id: orderId })).rows[0]!.number).toBe('+90555*****77');
  expect((await staff.refusal('staff.viewReveal', { reason: '' })).code).toBe('reason-needed');
  const document = `/panel/api/document/${documentId}`;
  expect((await staff.get(document)).json().error.code).toBe('reason-needed');
  await staff.ok('staff.viewReveal', { reason: 'Müşteri numarayı söyledi' });
  expect(await staff.ok('orders.message', { orderId, messageId })).toMatchObject({
    text: hiddenText,
    number: hiddenNumber,
  });
  expect((await staff.get(document)).statusCode).toBe(200);
  const { key } = (await victim.ok('settings.read', {})).key!;
  for (const name of ['settings.read', 'developers.read'] as const)
    expect((await staff.send(name, {})).text).not.toContain(key);
  expect((await staff.ok('staff.viewEnd', {})).viewing).toBeNull();
  expect((await staff.refusal('orders.read', { id: orderId })).code).toBe('not-found');
  const { rows } = await victim.ok('audit.list', {});
  const entries = rows.filter(row => row.action.startsWith('support.') && row.actor === 'işletmeci');
  expect(entries.slice(0, 3).map(row => [row.action, row.detail])).toEqual([
    ['support.view-end', {}],
    ['support.reveal', { reason: 'Müşteri numarayı söyledi' }],
    ['support.view', { reason: 'Destek 18' }],
  ]);
});

test('a view ends by itself, and with the staff role', async () => {
  const staff = await panel.staff();
  const { user } = await staff.ok('staff.viewAs', { id: victim.accountId, reason: 'Destek 19' });
  await pool.query("update sessions set viewing_until = now() - interval '1 second' where user_id = $1", [user.id]);
  expect((await staff.ok('session.me', {})).viewing).toBeNull();
  await staff.ok('staff.viewAs', { id: victim.accountId, reason: 'Destek 19' });
  await pool.query('update users set staff = false where id = $1', [user.id]);
  const me = await staff.ok('session.me', {});
  expect([me.viewing, me.account!.id === victim.accountId]).toEqual([null, false]);
});

test('a suspended account can look but not change anything or send', async () => {
  const owner = await panel.owner();
  await pool.query("update accounts set status = 'suspended' where id = $1", [owner.accountId]);
  await owner.ok('orders.list', {});
  for (const name of ['send.submit', 'blacklist.add', 'settings.rotateKey'] as const)
    expect((await owner.refusal(name, calls[name].own)).code).toBe('suspended');
});

test('a large body is read only for who is signed in, and one with too many values is refused before it is built', async () => {
  const long = 'x'.repeat(70_000);
  expect(await panel.browser().refusal('session.signIn', { email: long, password: long })).toMatchObject({
    code: 'signed-out',
  });
  expect((await panel.browser().upload(Buffer.alloc(70_000), 'image/png', 'a.png')).json().error.code).toBe(
    'signed-out',
  );
  const owner = await panel.owner();
  const many = Array<object>(600_000).fill({}) as unknown as string;
  expect(await owner.refusal('search', { text: many })).toMatchObject({ code: 'bad-request' });
  expect((await owner.upload(Buffer.concat([png, Buffer.alloc(70_000)]), 'image/png', 'a.png')).statusCode).toBe(200);
});
