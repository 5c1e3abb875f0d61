// For access.test.ts: an account with an example of everything, and a call of every operation of the contract. A new operation
// without a row in `calls` does not compile.
import { addBrand } from '../../consent/brands.ts';
import type { InputOf, OperationName } from '../contract/contract.ts';
import { goodPassword, startPanel } from '../panel-fixture.ts';

export const panel = await startPanel();
export const { pool } = panel.database;
export const hiddenText = 'gizli metin 7391';
export const hiddenNumber = '+905559998877';
export const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(50)]);
const consentDate = () => new Date(Date.now() + 3 * 3_600_000 - 60_000).toISOString().slice(0, 19).replace('T', ' ');

export const victim = await panel.owner('GIZLI-HESAP');
await addBrand(pool, victim.accountId, 777001, null);
const draft = {
  sender: 'APITEST',
  text: hiddenText,
  recipients: [hiddenNumber],
  sendAt: '2099-01-01 10:00',
  commercial: false,
};
const { recipients: _, ...head } = draft;
const shape = { fileName: `${hiddenText}.csv`, header: false, numberColumn: 0, names: ['numara'] };
const { id: draftId } = await victim.ok('drafts.create', { head });
await victim.ok('drafts.startList', { id: draftId, shape, rows: 1 });
await victim.ok('drafts.putRows', { id: draftId, listNo: 1, no: 0, rows: [[hiddenNumber, hiddenText]] });
export const { orderId } = await victim.ok('send.submit', { ...draft, idempotencyKey: 'anahtar-1' });
export const messageId = (await victim.ok('orders.recipients', { id: orderId })).rows[0]!.messageId;
await victim.ok('blacklist.add', { numbers: ['5559998878'], note: hiddenText });
const record = { recipient: hiddenNumber, recipientType: 'BIREYSEL', type: 'MESAJ', status: 'ONAY', source: 'HS_WEB' };
await victim.ok('consent.add', { brand: 777001, rows: [{ ...record, consentDate: consentDate() }] });
const { id: webhookId } = await victim.ok('webhook.add', { url: 'http://127.0.0.1:9/gizli-metin-7391' });
const { deliveryId } = await victim.ok('webhook.test', { id: webhookId });
const invite = await victim.ok('users.invite', { email: 'gizli@ornek.com', role: 'viewer' });
const upload = async (name: string) => (await victim.upload(png, 'image/png', name)).json().data.id as number;
export const documentId = await upload('gizli metin 7391.png');
const applicationId = (await victim.ok('subscription.apply', subscription([await upload('levha.png')]))).id;
const victimUser = (await victim.ok('session.me', {})).user.id;
await pool.query(
  `insert into inbound_messages (account_id, number, number_text, recipient, text, received_at)
   values ($1, 905559998877, '+905559998877', '7889', $2, now())`,
  [victim.accountId, hiddenText],
);
await pool.query(
  `insert into api_refusals (account_id, operation, code, cause, address) values ($1, 'send-sms', 401, 'wrong-hash', '10.77.77.77')`,
  [victim.accountId],
);
await pool.query(
  `insert into api_calls (account_id, at, operation, ms, address) values ($1, now(), 'send-sms', 5, '10.77.77.77')`,
  [victim.accountId],
);
const { key: victimKey } = await victim.ok('settings.createKey', { name: 'GIZLI-HESAP anahtarı' });
const { systemId } = await victim.ok('smpp.add', { name: 'GIZLI-HESAP', addresses: ['10.77.77.77'] });
export const markers = [hiddenText, 'GIZLI-HESAP', '10.77.77.77', 'gizli@ornek.com', victim.email, 'gizli-metin-7391'];

