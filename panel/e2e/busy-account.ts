// The account with which every page is visited, with data of some days: orders with every outcome, one running, one scheduled,
// replies, consents, refused calls, notifications, applications.
import type { Browser } from 'playwright-core';
import { afterAll } from 'vitest';
import { startHookReceiver } from '../../simulators/hook-receiver/main.ts';
import { toTurkeyTime } from '../../src/time/clock.ts';
import { fatedNumber, plainNumbers } from '../../test/support/customers/journey-numbers.ts';
import { wait } from '../../test/support/run/wait.ts';
import { type Customer, customer, program, staffMember, uploadPicture } from './people.ts';
import type { Visitor } from './visitor.ts';

type StorageState = Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>;

export type BusyAccount = {
  owner: StorageState;
  staff: StorageState;
  /** An open invitation for a viewer. */
  inviteToken: string;
  accountId: number;
  /** A finished order with every outcome, and one of its undelivered messages. */
  orderId: number;
  messageId: number;
  /** The recipient of that message. */
  failedNumber: string;
  scheduledId: number;
  /** In Turkish time. */
  scheduledDay: string;
  applicationId: number;
  refusalId: number;
  deliveryId: string;
};

const brand = 701_710;
const texts = [
  'Siparisiniz kargoya verildi. Takip no: 4417',
  'Randevunuz yarin saat 14:30. Gelemeyecekseniz bize yazin.',
  'Dogrulama kodunuz: 482913. Kodu kimseyle paylasmayin.',
  'Hafta sonuna ozel yuzde 20 indirim basladi.',
];
/** Number suffixes for which the simulated carrier fails, each in its own way. */
const failures = [9001, 9003, 9009];

const receiver = await startHookReceiver();
afterAll(() => receiver.stop());

export async function busyAccount(): Promise<BusyAccount> {
  const owner = await customer({ credits: 60_000, rate: 3_000, brand });
  const staff = await staffMember();
  await owner.call('webhook.add', {
    url: `${receiver.url}/bildirim`,
    events: ['accepted', 'delivered', 'undelivered', 'inbound'],
  });
  await owner.call('webhook.add', { url: `${receiver.url}/muhasebe`, events: ['undelivered'] });
  await owner.call('webhook.save', { id: 2, enabled: false });
  await owner.call('smpp.add', { name: 'Depo', addresses: ['192.0.2.7', '192.0.2.16/28'] });
  await apply(owner, staff);
  await owner.call('blacklist.add', { numbers: plainNumbers(8, 40), note: 'Müşteri istedi' });
  await addConsents(owner);
  const past = await sendPast(owner);
  const orderId = await sendMixed(owner);
  await replies(owner, staff);
  await refusedCalls(owner);
  receiver.setMode({ mode: 'failing', status: 500, first: 1 });
  await owner.call('webhook.test', { id: 1 });
  const scheduledId = await sendLater(owner);
  await finished(owner, [...past, orderId]);
  await spread(past);
  await stretch(orderId);
  await (await program.db()).query(`update orders set submit_at = submit_at - interval '5 hours' where id = $1`, [
    scheduledId,
  ]);
  await send(owner, texts[1]!, [...Array(30).keys()].map(at => fatedNumber(9004, at)).concat(plainNumbers(90, 60)));
  const invite = await owner.call('users.invite', { email: 'izleyici@ornek.com', role: 'viewer' });
  const failed = await owner.call('orders.recipients', { id: orderId, state: 'undelivered' });
  const refusals = await wait('the refused calls to be logged', async () => {
    const { rows } = await owner.call('apiLog.list', {});
    return rows.length >= 3 ? rows : undefined;
  });
  const { deliveries } = await owner.call('webhook.deliveries', {});
  const [scheduled] = (await owner.call('orders.scheduled', {})).rows;
  await owner.call('drafts.create', {
    head: { sender: 'APITEST', text: texts[3]!, sendAt: null, commercial: false },
  });
  const { rows: applications } = await staff.call('staff.applications', { state: 'applied' });
  return {
    owner: await owner.context.storageState(),
    staff: await staff.context.storageState(),
    inviteToken: invite.token,
    accountId: owner.accountId,
    orderId,
    messageId: failed.rows[0]!.messageId,
    failedNumber: failed.rows[0]!.number.replace('+90', ''),
    scheduledId,
    scheduledDay: toTurkeyTime(new Date(scheduled!.sendAt)).slice(0, 10),
    applicationId: applications[0]!.id,
    refusalId: refusals[0]!.id,
    deliveryId: deliveries[0]!.id,
  };
}

let orders = 0;
async function send(owner: Customer, text: string, recipients: string[], sendAt: string | null = null) {
  const { senders } = await owner.call('send.options', {});
  const idempotencyKey = `dolu-hesap-${++orders}`;
  const draft = { sender: senders[0]!, text, recipients, sendAt, commercial: false, idempotencyKey };
  return (await owner.call('send.submit', draft)).orderId;
}

