// What staff do with a carrier besides its settings: try a form before it is saved, bind anew, take it away, look back.

import { carrierExists, carriersWithPasswords, reconnectCarrier } from '../../dispatch/links/carriers.ts';
import { secretPrefix } from '../../dispatch/links/http/placeholders.ts';
import { definitionOf } from '../../dispatch/links/http/presets.ts';
import { type RemovalRefusal, removeCarrier } from '../../dispatch/links/remove-carrier.ts';
import { carrierOf, type TestMessage, testCarrier } from '../../dispatch/links/test-carrier.ts';
import { parseNumber } from '../../numbers/phone.ts';
import { countAttempt } from '../../people/attempts.ts';
import { staffAuditEntry } from '../audit-entry.ts';
import type { Handlers, InputRead, UserCall } from '../context.ts';
import { type PanelCode, PanelRefusal } from '../errors.ts';

import { requireReason } from './accounts.ts';
import { requireGoodCarrier } from './carrier-faults.ts';
import { carrierHistory } from './carrier-history.ts';
import { readCarrierForm, valuesOf, viewCarriers } from './carriers.ts';

const testsPerMinuteMax = 20;
const testText = 'Peyk baglanti denemesi';

const refusals: Record<RemovalRefusal['code'], PanelCode> = {
  unknown: 'not-found',
  'not-paused': 'carrier-not-paused',
  releasing: 'carrier-releasing',
  receipts: 'carrier-receipts',
  waiting: 'carrier-waiting',
};

export const staffCarrierCareHandlers = {
  async 'staff.testCarrier'(call) {
    const { name, settings, password: typed, texts } = readCarrierForm(call.input);
    const stored = await storedCarrier(call, name);
    const known = stored ? { ...valuesOf(stored), ...storedTexts(stored) } : {};
    const given: Record<string, string> = { ...known, ...settings, ...texts };
    const kept = keptSecrets(stored, given);
    const password = typed ?? kept['password'] ?? '';
    const whole = { ...kept, ...given, password };
    await requireGoodCarrier(name, whole, true);
    const message = readMessage(call.input.sms);
    await slowDown(call);
    const carrier = carrierOf(whole, password);
    const told = await testCarrier(carrier, call.options.operatorCode, message);
    const { outcome, error } = told;
    await staffAuditEntry(call, 'carrier.test', null, { name, host: given['host'], outcome, reason: error });
    return told;
  },

  async 'staff.reconnectCarrier'(call) {
    const { name } = call.input;
    if (!(await carrierExists(call.db, name))) throw new PanelRefusal('not-found', { field: 'name' });
    await reconnectCarrier(call.db, name);
    await staffAuditEntry(call, 'carrier.reconnect', null, { name });
    return viewCarriers(call);
  },

  async 'staff.removeCarrier'(call) {
    const { name, force } = call.input;
    const reason = requireReason(call);
    const elsewhere = call.cells?.several ? call.cells.all().map(([, one]) => one.db) : [];
    const refusal = await removeCarrier(
      call.db,
      name,
      force,
      elsewhere.filter(one => one !== call.db),
    );
    if (refusal) throw new PanelRefusal(refusals[refusal.code], { field: 'name' });
    await staffAuditEntry(call, 'carrier.remove', null, { name, ...(force ? { force } : {}), reason });
    return viewCarriers(call);
  },

  async 'staff.carrierHistory'(call) {
    const { name, span } = call.input;
    if (!(await carrierExists(call.db, name))) throw new PanelRefusal('not-found', { field: 'name' });
    return carrierHistory(call, name, span);
  },
} satisfies Partial<Handlers>;

type Stored = Awaited<ReturnType<typeof carriersWithPasswords>>[number];

async function storedCarrier(call: UserCall, name: string): Promise<Stored | undefined> {
  return (await carriersWithPasswords(call.db, call.key)).find(one => one.name === name);
}

function storedTexts({ ownDefinition }: Stored): Record<string, string> {
  return ownDefinition ? { definition: JSON.stringify(ownDefinition) } : {};
}

/** Stored ones go only where they always go: a form that names another host must bring its own. */
function keptSecrets(stored: Stored | undefined, given: Record<string, string>): Record<string, string> {
  if (!stored || !isSamePeer(stored, given)) return {};
  if (stored.kind === 'smpp') return { password: stored.password };
  const { callback: _, password = '', ...others } = stored.secrets;
  const named = Object.entries(others).map(([name, value]) => [`${secretPrefix}${name}`, value]);
  return { password, ...Object.fromEntries(named) };
}

function isSamePeer(stored: Stored, given: Record<string, string>): boolean {
  if (stored.kind === 'http')
    return stored.definition !== null && addressOf(given) === (stored.baseUrl || stored.definition.url);
  return stored.host === given['host'] && String(stored.port) === given['port'];
}

/** Where an HTTP carrier as this form describes it listens; '' where that cannot be told. */
function addressOf(given: Record<string, string>): string {
  if (given['url']) return given['url'];
  if (given['preset']) return definitionOf(given['preset'], null)?.url ?? '';
  try {
    return String(JSON.parse(given['definition'] ?? '').url);
  } catch {
    return '';
  }
}

function readMessage(sms: InputRead<'staff.testCarrier'>['sms']): TestMessage | null {
  if (!sms) return null;
  const number = parseNumber(sms.number ?? '', true);
  if (number <= 0) throw new PanelRefusal('bad-number', { field: 'number' });
  const { sender } = sms;
  if (!sender || !/^[\x20-\x7e]{3,11}$/.test(sender)) throw new PanelRefusal('sender-form', { field: 'sender' });
  return { sender, number: String(number), text: testText };
}

async function slowDown(call: UserCall): Promise<void> {
  const limit = { name: 'carrier tests', most: testsPerMinuteMax, windowMs: 60_000 };
  const pauseMs = await countAttempt(call.db, [limit]);
  if (pauseMs > 0) throw new PanelRefusal('slow-down', { retryAfterMs: pauseMs });
}
