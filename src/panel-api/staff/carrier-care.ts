// Actions of staff on a carrier besides its settings: test a form before it is saved, bind again, remove, show its history.

import { carrierExists, reconnectCarrier } from '../../carriers/carriers.ts';
import { type RemovalRefusal, removeCarrier } from '../../carriers/remove-carrier.ts';
import { parseNumber } from '../../numbers/phone.ts';
import { countAttempt } from '../../people/attempts.ts';
import { type TestMessage, testCarrier } from '../../sending/links/test-carrier.ts';
import { staffAuditEntry } from '../audit/audit-entry.ts';
import type { Handlers, InputRead, UserCall } from '../call/context.ts';
import { type PanelCode, PanelRefusal } from '../words/errors.ts';

import { requireReason } from './accounts.ts';
import { requireGoodCarrier } from './carrier-faults.ts';
import { carrierHistory } from './carrier-history.ts';
import { carrierOf, keptSecrets, storedCarrier, storedForm } from './carrier-secrets.ts';
import { readCarrierForm, viewCarriers } from './carriers.ts';

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
    const given: Record<string, string> = { ...(stored ? storedForm(stored) : {}), ...settings, ...texts };
    const kept = keptSecrets(stored, given);
    const password = typed ?? kept['password'] ?? '';
    const whole = { ...kept, ...given, password };
    await requireGoodCarrier(call, name, whole, 'new');
    const message = readMessage(call.input.sms);
    await slowDown(call);
    const carrier = { ...carrierOf(whole, password), id: stored?.id ?? 0 };
    const tried = await testCarrier(call.db, carrier, call.options.operatorCode, message);
    const { outcome, error } = tried;
    await staffAuditEntry(call, 'carrier.test', null, { name, host: given['host'], outcome, reason: error });
    return tried;
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
