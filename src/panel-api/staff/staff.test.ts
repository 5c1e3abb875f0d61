import { afterAll, expect, test } from 'vitest';
import { grantRecorded } from '../../accounts/grant.ts';
import { readBalance } from '../../balance/ledger.ts';
import { ensureFirstPeople } from '../../people/first-people.ts';
import { sentByAll } from '../../reports/sent-by-all.ts';
import { startPanel } from '../panel-fixture.ts';

const panel = await startPanel();
const { pool } = panel.database;
afterAll(() => panel.stop());

const pdf = Buffer.from('%PDF-1.7 deneme');

test('the first staff user signs in with the password that was shown', async () => {
  const { staff } = await ensureFirstPeople(pool, Buffer.alloc(32, 1), { demo: null, staff: true });
  const browser = panel.browser();
  const me = await browser.ok('session.signIn', staff!);
  expect(me).toMatchObject({ account: null, user: { staff: true } });
  await browser.ok('staff.status', {});
});

const subscription = (documents: number[]) => ({
  applicantKind: 'company' as const,
  title: 'Deneme Ltd',
  taxOffice: 'Merkez',
  taxNumber: '1234567890',
  address: 'Adres',
  contactName: 'Yetkili',
  contactMobile: '5550000000',
  documents,
});

test('a sender ID goes from application to approval, with its documents, after the subscription', async () => {
  const owner = await panel.owner('Başvuran Ltd');
  const staff = await panel.staff();
  const upload = async () => (await owner.upload(pdf, 'application/pdf', 'vergi levhası.pdf')).json().data.id as number;
  const application = { name: 'BASVURAN', applicantKind: 'company' as const };
  expect((await owner.refusal('senders.apply', { ...application, documents: [await upload()] })).code).toBe(
    'subscription-missing',
  );
  expect((await owner.refusal('subscription.apply', subscription([]))).code).toBe('documents-missing');
  const first = await owner.ok('subscription.apply', subscription([await upload()]));
  expect(first.documents).toMatchObject([{ name: 'vergi levhası.pdf', type: 'application/pdf', size: pdf.length }]);
  expect((await owner.refusal('subscription.apply', subscription([await upload()]))).code).toBe('subscription-exists');
  const second = await owner.ok('senders.apply', { ...application, documents: [await upload()] });
  expect((await owner.refusal('senders.apply', { ...application, documents: [await upload()] })).code).toBe(
    'sender-exists',
  );

  const waiting = (await staff.ok('staff.applications', { state: 'applied' })).rows;
  expect(waiting.map(one => one.id)).toEqual([first.id, second.id]);
  const early = await staff.refusal('staff.decide', { id: second.id, decision: 'approve' });
  expect(early.code).toBe('subscription-not-approved');
  await staff.ok('staff.decide', { id: first.id, decision: 'approve' });
  expect((await staff.refusal('staff.decide', { id: second.id, decision: 'reject' })).code).toBe('reason-needed');
  await staff.ok('staff.decide', { id: second.id, decision: 'reject', reason: 'Belge okunmuyor.' });
  expect((await staff.refusal('staff.decide', { id: second.id, decision: 'approve' })).code).toBe('already-decided');

  const rejected = (await owner.ok('senders.list', {})).senders[0]!;
  expect(rejected).toMatchObject({ name: 'BASVURAN', state: 'rejected', reason: 'Belge okunmuyor.' });
  const attention = (await owner.ok('overview.read', { period: '7d' })).attention;
  expect(attention).toMatchObject([{ kind: 'sender-rejected', name: 'BASVURAN' }]);
  // Corrected and submitted again, with the earlier file.
  const again = await owner.ok('senders.apply', { ...application, documents: rejected.documents.map(one => one.id) });
  await staff.ok('staff.decide', { id: again.id, decision: 'approve' });
  expect((await owner.ok('send.options', {})).senders).toEqual(['BASVURAN']);
  const { rows } = await owner.ok('audit.list', { action: 'sender.approved' });
  expect(rows[0]).toMatchObject({ actor: 'işletmeci', address: null });
});

test.each([
  ['AB', 'sender-form'],
  ['ÇİÇEK', 'sender-form'],
  ['COK UZUN BIR AD', 'sender-form'],
  ['BILGI', 'sender-generic'],
  ['APITEST', 'sender-form'],
])('the sender ID %s is refused with %s', async (name, code) => {
  const owner = await panel.owner();
  const documents = [(await owner.upload(pdf, 'application/pdf', 'a.pdf')).json().data.id as number];
  expect((await owner.refusal('senders.apply', { name, applicantKind: 'company', documents })).code).toBe(code);
});