/** `own`: a harmless call. `foreign`: the same with another account's ids, which must be refused. */
type Calls = { [Name in OperationName]: { own: InputOf<Name>; foreign?: InputOf<Name> } };
export const calls: Calls = {
  'session.signUpStart': { own: { accountName: '', email: '', mobile: '', password: '' } },
  'session.signUp': {
    own: { accountName: '', email: '', mobile: '', password: '', code: '', terms: 1, privacy: 1 },
  },
  'session.signIn': { own: { email: 'x@y.zz', password: 'x' } },
  'session.resetStart': { own: { email: 'x@y.zz' } },
  'session.resetFinish': { own: { email: 'x@y.zz', code: '1', password: goodPassword } },
  'session.invite': { own: { token: 'x' } },
  'session.acceptInvite': { own: { token: 'x', password: goodPassword } },
  'session.me': { own: {} },
  'session.signOut': { own: {} },
  'session.switchAccount': { own: { accountId: 1 }, foreign: { accountId: victim.accountId } },
  'profile.read': { own: {} },
  'profile.update': { own: { language: 'tr' } },
  'profile.changePassword': { own: { current: 'x', password: goodPassword } },
  'profile.totpStart': { own: { password: 'x' } },
  'profile.totpConfirm': { own: { code: 'x' } },
  'profile.totpDisable': { own: { password: 'x' } },
  'profile.recoveryRenew': { own: { password: 'x' } },
  'profile.sessions': { own: {} },
  'profile.revokeSession': { own: { id: 999_999_999 }, foreign: { id: 1 } },
  'profile.revokeOthers': { own: {} },
  'legal.current': { own: {} },
  'legal.mine': { own: {} },
  'legal.accept': { own: { terms: 1, privacy: 1 } },
  'users.list': { own: {} },
  'users.invite': { own: { email: 'yeni@ornek.com', role: 'viewer' } },
  'users.revokeInvite': { own: { id: 999_999_999 }, foreign: { id: invite.id } },
  'users.setRole': { own: { userId: 999_999_999, role: 'viewer' }, foreign: { userId: victimUser, role: 'viewer' } },
  'users.remove': { own: { userId: 999_999_999 }, foreign: { userId: victimUser } },
  'audit.list': { own: { actor: 'gizli' } },
  'exports.start': {
    own: { kind: 'inbox', format: 'csv', language: 'tr', filter: {} },
    foreign: { kind: 'recipients', format: 'csv', language: 'tr', filter: { id: orderId } },
  },
  'overview.read': { own: { period: '30d' } },
  'reports.read': { own: { by: 'sender' } },
  'onboarding.read': { own: {} },
  live: { own: {} },
  search: { own: { text: String(orderId) } },
  'send.options': { own: {} },
  'send.prepare': { own: { ...draft, text: 'deneme', recipients: ['5550000001'] } },
  'send.submit': {
    own: { ...draft, text: 'deneme', recipients: ['5550000001'], idempotencyKey: 'anahtar-2' },
  },
  'drafts.list': { own: {} },
  'drafts.create': { own: { head: { ...head, text: 'deneme' } } },
  'drafts.read': { own: { id: 999_999_999 }, foreign: { id: draftId } },
  'drafts.save': { own: { id: 999_999_999, head }, foreign: { id: draftId, head } },
  'drafts.startList': { own: { id: 999_999_999, shape, rows: 1 }, foreign: { id: draftId, shape, rows: 1 } },
  'drafts.putRows': {
    own: { id: 999_999_999, listNo: 1, no: 0, rows: [] },
    foreign: { id: draftId, listNo: 1, no: 0, rows: [['5550000001']] },
  },
  'drafts.rows': { own: { id: draftId, no: 0 } },
  'drafts.delete': { own: { id: 999_999_999 }, foreign: { id: draftId } },
  'drafts.prepare': { own: { id: 999_999_999 }, foreign: { id: draftId } },
  'drafts.submit': { own: { id: 999_999_999, version: 1 }, foreign: { id: draftId, version: 3 } },
  'orders.list': { own: { search: String(orderId) } },
  'orders.scheduled': { own: {} },
  'orders.read': { own: { id: 1 }, foreign: { id: orderId } },
  'orders.recipients': { own: { id: 1 }, foreign: { id: orderId } },
  'orders.message': { own: { orderId: 1, messageId: 1 }, foreign: { orderId, messageId } },
  'orders.reuse': { own: { id: 1, which: 'all' }, foreign: { id: orderId, which: 'all' } },
  'orders.cancel': { own: { id: 1 }, foreign: { id: orderId } },
  'orders.reschedule': {
    own: { id: 1, sendAt: '2099-01-01 11:00' },
    foreign: { id: orderId, sendAt: '2099-01-01 11:00' },
  },
  'number.read': { own: { number: hiddenNumber } },
  'apiLog.list': { own: { address: '10.77.77.77' } },
  'apiLog.calls': { own: { address: '10.77.77.77' } },
  'apiLog.groups': { own: {} },
  'inbox.list': { own: { text: 'gizli' } },
  'inbox.conversations': { own: {} },
  'blacklist.list': { own: { search: '5559998878' } },
  'blacklist.add': { own: { numbers: ['5550000002'] } },
  'blacklist.remove': {
    own: { numbers: ['5550000003'], reason: 'deneme' },
    foreign: { numbers: ['5559998878'], reason: 'deneme' },
  },
  'consent.overview': { own: {} },
  'consent.query': {
    own: { brand: 1, recipient: hiddenNumber, recipientType: 'BIREYSEL', type: 'MESAJ' },
    foreign: { brand: 777001, recipient: hiddenNumber, recipientType: 'BIREYSEL', type: 'MESAJ' },
  },
  'consent.list': { own: { brand: 777001, recipient: hiddenNumber } },
  'consent.refusals': { own: { brand: 777001 } },
  'consent.check': {
    own: { brand: 1, rows: [] },
    foreign: { brand: 777001, rows: [{ ...record, consentDate: consentDate() }] },
  },
  'consent.add': {
    own: { brand: 1, rows: [] },
    foreign: { brand: 777001, rows: [{ ...record, consentDate: consentDate() }] },
  },
  'senders.list': { own: {} },
  'senders.apply': {
    own: { name: 'DENEME', applicantKind: 'company', documents: [] },
    foreign: { name: 'DENEME', applicantKind: 'company', documents: [documentId] },
  },
  'subscription.read': { own: {} },
  'subscription.apply': { own: subscription([]), foreign: subscription([documentId]) },
  'applications.addDocuments': {
    own: { id: 999_999_999, documents: [] },
    foreign: { id: applicationId, documents: [documentId] },
  },
  'identity.begin': { own: { id: 999_999_999 }, foreign: { id: applicationId } },
  'identity.finish': { own: { state: 'x', code: 'y' } },
  'notices.seen': { own: { upTo: 999_999_999 } },
  'balance.read': { own: {} },
  'balance.ledger': { own: { orderId } },
  'settings.read': { own: {} },
  'settings.setApi': { own: { enabled: true } },
  'settings.createKey': { own: { name: 'deneme' } },
  'settings.rotateKey': { own: {}, foreign: { key: victimKey, keepHours: 1 } },
  'settings.limitKey': {
    own: { key: 'yok', scopes: null, recipientsMax: null, dailyMax: null },
    foreign: { key: victimKey, scopes: null, recipientsMax: 1, dailyMax: null },
  },
  'settings.renameKey': { own: { key: 'yok', name: 'x' }, foreign: { key: victimKey, name: 'x' } },
  'settings.endKey': { own: { key: 'yok' }, foreign: { key: victimKey } },
  'settings.deleteKey': { own: { key: 'yok' }, foreign: { key: victimKey } },
  'settings.setOldLogin': { own: { enabled: false } },
  'settings.testCredentials': { own: { key: 'x', hash: 'y' } },
  'settings.setAddresses': { own: { list: 'api', addresses: [] } },
  'settings.setSending': { own: { mode: 'english' } },
  'settings.setLowBalance': { own: { threshold: 5, sms: false } },
  'settings.setName': { own: { name: 'Saldıran' } },
  'webhook.list': { own: {} },
  'webhook.add': { own: { url: '' } },
  'webhook.save': { own: { id: 1 } },
  'webhook.remove': { own: { id: 1 } },
  'webhook.rotateSecret': { own: { id: 1 } },
  'webhook.test': { own: { id: 1 } },
  'webhook.deliveries': { own: {} },
  'webhook.delivery': { own: { id: '1-0' }, foreign: { id: deliveryId } },
  'webhook.resend': { own: { id: '1-0' }, foreign: { id: deliveryId } },
  'smpp.list': { own: {} },
  'smpp.add': { own: { name: 'deneme' } },
  'smpp.save': { own: { systemId: 'yok' }, foreign: { systemId, enabled: false } },
  'smpp.rotate': { own: { systemId: 'yok' }, foreign: { systemId, keepHours: 1 } },
  'smpp.remove': { own: { systemId: 'yok' }, foreign: { systemId } },
  'smpp.kick': { own: { systemId: 'yok' }, foreign: { systemId } },
  'developers.read': { own: {} },
  'staff.status': { own: {} },
  'staff.accounts': { own: {} },
  'staff.account': { own: { id: victim.accountId } },
  'staff.openAccount': { own: { name: '' } },
  'staff.setAccount': { own: { id: victim.accountId, reason: '' } },
  'staff.grantCredit': { own: { id: victim.accountId, sms: 1, reason: '' } },
  'staff.addBrand': { own: { id: 999_999_999, code: 1, quota: null } },
  'staff.addNumber': { own: { id: 999_999_999, number: '7889' } },
  'staff.revokeSender': { own: { id: 999_999_999, name: 'X', reason: 'x' } },
  'staff.removeBrand': { own: { id: 999_999_999, code: 1, reason: 'x' } },
  'staff.removeNumber': { own: { id: 999_999_999, number: '7889', reason: 'x' } },
  'staff.viewAs': { own: { id: 999_999_999, reason: 'x' } },
  'staff.viewReveal': { own: { reason: 'x' } },
  'staff.viewEnd': { own: {} },
  'staff.search': { own: { text: 'gizli' } },
  'staff.users': { own: {} },
  'staff.resetSecondFactor': { own: { userId: 999_999_999, reason: 'x' } },
  'staff.applications': { own: {} },
  'staff.application': { own: { id: 999_999_999 } },
  'staff.decide': { own: { id: 999_999_999, decision: 'approve' } },
  'staff.noteIdentity': { own: { id: 999_999_999, confirmed: true, note: 'x' } },
  'staff.askDocuments': { own: { id: 999_999_999, note: 'x' } },
  'staff.carriers': { own: {} },
  'staff.putCarrier': { own: { name: '!', settings: {} } },
  'staff.pauseCarrier': { own: { name: 'yok', paused: true } },
  'staff.testCarrier': { own: { name: '!', settings: {} } },
  'staff.carrierDescription': { own: { name: 'yok' } },
  'staff.carrierAddresses': { own: { name: 'yok' } },
  'staff.reconnectCarrier': { own: { name: 'yok' } },
  'staff.removeCarrier': { own: { name: 'yok', force: false, reason: 'x' } },
  'staff.carrierHistory': { own: { name: 'yok', span: 'hour' } },
  'staff.health': { own: {} },
  'staff.queue': { own: {} },
  'staff.doubts': { own: {} },
  'staff.unrouted': { own: {} },
  'staff.assignUnrouted': { own: { id: 999_999_999, number: '7889' } },
  'staff.deleteUnrouted': { own: { number: '7889', until: '2020-01-01' } },
  'staff.webhooks': { own: {} },
  'staff.registry': { own: {} },
  'staff.registrySync': { own: {} },
  'staff.holdDispatch': { own: { reason: 'deneme' } },
  'staff.releaseDispatch': { own: { close: false } },
  'staff.legal': { own: {} },
  'staff.publishLegal': { own: { kind: 'terms', basedOn: 999_999_999, tr: 'x', en: 'x' } },
  'staff.audit': { own: {} },
};

function subscription(documents: number[]) {
  const title = 'Deneme Ltd';
  const contact = { address: 'Adres', contactName: 'Kişi', contactMobile: '5550000000' };
  return { applicantKind: 'company' as const, title, taxOffice: 'X', taxNumber: '1234567890', ...contact, documents };
}
