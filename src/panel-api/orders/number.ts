// One phone number: its messages, blacklist entry, consents and replies on one timeline. It answers "why did this person not
// get it?".
import { currentConsent } from '../../consent/current.ts';
import { consentHistory } from '../../consent/history.ts';
import { consentTypes, recipientTypes } from '../../consent/record.ts';
import { operatorOf } from '../../numbers/operators.ts';
import { formatNumber, parseNumber } from '../../numbers/phone.ts';
import type { AccountCall, Handlers } from '../call/context.ts';
import { showConsent } from '../consent/consent.ts';
import { iso } from '../contract/input.ts';
import { cursorParts } from '../queries/conditions.ts';
import { PanelRefusal } from '../words/errors.ts';
import type { NumberEvent, NumberView } from './contract.ts';
import { numberBlacklist, numberInbound, numberMessages } from './number-events.ts';
import { showRecipient, submittedAmong } from './recipient-lines.ts';

const pageRows = 50;

export const numberHandlers = {
  async 'number.read'(call) {
    const number = parseNumber(call.input.number, true);
    if (number === 0) throw new PanelRefusal('bad-number', { field: 'number' });
    const before = cursorParts(call.input.cursor, 1)?.[0];
    const { events, next } = await messagesOf(call, number, before ?? Number.MAX_SAFE_INTEGER);
    const blacklist = await numberBlacklist(call.db, call.account.id, number);
    if (before === undefined) events.push(...(await othersOf(call, number, blacklist)));
    events.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
    return {
      number: formatNumber(number),
      operator: operatorOf(number),
      blacklist: blacklist ? { ...blacklist, since: iso(blacklist.since) } : null,
      consents: await currentConsents(call, formatNumber(number)),
      events,
      next,
    };
  },
} satisfies Partial<Handlers>;

async function messagesOf(call: AccountCall, number: number, before: number) {
  const found = await numberMessages(call.db, call.account.id, number, before, pageRows + 1);
  const page = found.slice(0, pageRows);
  const submitted = await submittedAmong(call.db, page, false);
  const events = page.map(
    (one): NumberEvent => ({
      kind: 'message',
      at: iso(one.submitAt),
      orderId: one.orderId,
      sender: one.sender,
      textStart: one.textStart,
      ...showRecipient(one, submitted.has(one.id)),
    }),
  );
  return { events, next: found.length > pageRows ? String(page.at(-1)!.id) : null };
}

type Blacklisted = Awaited<ReturnType<typeof numberBlacklist>>;

async function othersOf(call: AccountCall, number: number, blacklist: Blacklisted): Promise<NumberEvent[]> {
  const inbound = await numberInbound(call.db, call.account.id, number);
  const history = await consentHistory(call.db, call.account.id, { recipient: formatNumber(number) });
  const events: NumberEvent[] = [
    ...inbound.map(one => ({ kind: 'inbound' as const, ...one, at: iso(one.at) })),
    ...history.records.map(one => ({ kind: 'consent' as const, at: iso(one.createdAt), record: showConsent(one) })),
  ];
  if (blacklist)
    events.push({ kind: 'blacklisted', at: iso(blacklist.since), source: blacklist.source, note: blacklist.note });
  return events;
}

/** The same record that sending uses, per brand, kind and list. */
async function currentConsents(call: AccountCall, recipient: string): Promise<NumberView['consents']> {
  const found: NumberView['consents'] = [];
  for (const brand of call.account.brands)
    for (const type of consentTypes.filter(one => one !== 'EPOSTA'))
      for (const recipientType of recipientTypes) {
        const one = await currentConsent(call.db, call.account.id, brand, type, recipientType, recipient);
        if (one) found.push({ brand, type, recipientType, ...one, consentDate: iso(one.consentDate) });
      }
  return found;
}
