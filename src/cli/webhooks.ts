// Commands about webhook addresses: an address is given by its number within the account.
import { recordAuditEntry } from '../accounts/audit-log.ts';
import type { Db } from '../db/db.ts';
import { secretKeyOfData } from '../db/sealed-data.ts';
import { type RecentDelivery, recentDeliveries, sendTest } from '../webhooks/deliveries.ts';
import { type EndpointState, endpointStates, reasonText, undelivered } from '../webhooks/endpoint-state.ts';
import {
  addEndpoint,
  changeEndpoint,
  type EndpointChange,
  endpointSecret,
  eventsOf,
  removeEndpoint,
  rotateSecret,
} from '../webhooks/endpoints.ts';
import { type WebhookEventName, webhookEvents } from '../webhooks/events.ts';
import { existingAccount } from './accounts.ts';
import { type Command, type CommandContext, need, operator, UsageError, wholeNumber } from './command.ts';
import { table } from './table.ts';

const numberMax = 30_000;
const eventsHelp = `which of ${webhookEvents.join(',')} are posted`;

export const webhookCommands: Command[] = [
  {
    words: 'webhook list',
    args: ['ID'],
    help: 'webhook addresses of an account with their events, state and pending events',
    async run({ db, args }) {
      return listed(db, (await existingAccount(db, args[0])).id);
    },
    show: (lines: Shown[]) =>
      table(
        ['no', 'state', 'waiting', 'given up', 'events', 'URL'],
        lines.map(one => [one.webhook, one.state, one.waiting, one.givenUp, one.events.join(','), one.url]),
      ),
    empty: 'no webhook addresses; peyk webhook add ID URL adds one',
  },
  {
    words: 'webhook add',
    args: ['ID', 'URL'],
    flags: { events: `${eventsHelp}; default accepted,delivered,undelivered` },
    help: 'add a webhook address; prints its number and secret. At most 10 for an account',
    async run({ db, args, flags, config }) {
      const { id } = await existingAccount(db, args[0]);
      const url = need(args[1], 'the URL');
      const events = flags.events === undefined ? {} : { events: readEvents(flags.events) };
      const no = await addEndpoint(db, id, { url, ...events }, config.PEYK_ALLOW_PRIVATE_WEBHOOKS);
      const secret = await endpointSecret(db, await secretKeyOfData(db, config), id, no);
      await record(db, id, 'webhook.add', { url, ...(flags.events ? { events: flags.events } : {}) });
      return { ...(await shownOne(db, id, no)), secret };
    },
  },
  {
    words: 'webhook set',
    args: ['ID', 'WEBHOOK', 'key=value'],
    openArgs: true,
    help: 'url=URL events=EVENT,EVENT state=on|off; saving a URL or state=on retries the address at once',
    run: setWebhook,
  },
  {
    words: 'webhook remove',
    args: ['ID', 'WEBHOOK'],
    help: 'remove a webhook address with its secret, pending events and log',
    async run({ db, args }) {
      const { id, no, state } = await existingWebhook(db, args);
      await removeEndpoint(db, id, no);
      await record(db, id, 'webhook.remove', { url: state.url });
      return { removed: no };
    },
  },
  {
    words: 'webhook test',
    args: ['ID', 'WEBHOOK'],
    help: 'post a test event, once; webhook deliveries shows the result',
    async run({ db, args }) {
      const { id, no, state } = await existingWebhook(db, args);
      if (!state.enabled) throw new UsageError(`webhook ${no} is off`);
      return { delivery: await sendTest(db, id, no) };
    },
  },
  {
    words: 'webhook deliveries',
    args: ['ID', '[WEBHOOK]'],
    help: 'the latest deliveries of an address, or of all: event, state, tries, answer',
    async run({ db, args }) {
      const { id } = await existingAccount(db, args[0]);
      const filter = args[1] === undefined ? {} : { no: webhookNumber(args[1]) };
      return (await recentDeliveries(db, id, filter, 1)).map(showDelivery);
    },
    show: (lines: ReturnType<typeof showDelivery>[]) =>
      table(
        ['time', 'no', 'event', 'order', 'state', 'tries', 'answer'],
        lines.map(one => [one.at, one.webhook, one.event, one.order, one.state, one.tries, one.answer]),
      ),
    empty: 'no deliveries',
  },
  {
    words: 'webhook secret',
    args: ['ID', '[WEBHOOK]'],
    flags: { rotate: 'issue a new one; the old one also signs for 24 hours' },
    switches: ['rotate'],
    help: 'the secret that signs notifications to an address; without a number, to the first',
    async run({ db, args, flags, config }) {
      const { id } = await existingAccount(db, args[0]);
      const no = args[1] === undefined ? 1 : webhookNumber(args[1]);
      const secretOf = flags.rotate === 'on' ? rotateSecret : endpointSecret;
      return { secret: await secretOf(db, await secretKeyOfData(db, config), id, no) };
    },
  },
];