/** Orders in the office hours of the last week. */
async function sendPast(owner: Customer): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < 28; at++) {
    // Small: each message is two posts of a webhook too.
    const size = 12 + ((at * 37) % 11) * 5;
    const failing = failures.map((fate, i) => fatedNumber(fate, 100 + at * 3 + i));
    ids.push(await send(owner, texts[at % texts.length]!, [...plainNumbers(size, 100 + at), ...failing]));
  }
  return ids;
}

async function sendMixed(owner: Customer): Promise<number> {
  const failing = failures.flatMap((fate, i) =>
    Array.from({ length: 12 - i * 3 }, (_, at) => fatedNumber(fate, 300 + at)),
  );
  return send(owner, texts[3]!, [...plainNumbers(1_200, 50), ...failing, ...plainNumbers(8, 40), '12345']);
}

function sendLater(owner: Customer): Promise<number> {
  const sendAt = new Date(Date.now() + 27 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
  return send(owner, texts[3]!, plainNumbers(400, 70), sendAt);
}

async function finished(owner: Customer, ids: number[]): Promise<void> {
  await wait('the orders to finish', async () => {
    const { rows } = await owner.call('orders.list', { state: 'finished', limit: 100 });
    return ids.every(id => rows.some(row => row.id === id));
  });
}

/** Moves the orders into the past. */
async function spread(ids: number[]): Promise<void> {
  const db = await program.db();
  for (const [at, id] of ids.entries()) {
    const hours = at < 16 ? 1 + at : 24 + (at - 16) * 11;
    const columns = ['submit_at', 'send_at', 'finished_at'].map(
      name => `${name} = ${name} - make_interval(hours => $1)`,
    );
    await db.query(`update orders set ${columns.join(', ')} where id = $2`, [hours, id]);
  }
}

/** Spreads the results as a real carrier does: half within seconds, the last after a minute, two hours ago. */
async function stretch(id: number): Promise<void> {
  const db = await program.db();
  const moved = `update orders set submit_at = submit_at - interval '2 hours', send_at = send_at - interval '2 hours'
    where id = $1 returning send_at`;
  const { rows } = await db.query(moved, [id]);
  const ended = `update messages set final_at = $2::timestamptz + make_interval(secs => 2 + least(60, -9 * ln(1 - random())))
    where order_id = $1 and final_at is not null`;
  await db.query(ended, [id, rows[0].send_at]);
  const last = `update orders set finished_at = (select max(final_at) from messages where order_id = $1) where id = $1`;
  await db.query(last, [id]);
}

async function addConsents(owner: Customer): Promise<void> {
  const consentDate = new Date(Date.now() + 3 * 3_600_000 - 60_000).toISOString().slice(0, 19).replace('T', ' ');
  const rows = plainNumbers(14, 80).map((recipient, at) => ({
    recipient,
    recipientType: at % 5 === 4 ? 'TACIR' : 'BIREYSEL',
    type: 'MESAJ',
    // The registry refuses RET as the first record of a number.
    status: at % 6 === 5 ? 'RET' : 'ONAY',
    source: at % 2 === 0 ? 'HS_WEB' : 'HS_MOBIL',
    consentDate,
  }));
  await owner.call('consent.add', { brand, rows });
}

async function replies(owner: Customer, staff: Visitor): Promise<void> {
  await staff.call('staff.addNumber', { id: owner.accountId, number: '3344', keyword: 'ORNEK' });
  const said = ['ORNEK tesekkurler', 'ORNEK saat kaçta açılıyorsunuz?', 'ORNEK RET', 'ORNEK evet'];
  for (const [at, text] of said.entries()) await program.carrier.write(plainNumbers(4, 90)[at]!, '3344', text);
}

async function refusedCalls(owner: Customer): Promise<void> {
  const { key, hash } = await owner.call('settings.rotateKey', {});
  const post = (path: string, authentication: object, members: object = {}) =>
    program.client.post(`/v1/${path}/json`, { request: { authentication, ...members } });
  const order = { sender: 'YOK', message: { text: 'Merhaba', receipents: { number: ['5550000000'] } } };
  await post('get-balance', { key, hash: `${hash} ` });
  await post('get-balance', { key, hash: 'a'.repeat(64) });
  await post('send-sms', { key, hash }, { order });
  await post('get-balance', { key, hash });
}

/** An approved subscription, and sender IDs in each state, one of them waiting for staff. */
async function apply(owner: Customer, staff: Visitor): Promise<void> {
  const documents = [await uploadPicture(owner, 'vergi-levhasi.png')];
  const subscription = await owner.call('subscription.apply', {
    applicantKind: 'company',
    title: 'Deneme Ltd',
    taxOffice: 'Deneme',
    taxNumber: '1234567890',
    address: 'Deneme Mahallesi',
    contactName: 'Yetkili Kişi',
    contactMobile: '5550000000',
    documents,
  });
  await staff.call('staff.decide', { id: subscription.id, decision: 'approve' });
  const names = { ORNEK: 'approve', DENEMELTD: 'reject', 'ORNEK SHOP': null } as const;
  for (const [name, decision] of Object.entries(names)) {
    const one = await owner.call('senders.apply', { name, applicantKind: 'company', documents });
    const reason = decision === 'reject' ? 'Belge okunmuyor' : undefined;
    if (decision) await staff.call('staff.decide', { id: one.id, decision, reason });
  }
}
