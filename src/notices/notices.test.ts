// Decisions about an account reach its people: the bell at once, the owner's phone once.
import { afterAll, expect, test } from 'vitest';
import { AcceptQueue } from '../accept/accept-queue.ts';
import { platformAccount } from '../accounts/platform-account.ts';
import { silentLog } from '../log.ts';
import { startPanel } from '../panel-api/panel-fixture.ts';
import { sendNotices } from './notice-watch.ts';

const panel = await startPanel();
const { pool } = panel.database;
afterAll(() => panel.stop());

const parts = { db: pool, homeDb: pool, orders: new AcceptQueue(pool, 90_000_000), log: silentLog };
const staff = await panel.staff();
const pdf = Buffer.from('%PDF-1.4 deneme');
let mobiles = 0;

async function ownerWithPhone() {
  const owner = await panel.owner();
  const mobile = 905_550_002_000 + ++mobiles;
  await pool.query('update users set mobile = $1 where email = $2', [mobile, owner.email]);
  const document = async (kind = '') =>
    (
      await owner.upload(pdf, 'application/pdf', 'belge.pdf', { 'x-peyk-panel': '1', 'x-peyk-document-kind': kind })
    ).json().data.id as number;
  const bell = async () =>
    (await owner.ok('live', {})).notices.map(({ kind, name, reason, isNew }) => ({ kind, name, reason, isNew }));
  const phone = async () => {
    const { rows } = await pool.query(
      `select t.text from messages m join order_texts t on t.order_id = m.order_id and t.account_id = m.account_id
       where m.account_id = $1 and m.number = $2 order by m.id`,
      [(await platformAccount(pool)).id, mobile],
    );
    return (rows as { text: string }[]).map(one => one.text);
  };
  const subscribe = async (documents: number[]) =>
    owner.ok('subscription.apply', {
      applicantKind: 'sole-trader',
      title: 'Deneme',
      taxOffice: 'X',
      taxNumber: '1234567890',
      address: 'Adres',
      contactName: 'Kişi',
      contactMobile: '5550000000',
      documents,
    });
  return Object.assign(owner, { document, bell, phone, subscribe });
}

test('decisions about subscription, sender ID and account are in the bell at once and on the phone once', async () => {
  const owner = await ownerWithPhone();
  const { id } = await owner.subscribe([await owner.document()]);
  await staff.ok('staff.decide', { id, decision: 'reject', reason: 'Belge okunmuyor' });
  const again = await owner.subscribe([await owner.document()]);
  await staff.ok('staff.decide', { id: again.id, decision: 'approve' });
  const sender = { name: 'ORNEK', applicantKind: 'sole-trader' as const, documents: [await owner.document()] };
  const applied = await owner.ok('senders.apply', sender);
  await staff.ok('staff.decide', { id: applied.id, decision: 'approve' });
  await staff.ok('staff.revokeSender', { id: owner.accountId, name: 'ORNEK', reason: 'Şikâyet' });
  await staff.ok('staff.setAccount', { id: owner.accountId, status: 'suspended', reason: 'İnceleme' });
  await staff.ok('staff.setAccount', { id: owner.accountId, status: 'suspended', reason: 'İnceleme' });
  await staff.ok('staff.setAccount', { id: owner.accountId, status: 'active', reason: 'Bitti' });
  const nobody = { name: null, isNew: true };
  expect(await owner.bell()).toEqual([
    { ...nobody, kind: 'account.active', reason: 'Bitti' },
    { ...nobody, kind: 'account.suspended', reason: 'İnceleme' },
    { kind: 'sender.rejected', name: 'ORNEK', reason: 'Şikâyet', isNew: true },
    { kind: 'sender.approved', name: 'ORNEK', reason: null, isNew: true },
    { ...nobody, kind: 'subscription.approved', reason: null },
    { ...nobody, kind: 'subscription.rejected', reason: 'Belge okunmuyor' },
  ]);
  await Promise.all([sendNotices(parts), sendNotices(parts), sendNotices(parts)]);
  await sendNotices(parts);
  expect((await owner.phone()).sort()).toEqual(
    [
      'Peyk: Abonelik basvurunuz reddedildi. Sebebi panelde. B186',
      'Peyk: Abonelik basvurunuz onaylandi. B186',
      'Peyk: ORNEK basliginiz onaylandi. B186',
      'Peyk: ORNEK basligi reddedildi. Sebebi panelde. B186',
      'Peyk: Hesabiniz askiya alindi; gonderim kapali. B186',
      'Peyk: Hesabiniz yeniden etkin. B186',
    ]
      .map(one => one.replace(' B186', ''))
      .sort(),
  );
});

