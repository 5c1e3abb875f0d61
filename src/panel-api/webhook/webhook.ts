// The notification address: set it, see how it is doing, try it, send again. The secret is shown when it is made and when
// it is rotated, never again.
import type { Queryable } from '../../db/db.ts';
import {
  endpointState,
  findDelivery,
  messageEvents,
  type RecentDelivery,
  reasonText,
  recentDeliveries,
  resend,
  sendTest,
  setWebhookEvents,
  setWebhookInbound,
  setWebhookUrl,
  undelivered,
  webhookSecret,
} from '../../webhooks/endpoints.ts';
import type { Handlers } from '../context.ts';
import { deed } from '../deed.ts';
import { PanelRefusal } from '../errors.ts';
import {
  bad,
  iso,
  optionalFlag,
  optionalId,
  optionalOneOf,
  optionalTime,
  optionalWhole,
  own,
  text,
  texts,
} from '../input.ts';
import type { DeliveryLine, Webhook } from './contract.ts';

const pageRows = 50;
const pagesMax = 1_000;

export const webhookHandlers = {
  'webhook.read': call => showWebhook(call.db, call.account.id),

  async 'webhook.save'(call) {
    const { db, account } = call;
    const url = text(call.input, 'url', 2_000);
    await setWebhookUrl(db, account.id, url, call.options.allowPrivateWebhooks).catch(error => {
      throw refusalOf(error as Error);
    });
    const inbound = optionalFlag(call.input, 'inbound');
    if (inbound !== undefined) await setWebhookInbound(db, account.id, inbound);
    const events = own(call.input, 'events') === undefined ? undefined : texts(call.input, 'events', 3, 20);
    const wanted = events && messageEvents.filter(one => events.includes(one));
    if (wanted && wanted.length !== new Set(events).size) throw bad('events');
    if (wanted) await setWebhookEvents(db, account.id, wanted);
    const isFirst = url.trim() !== '' && !(await endpointState(db, account.id))?.hasSecret;
    const secret = isFirst ? await webhookSecret(db, call.key, account.id, false) : undefined;
    await deed(call, 'webhook.save', {
      url,
      ...(inbound === undefined ? {} : { inbound }),
      ...(wanted ? { events: wanted.join(', ') } : {}),
    });
    return { ...(await showWebhook(db, account.id)), ...(secret ? { secret } : {}) };
  },

  async 'webhook.rotateSecret'(call) {
    const secret = await webhookSecret(call.db, call.key, call.account.id, true);
    await deed(call, 'webhook.rotate-secret');
    const state = await endpointState(call.db, call.account.id);
    return { secret, previousUntil: iso(state?.previousSecretUntil ?? null) };
  },

  async 'webhook.test'(call) {
    if (!(await endpointState(call.db, call.account.id))?.url) throw new PanelRefusal('no-webhook');
    return { deliveryId: await sendTest(call.db, call.account.id) };
  },

  async 'webhook.deliveries'(call) {
    const page = optionalWhole(call.input, 'page', 1, pagesMax) ?? 1;
    const state = optionalOneOf(call.input, 'state', ['pending', 'delivered', 'given-up']);
    const orderId = optionalId(call.input, 'orderId');
    const filter = { ...(state ? { state } : {}), ...(orderId ? { orderId } : {}) };
    const found = await recentDeliveries(call.db, call.account.id, filter, page);
    return { deliveries: found.map(showDelivery), page, hasMore: found.length === pageRows };
  },

  async 'webhook.delivery'(call) {
    const found = await findDelivery(call.db, call.account.id, text(call.input, 'id', 40));
    if (!found) throw new PanelRefusal('not-found', { field: 'id' });
    const { body, timestamp, signature, answerBody } = found;
    const url = (await endpointState(call.db, call.account.id))?.url ?? '';
    return { ...showDelivery(found), url, body, timestamp, signature, answerBody };
  },

  async 'webhook.resend'(call) {
    const { db, account } = call;
    const since = optionalTime(call.input, 'failedSince');
    if (since === undefined && own(call.input, 'id') === undefined) throw bad('id');
    const which = since ? 'failed' : text(call.input, 'id', 40);
    if (!since && !(await findDelivery(db, account.id, which))) throw new PanelRefusal('not-found', { field: 'id' });
    const events = await resend(db, account.id, which, since);
    await deed(call, 'webhook.resend', { which, events });
    return { events };
  },
} satisfies Partial<Handlers>;

export async function showWebhook(db: Queryable, accountId: number): Promise<Webhook> {
  const state = await endpointState(db, accountId);
  if (!state) return noWebhook;
  return {
    url: state.url,
    inbound: state.inbound,
    events: messageEvents.filter(one => !state.skipped.includes(one)),
    hasSecret: state.hasSecret,
    previousSecretUntil: iso(state.previousSecretUntil),
    state: state.url === '' ? 'none' : state.state,
    reason: reasonText(state.reason, state.answerStatus),
    failures: state.failures,
    failingSince: iso(state.failingSince),
    nextProbeAt: iso(state.nextProbeAt),
    lastSuccessAt: iso(state.lastSuccessAt),
    waiting: undelivered(state),
    pending: state.pending,
    givenUp: state.givenUp,
  };
}

const noWebhook: Webhook = {
  url: '',
  inbound: false,
  events: [...messageEvents],
  hasSecret: false,
  previousSecretUntil: null,
  state: 'none',
  reason: null,
  failures: 0,
  failingSince: null,
  nextProbeAt: null,
  lastSuccessAt: null,
  waiting: 0,
  pending: 0,
  givenUp: 0,
};

function showDelivery(one: RecentDelivery): DeliveryLine {
  const { id, kind, event, orderId, state, events, attempts, answerStatus, answerMs } = one;
  return {
    id,
    kind,
    event,
    orderId,
    state,
    events,
    attempts,
    answerStatus,
    answerMs,
    createdAt: iso(one.createdAt),
    lastAt: iso(one.lastAt),
    nextAt: iso(one.nextAt),
    error: reasonText(one.error, one.answerStatus),
  };
}

/** The check of the address speaks both languages in one sentence: "Webhook adresi … (webhook URL: …)". */
function refusalOf(error: Error): Error {
  const [, tr, en] = /^(Webhook adresi .*) \((webhook URL: .*)\)$/.exec(error.message) ?? [];
  if (tr === undefined || en === undefined) return error;
  return new PanelRefusal('bad-webhook-url', { field: 'url', tr: `${tr}.`, en: `${en}.` });
}