test('uploads are judged by their bytes and their size', async () => {
  const owner = await panel.owner();
  const upload = async (content: Buffer, type = 'application/pdf') =>
    (await owner.upload(content, type, 'a.pdf')).json();
  expect((await upload(Buffer.from('<html>'))).error.code).toBe('document-type');
  expect((await upload(Buffer.from('GIF89a'), 'image/png')).error.code).toBe('document-type');
  expect((await upload(Buffer.concat([pdf, Buffer.alloc(5 * 1024 * 1024)]))).error.code).toBe('document-size');
  expect((await upload(Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'application/pdf')).data.type).toBe('image/jpeg');
  expect((await owner.upload(pdf, 'application/pdf', 'a.pdf', {})).statusCode).toBe(403);
});

test('staff change accounts with a reason, which the owner reads without a name', async () => {
  const owner = await panel.owner('Değişen Ltd');
  const staff = await panel.staff();
  const id = owner.accountId;
  expect((await staff.refusal('staff.setAccount', { id, reason: '', rate: 50 })).code).toBe('reason-needed');
  expect(await staff.ok('staff.setAccount', { id, reason: 'İstek', rate: 50 })).toMatchObject({
    rate: 50,
    name: 'Değişen Ltd',
  });
  expect(await staff.ok('staff.grantCredit', { id, sms: 1_000, reason: 'Havale' })).toMatchObject({ sms: 1_100 });
  expect((await staff.refusal('staff.grantCredit', { id, sms: -2_000, reason: 'Hata' })).code).toBe('below-zero');
  const view = await staff.ok('staff.addBrand', { id, code: 555, quota: 10 });
  expect(view).toMatchObject({ brands: [{ code: 555, quota: 10, active: true }], users: [{ email: owner.email }] });
  expect((await staff.ok('staff.addNumber', { id, number: '7889', keyword: 'abc' })).numbers).toEqual([
    { number: '7889', keyword: 'ABC' },
  ]);
  await staff.ok('staff.setAccount', { id, reason: 'Şikâyet', status: 'suspended' });
  expect((await owner.refusal('settings.setName', { name: 'x' })).code).toBe('suspended');
  const { rows } = await owner.ok('audit.list', { action: 'account.set' });
  expect(rows[0]).toMatchObject({ actor: 'işletmeci', detail: { reason: 'Şikâyet' } });
  const ledger = (await owner.ok('balance.ledger', { kind: 'grant' })).rows[0]!;
  expect(ledger).toMatchObject({ sms: 1_000, reason: 'Havale', actor: 'işletmeci' });
});

test('a grant with a key counts once, however often and at once it is sent, and its audit entry stands with it', async () => {
  const owner = await panel.owner();
  const staff = await panel.staff();
  const grant = { id: owner.accountId, sms: 500, reason: 'Havale', key: 'form-1' };
  const answers = await Promise.all(Array.from({ length: 20 }, () => staff.ok('staff.grantCredit', grant)));
  expect(new Set(answers.map(one => one.sms))).toEqual(new Set([600]));
  expect((await owner.ok('audit.list', { action: 'credit.grant' })).rows).toHaveLength(1);
  expect((await staff.refusal('staff.grantCredit', { ...grant, sms: 501 })).code).toBe('key-used');
  expect(await staff.ok('staff.grantCredit', { ...grant, key: 'form-2' })).toMatchObject({ sms: 1_100 });
  expect((await owner.ok('audit.list', { action: 'credit.grant' })).rows).toHaveLength(2);
});

test('a grant whose audit entry cannot be written moves no credit', async () => {
  const { accountId } = await panel.owner();
  const grant = { accountId, sms: 5, amount: '0', reason: 'x', actor: 'a', address: 'NUL \0', key: null };
  await expect(grantRecorded(pool, grant)).rejects.toThrow();
  expect((await readBalance(pool, accountId))!.sms).toBe(100);
});

test('accounts are found by id, name in any case, e-mail, key and listed address', async () => {
  const owner = await panel.owner('ÖZEL İŞLER');
  const staff = await panel.staff();
  const { key } = await owner.ok('settings.rotateKey', {});
  await owner.ok('settings.setAddresses', { list: 'api', addresses: ['203.0.113.77'] });
  for (const search of [
    String(owner.accountId),
    'özel işler',
    'ozel isler',
    owner.email,
    key.slice(0, 12),
    '203.0.113.77',
  ])
    expect(
      (await staff.ok('staff.accounts', { search })).rows.map(one => one.id),
      search,
    ).toEqual([owner.accountId]);
});

test('staff open an account for somebody, whose owner comes in by invitation', async () => {
  const staff = await panel.staff();
  const opened = await staff.ok('staff.openAccount', { name: 'Yeni Müşteri', ownerEmail: 'yeni.musteri@ornek.com' });
  const guest = panel.browser();
  const me = await guest.ok('session.acceptInvite', { token: opened.invite!.token, password: 'uzun bir parola 1' });
  expect(me.account).toMatchObject({ id: opened.id, role: 'owner' });
});