type Shown = {
  webhook: number;
  url: string;
  events: WebhookEventName[];
  state: 'off' | EndpointState['state'];
  reason: string | null;
  lastSuccessAt: Date | null;
  waiting: number;
  givenUp: number;
};

function showEndpoint(one: EndpointState): Shown {
  return {
    webhook: one.no,
    url: one.url,
    events: eventsOf(one),
    state: one.enabled ? one.state : 'off',
    reason: reasonText(one.reason, one.answerStatus)?.en ?? null,
    lastSuccessAt: one.lastSuccessAt,
    waiting: undelivered(one),
    givenUp: one.givenUp,
  };
}

function showDelivery(one: RecentDelivery) {
  const answer = one.answerStatus === null ? (reasonText(one.error)?.en ?? null) : `HTTP ${one.answerStatus}`;
  const { id, no: webhook, event, orderId: order, state, attempts: tries, createdAt: at } = one;
  return { id, at, webhook, event, order, state, tries, answer };
}

async function listed(db: Db, accountId: number): Promise<Shown[]> {
  return (await endpointStates(db, accountId)).filter(one => one.url !== '').map(showEndpoint);
}

async function shownOne(db: Db, accountId: number, no: number): Promise<Shown | undefined> {
  return (await listed(db, accountId)).find(one => one.webhook === no);
}

function webhookNumber(value: string | undefined): number {
  return wholeNumber(value, 'the number of the webhook', 1, numberMax);
}

async function existingWebhook(db: Db, args: string[]): Promise<{ id: number; no: number; state: EndpointState }> {
  const { id } = await existingAccount(db, args[0]);
  const no = webhookNumber(args[1]);
  const state = (await endpointStates(db, id)).find(one => one.no === no && one.url !== '');
  if (!state) throw new UsageError(`account ${id} has no webhook ${no}; peyk webhook list ${id} names them`);
  return { id, no, state };
}

function readEvents(text: string): WebhookEventName[] {
  const given = text.split(',').map(one => one.trim());
  const events = webhookEvents.filter(one => given.includes(one));
  if (events.length === 0 || events.length !== new Set(given).size)
    throw new UsageError(`events "${text}": one or more of ${webhookEvents.join(',')}`);
  return events;
}

/** Settings of `webhook set`: name → what it changes. */
const changes: Record<string, (text: string) => EndpointChange> = {
  url: url => ({ url }),
  events: text => ({ events: readEvents(text) }),
  state(text) {
    if (text !== 'on' && text !== 'off') throw new UsageError(`state "${text}" is not on or off`);
    return { enabled: text === 'on' };
  },
};

async function setWebhook({ db, args, config }: CommandContext): Promise<unknown> {
  const { id, no } = await existingWebhook(db, args);
  const pairs = args.slice(2);
  if (pairs.length === 0) throw new UsageError('give at least one key=value');
  let change: EndpointChange = {};
  const given: Record<string, string> = {};
  for (const pair of pairs) {
    const [, name = '', value = ''] = /^([a-z]+)=(.*)$/s.exec(pair) ?? [];
    const read = Object.hasOwn(changes, name) ? changes[name] : undefined;
    if (!read) throw new UsageError(`"${pair}" is not one of ${Object.keys(changes).join('=, ')}=`);
    change = { ...change, ...read(value) };
    given[name] = value;
  }
  await changeEndpoint(db, id, no, change, config.PEYK_ALLOW_PRIVATE_WEBHOOKS);
  await record(db, id, 'webhook.save', given);
  return shownOne(db, id, no);
}

async function record(db: Db, accountId: number, action: string, detail: Record<string, string>): Promise<void> {
  await recordAuditEntry(db, { accountId, actor: operator, action, detail });
}
