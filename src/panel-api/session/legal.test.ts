// Terms of use and privacy notice: acceptance is recorded, and a new version must be accepted before any change.
import { afterAll, expect, test } from 'vitest';
import { goodPassword, startPanel } from '../panel-fixture.ts';

const panel = await startPanel();
const { pool } = panel.database;
afterAll(() => panel.stop());

const shown = { terms: 1, privacy: 1 };
const newcomer = {
  accountName: 'Deneme Ltd',
  mobile: '0555 000 00 41',
  password: goodPassword,
  email: 'yeni@ornek.com',
};

test('a first start shows a template that says what the operator must fill in', async () => {
  const { texts } = await panel.browser().ok('legal.current', {});
  expect(texts.map(one => [one.kind, one.version, one.isTemplate])).toEqual([
    ['terms', 1, true],
    ['privacy', 1, true],
  ]);
  for (const { tr, en } of texts) {
    expect(tr).toMatch(/^TASLAK.*\[işletmecinin ticari unvanı\]/s);
    expect(en).toMatch(/^TEMPLATE.*\[trade name of the operator\]/s);
  }
});

test('nobody signs up without having accepted the versions in force, and who, what, when and from where is kept', async () => {
  const person = panel.browser('10.0.0.41');
  await person.ok('session.signUpStart', newcomer);
  const code = await panel.sentCode(905_550_000_041);
  const refused = [{}, { terms: 1 }, { terms: 1, privacy: 2 }, { terms: 0, privacy: 1 }] as {
    terms: number;
    privacy: number;
  }[];
  const codes = [];
  for (const accepted of refused)
    codes.push((await person.refusal('session.signUp', { ...newcomer, ...accepted, code })).code);
  expect(codes).toEqual(['bad-input', 'bad-input', 'terms-changed', 'bad-input']);
  const me = await person.ok('session.signUp', { ...newcomer, ...shown, code });
  expect(me.mustAccept).toBe(false);
  const { accepted, pending } = await person.ok('legal.mine', {});
  expect(pending).toEqual([]);
  expect(accepted.map(one => [one.kind, one.version, one.address])).toEqual([
    ['terms', 1, '10.0.0.41'],
    ['privacy', 1, '10.0.0.41'],
  ]);
  expect(Math.abs(Date.now() - Date.parse(accepted[0]!.acceptedAt))).toBeLessThan(60_000);
});

test('after a new version a person can look and keep the login safe, and changes nothing else until it is accepted', async () => {
  const staff = await panel.staff();
  const owner = await panel.owner();
  await owner.ok('blacklist.add', { numbers: ['5550000001'] });
  const text = { tr: 'Yeni koşullar <b>kalın değil</b>', en: 'New terms' };
  const { versions } = await staff.ok('staff.publishLegal', { kind: 'terms', basedOn: 1, ...text });
  expect(versions.map(one => [one.kind, one.version])).toEqual([
    ['terms', 2],
    ['terms', 1],
    ['privacy', 1],
  ]);
  expect((await owner.ok('session.me', {})).mustAccept).toBe(true);
  expect((await staff.ok('session.me', {})).mustAccept).toBe(false);
  expect((await owner.refusal('blacklist.add', { numbers: ['5550000002'] })).code).toBe('terms-pending');
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(9)]);
  expect((await owner.upload(png, 'image/png', 'a.png')).json().error.code).toBe('terms-pending');
  await owner.ok('blacklist.list', {});
  await owner.ok('profile.revokeOthers', {});
  await staff.ok('staff.setAccount', { id: owner.accountId, rate: 50, reason: 'deneme' });

  const { pending } = await owner.ok('legal.mine', {});
  expect(pending).toMatchObject([{ kind: 'terms', version: 2, ...text }]);
  expect((await owner.refusal('legal.accept', shown)).code).toBe('terms-changed');
  await owner.ok('legal.accept', { terms: 2 });
  await owner.ok('legal.accept', { terms: 2 });
  await owner.ok('blacklist.add', { numbers: ['5550000002'] });
  expect((await owner.ok('session.me', {})).mustAccept).toBe(false);
  // Only shown versions are recorded.
  expect((await owner.ok('legal.mine', {})).accepted.map(one => [one.kind, one.version])).toEqual([['terms', 2]]);
  const accepted = (await owner.ok('audit.list', { action: 'legal.accept' })).rows;
  expect(accepted.map(one => one.detail)).toContainEqual({ text: 'terms', version: 2 });
});

test('a version that is valid from a later day is asked for from that day on', async () => {
  const staff = await panel.staff();
  const owner = await panel.owner();
  const validFrom = new Date(Date.now() + 40 * 86_400_000).toISOString();
  await staff.ok('staff.publishLegal', { kind: 'privacy', basedOn: 1, tr: 'Yeni metin', en: 'New', validFrom });
  await owner.ok('legal.accept', { terms: 2 });
  await owner.ok('blacklist.add', { numbers: ['5550000003'] });
  expect((await owner.ok('legal.mine', {})).pending).toEqual([]);
  await pool.query(
    "update legal_texts set valid_from = now() - interval '1 second' where kind = 'privacy' and version = 2",
  );
  expect((await owner.refusal('blacklist.add', { numbers: ['5550000004'] })).code).toBe('terms-pending');
  await owner.ok('legal.accept', { privacy: 2 });
  expect((await owner.ok('audit.list', { action: 'legal.acknowledge' })).rows.map(one => one.detail)).toEqual([
    { text: 'privacy', version: 2 },
  ]);
});

test('of two who publish at once one gets the error that the text has changed, and no version is ever written over', async () => {
  const staff = await panel.staff();
  const before = (await staff.ok('staff.legal', {})).versions;
  const basedOn = before.find(one => one.kind === 'terms')!.version;
  const both = await Promise.all(
    ['A', 'B', 'C', 'D'].map(tr => staff.send('staff.publishLegal', { kind: 'terms', basedOn, tr, en: tr })),
  );
  expect(both.filter(one => one.body.ok)).toHaveLength(1);
  for (const { body } of both) if (!body.ok) expect(body.error.code).toBe('legal-outdated');
  const after = (await staff.ok('staff.legal', {})).versions;
  expect(after).toHaveLength(before.length + 1);
  for (const one of before) expect(after).toContainEqual(one);
});