test('what was looked at is no longer new, for the one who looked, even while the account is suspended', async () => {
  const owner = await ownerWithPhone();
  await staff.ok('staff.setAccount', { id: owner.accountId, status: 'suspended', reason: 'İnceleme' });
  const [word] = (await owner.ok('live', {})).notices;
  const other = await panel.owner();
  await other.ok('notices.seen', { upTo: word!.id });
  expect((await owner.bell())[0]!.isNew).toBe(true);
  await owner.ok('notices.seen', { upTo: word!.id });
  expect((await owner.bell())[0]!.isNew).toBe(false);
});

test('an account without a phone keeps nobody else waiting', async () => {
  const silent = await panel.owner();
  await pool.query('update users set mobile = null where email = $1', [silent.email]);
  await staff.ok('staff.setAccount', { id: silent.accountId, status: 'suspended', reason: 'x' });
  const owner = await ownerWithPhone();
  await staff.ok('staff.setAccount', { id: owner.accountId, status: 'suspended', reason: 'x' });
  await sendNotices(parts);
  expect(await owner.phone()).toHaveLength(1);
  const { rows } = await pool.query('select count(*)::int as n from account_notices where told_at is null');
  expect(rows).toEqual([{ n: 0 }]);
});

test('an application says which documents it lacks, takes them while it waits, and staff ask for one with a note', async () => {
  const owner = await ownerWithPhone();
  const { id, missing } = await owner.subscribe([await owner.document('tax-certificate')]);
  expect(missing.map(one => one.key)).toEqual(['identity']);
  expect((await staff.ok('staff.application', { id })).missing).toEqual(missing);
  expect((await staff.refusal('staff.askDocuments', { id, note: ' ' })).code).toBe('bad-input');
  await staff.ok('staff.askDocuments', { id, note: 'Kimliğin arka yüzü' });
  expect((await owner.ok('subscription.read', {})).current!.asked).toMatchObject({
    note: 'Kimliğin arka yüzü',
    answeredAt: null,
  });
  expect((await owner.bell())[0]).toMatchObject({ kind: 'documents.asked', reason: 'Kimliğin arka yüzü' });

  const stranger = await ownerWithPhone();
  const foreign = await stranger.document('identity');
  expect((await stranger.refusal('applications.addDocuments', { id, documents: [foreign] })).code).toBe('not-found');
  expect((await owner.refusal('applications.addDocuments', { id, documents: [foreign] })).code).toBe(
    'documents-missing',
  );
  const added = await owner.ok('applications.addDocuments', { id, documents: [await owner.document('identity')] });
  expect(added.missing).toEqual([]);
  expect(added.asked!.answeredAt).not.toBeNull();
  expect(added.documents.map(one => one.kind)).toEqual(['tax-certificate', 'identity']);
  const unknown = await owner.document('constructor');
  await owner.ok('applications.addDocuments', { id, documents: [unknown] });
  const seen = await staff.ok('staff.application', { id });
  expect(seen.documents.map(one => one.kind)).toEqual(['tax-certificate', 'identity', null]);

  await staff.ok('staff.decide', { id, decision: 'approve' });
  const late = await owner.document('identity');
  expect((await owner.refusal('applications.addDocuments', { id, documents: [late] })).code).toBe('already-decided');
  expect((await staff.refusal('staff.askDocuments', { id, note: 'x' })).code).toBe('already-decided');
});

test('an application holds twenty documents at most, however many are added at once', async () => {
  const owner = await ownerWithPhone();
  const { id } = await owner.subscribe([await owner.document()]);
  const batches = await Promise.all(
    Array.from({ length: 6 }, async () => [
      await owner.document(),
      await owner.document(),
      await owner.document(),
      await owner.document(),
    ]),
  );
  const answers = await Promise.all(
    batches.map(documents => owner.send('applications.addDocuments', { id, documents })),
  );
  expect(answers.filter(one => one.body.ok)).toHaveLength(4);
  expect((await staff.ok('staff.application', { id })).documents).toHaveLength(17);
});