test('carriers are added, changed and paused; a password never comes back', async () => {
  const staff = await panel.staff();
  const settings = { host: '127.0.0.1', port: '2775', 'system-id': 'peyk' };
  expect((await staff.refusal('staff.putCarrier', { name: 'A', settings })).field).toBe('password');
  const wrong = await staff.refusal('staff.putCarrier', {
    name: 'A',
    settings: { ...settings, port: 'x' },
    password: 'gizli99',
  });
  expect(wrong).toMatchObject({ code: 'bad-setting', field: 'port' });
  const added = await staff.send('staff.putCarrier', { name: 'A', settings, password: 'gizli99' });
  expect(added.text).not.toContain('gizli99');
  const changed = await staff.ok('staff.putCarrier', { name: 'A', settings: { window: '50', prefixes: '9053,9054' } });
  expect(changed.carriers).toMatchObject([
    { name: 'A', windowSize: 50, state: 'down', values: { window: '50', prefixes: '9053,9054' } },
  ]);
  expect(
    (await staff.ok('staff.pauseCarrier', { name: 'A', paused: true, reason: 'bakım' })).carriers[0],
  ).toMatchObject({
    state: 'paused',
    pauseReason: 'bakım',
  });
  expect((await staff.ok('staff.pauseCarrier', { name: 'A', paused: false })).carriers[0]?.paused).toBe(false);
  const { text } = await staff.send('staff.audit', {});
  expect(text).not.toContain('gizli99');
});

test('the queue tells lanes apart and how long the oldest has waited', async () => {
  const owner = await panel.owner();
  const staff = await panel.staff();
  const draft = {
    sender: 'APITEST',
    text: 'kuyruk',
    recipients: ['5550000001', '5550000002'],
    sendAt: null,
    commercial: false,
  };
  await owner.ok('send.submit', { ...draft, idempotencyKey: 'anahtar-1' });
  await pool.query("update chunks set due_at = now() - interval '90 seconds'");
  const queue = await staff.ok('staff.queue', {});
  expect(queue.lanes[0]).toMatchObject({ lane: 'transactional', messages: 2, chunks: 1 });
  expect(queue.lanes[0]!.oldestSeconds).toBeGreaterThanOrEqual(90);
  expect(queue.accounts).toMatchObject([{ accountId: owner.accountId, messages: 2 }]);
  expect((await staff.ok('live', {})).staff?.oldestWaitingSeconds).toBeGreaterThanOrEqual(90);
  const health = await staff.ok('staff.health', {});
  expect(health).toMatchObject({ databaseAnswers: true, webhooks: { backlog: 0 }, registry: { trouble: false } });
  expect(health.lanes).toMatchObject([
    { lane: 'transactional', messages: 2 },
    { lane: 'campaign', messages: 0 },
  ]);
  expect(health.lanes[0]!.oldestSeconds).toBeGreaterThanOrEqual(90);
  expect(health.tables.length).toBeGreaterThan(5);
  expect(health.hour).toHaveLength(60);
});

test('a lost second factor is taken off by staff with a reason, and the sessions end', async () => {
  const owner = await panel.owner();
  const staff = await panel.staff();
  const me = await owner.ok('session.me', {});
  await pool.query("update users set totp_secret = 'x' where id = $1", [me.user.id]);
  await staff.ok('staff.resetSecondFactor', { userId: me.user.id, reason: 'Telefon kayıp' });
  expect((await owner.refusal('session.me', {})).code).toBe('signed-out');
  const found = (await staff.ok('staff.users', { search: owner.email })).rows[0]!;
  expect(found).toMatchObject({ userId: me.user.id, hasTotp: false });
});

test('of a day with more orders than are looked at, the status page says that there were more', async () => {
  const owner = await panel.owner('Yoğun Ltd');
  await pool.query(
    `insert into orders (id, account_id, sender, lane, source, state, total, delivered, undelivered, first_message_id, submit_at,
       send_at, close_after, fingerprint, text, encoding, parts)
     select nextval('order_ids'), $1, 'YOGUN', 0, 'api', 'finished', 10, 7, 3, 1, now(), now(), now(), 1, 'x', 0, 1
     from generate_series(1, 3)`,
    [owner.accountId],
  );
  const since = new Date(Date.now() - 60_000);
  expect(await sentByAll(pool, since, 2)).toEqual({ total: 20, delivered: 14, isComplete: false });
  expect((await sentByAll(pool, since)).isComplete).toBe(true);
});

test('sending is held and let go on from the status page, with a trace of both, and a hold is shown to staff everywhere', async () => {
  const staff = await panel.staff();
  expect((await staff.ok('staff.status', {})).hold).toBeNull();
  await staff.ok('staff.holdDispatch', { reason: 'Deneme' });
  expect((await staff.ok('staff.status', {})).hold).toMatchObject({ reason: 'operator', detail: 'Deneme' });
  await expect.poll(async () => (await staff.ok('live', {})).staff!.held).toBe(true);
  expect(await staff.ok('staff.releaseDispatch', { close: false })).toEqual({ closed: 0 });
  expect((await staff.ok('staff.status', {})).hold).toBeNull();
  const { rows } = await pool.query(`select action from audit_entries where action like 'dispatch.%' order by id`);
  expect(rows.map(row => row.action)).toEqual(['dispatch.hold', 'dispatch.release']);
});
