// Webhook addresses: add, change, disable, remove, state, test, send again. A secret is shown when it is created and when it is
// rotated, never again.
import type { Queryable } from '../../db/db.ts';
import { findDelivery, type RecentDelivery, recentDeliveries, resend, sendTest } from '../../webhooks/deliveries.ts';
import { type EndpointState, endpointStates, reasonText, undelivered } from '../../webhooks/endpoint-state.ts';
import {
  addEndpoint,
  changeEndpoint,
  EndpointRefusal,
  endpointSecret,
  endpointsMax,
  eventsOf,
  removeEndpoint,
  rotateSecret,
} from '../../webhooks/endpoints.ts';
import { auditEntry } from '../audit/audit-entry.ts';
import type { AccountCall, Handlers } from '../call/context.ts';
import { bad, iso } from '../contract/input.ts';
import { PanelRefusal } from '../words/errors.ts';
import type { DeliveryLine, Webhook } from './contract.ts';

const pageRows = 50;

export const webhookHandlers = {
  'webhook.list': async call => ({ webhooks: await showWebhooks(call.db, call.account.id), max: endpointsMax }),

  async 'webhook.add'(call) {
    const { db, account } = call;
    const { url, events } = call.input;
    const given = { url, ...(events ? { events } : {}) };
    const added = await withRefusal(addEndpoint(db, account.id, given, call.options.allowPrivateWebhooks));
    const secret = await endpointSecret(db, call.key, account.id, added);
    await auditEntry(call, 'webhook.add', { url, ...(events ? { events: events.join(', ') } : {}) });
    return { ...(await ownWebhook(call, added)), secret };
  },

  async 'webhook.save'(call) {
    const { id, url, events, enabled } = call.input;
    const { url: before } = await ownWebhook(call, id);
    const change = {
      ...(url === undefined ? {} : { url }),
      ...(events ? { events } : {}),
      ...(enabled === undefined ? {} : { enabled }),
    };
    await withRefusal(changeEndpoint(call.db, call.account.id, id, change, call.options.allowPrivateWebhooks));
    await auditEntry(call, 'webhook.save', {
      url: url ?? before,
      ...(events ? { events: events.join(', ') } : {}),
      ...(enabled === undefined ? {} : { active: enabled }),
    });
    return ownWebhook(call, id);
  },

  async 'webhook.remove'(call) {
    const { id: webhookId, url } = await ownWebhook(call, call.input.id);
    await withRefusal(removeEndpoint(call.db, call.account.id, webhookId));
    await auditEntry(call, 'webhook.remove', { url });
    return {};
  },

  async 'webhook.rotateSecret'(call) {
    const { id: webhookId, url } = await ownWebhook(call, call.input.id);
    const secret = await rotateSecret(call.db, call.key, call.account.id, webhookId);
    await auditEntry(call, 'webhook.rotate-secret', { url });
    return { secret, previousUntil: (await ownWebhook(call, webhookId)).previousSecretUntil };
  },

  async 'webhook.test'(call) {
    const { id: webhookId, state } = await ownWebhook(call, call.input.id);
    if (state === 'off') throw new PanelRefusal('webhook-off');
    return { deliveryId: await sendTest(call.db, call.account.id, webhookId) };
  },

  async 'webhook.deliveries'(call) {
    const { page = 1, webhookId: no, state, orderId } = call.input;
    const filter = {
      ...(no ? { no } : {}),
      ...(state ? { state } : {}),
      ...(orderId ? { orderId } : {}),
    };
    const found = await recentDeliveries(call.db, call.account.id, filter, page);
    return { deliveries: found.map(showDelivery), page, hasMore: found.length === pageRows };
  },

  async 'webhook.delivery'(call) {
    const found = await findDelivery(call.db, call.account.id, call.input.id);
    if (!found) throw new PanelRefusal('not-found', { field: 'id' });
    const { body, timestamp, signature, answerBody } = found;
    const known = await endpointStates(call.db, call.account.id);
    const url = known.find(one => one.no === found.no)?.url ?? '';
    return { ...showDelivery(found), url, body, timestamp, signature, answerBody };
  },

  async 'webhook.resend'(call) {
    const { db, account } = call;
    const { id, failedSince, webhookId: no = null } = call.input;
    const which = failedSince ? 'failed' : id;
    if (which === undefined) throw bad('id');
    if (!failedSince && !(await findDelivery(db, account.id, which)))
      throw new PanelRefusal('not-found', { field: 'id' });
    const events = await resend(db, account.id, failedSince ? { failedSince, no } : which);
    await auditEntry(call, 'webhook.resend', { which, events });
    return { events };
  },
} satisfies Partial<Handlers>;

/** Addresses with a URL, in order of creation. */
export async function showWebhooks(db: Queryable, accountId: number): Promise<Webhook[]> {
  return (await endpointStates(db, accountId)).filter(one => one.url !== '').map(showWebhook);
}

async function ownWebhook(call: AccountCall, webhookId: number): Promise<Webhook> {
  const found = (await showWebhooks(call.db, call.account.id)).find(one => one.id === webhookId);
  if (!found) throw new PanelRefusal('not-found', { field: 'id' });
  return found;
}

function showWebhook(state: EndpointState): Webhook {
  return {
    id: state.no,
    url: state.url,
    events: eventsOf(state),
    previousSecretUntil: iso(state.previousSecretUntil),
    state: state.enabled ? state.state : 'off',
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

function showDelivery(one: RecentDelivery): DeliveryLine {
  const { id, no, kind, event, orderId, state, events, attempts, answerStatus, answerMs } = one;
  return {
    id,
    webhookId: no,
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
    // A test is due before everything else (its time lies far back), so it counts from its creation.
    nextAt: iso(one.nextAt && one.nextAt < one.createdAt ? one.createdAt : one.nextAt),
    error: reasonText(one.error, one.answerStatus),
  };
}

const refusalCodes = { duplicate: 'webhook-duplicate', full: 'webhooks-full', unknown: 'not-found' } as const;

/** Refusals of the webhooks folder in the panel's words. The check of an address has both languages in one sentence. */
async function withRefusal<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof EndpointRefusal) throw new PanelRefusal(refusalCodes[error.code], { field: 'url' });
    const [, tr, en] = /^(Webhook adresi .*) \((webhook URL: .*)\)$/.exec((error as Error).message) ?? [];
    if (tr === undefined || en === undefined) throw error;
    throw new PanelRefusal('bad-webhook-url', { field: 'url', tr: `${tr}.`, en: `${en}.` });
  }
}
