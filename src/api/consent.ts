// consent/create and consent/show.

import { monthOf, quotaHasRoom } from '../consent/brands.ts';
import { currentConsent } from '../consent/current.ts';
import { type ConsentRule, consentRules, readConsentRow, readRecipient } from '../consent/read-row.ts';
import type { ConsentDraft } from '../consent/record.ts';
import { registerConsents } from '../consent/register.ts';
import type { Read } from '../contract/lenient.ts';
import { limits } from '../limits.ts';
import { Refusal } from '../status.ts';
import { toTurkeyTime } from '../time/clock.ts';
import { type createRequest, readRecord, type showRequest } from './consent-contract.ts';
import type { ApiCall } from './context.ts';

type Errors = Record<string, string>;

// Enough to correct a list by; thousands of errors would not help the reader.
const errorsMax = 20;

export async function createConsents(call: ApiCall, { consent }: Read<typeof createRequest>): Promise<undefined> {
  if (call.account.brands.length === 0) throw new Refusal(403);
  const { brandCode: brand, list: entries } = consent;
  const ours = brand !== null && call.account.brands.includes(brand);
  if (
    ours &&
    entries.length > 0 &&
    !(await quotaHasRoom(call.db, call.account.id, brand, monthOf(call.now), entries.length))
  )
    throw new Refusal(405);
  const errors: Errors = {};
  if (!ours) errors['brandCode'] = 'brandCode hesabınıza ait değil.';
  if (entries.length === 0) errors['list'] = 'list en az bir kayıt içermelidir.';
  const drafts = entries.map((entry, i) => readEntry(call, entry, `list.${i}.`, errors));
  if (Object.keys(errors).length) throw new Refusal(422, errors);
  if (entries.length > limits.consentsPerRequest) throw new Refusal(475);
  await registerConsents(call.db, call.account.id, brand!, drafts as ConsentDraft[], 'api', call.now);
}

export async function showConsent(call: ApiCall, { consent }: Read<typeof showRequest>) {
  if (call.account.brands.length === 0) throw new Refusal(403);
  const errors: Errors = {};
  const { brandCode: brand, type, recipientType } = consent;
  if (brand === null || !call.account.brands.includes(brand)) errors['brandCode'] = 'brandCode hesabınıza ait değil.';
  if (type === null) complain(errors, 'type', consentRules.type.tr);
  if (recipientType === null) complain(errors, 'recipientType', consentRules.recipientType.tr);
  const recipient = readRecipient(consent.recipient, type, call.account.abroad);
  if (recipient === null) complain(errors, 'recipient', consentRules.recipient.tr);
  if (Object.keys(errors).length) throw new Refusal(422, errors);
  const found = await currentConsent(call.db, call.account.id, brand!, type!, recipientType!, recipient!);
  if (!found) throw new Refusal(422, { recipient: 'Bu alıcı için izin kaydı bulunamadı.' });
  return {
    consent: {
      brandCode: brand!,
      recipient: recipient!,
      recipientType: recipientType!,
      type: type!,
      status: found.status,
      source: found.source,
      consentDate: toTurkeyTime(found.consentDate),
    },
  };
}

function readEntry(call: ApiCall, entry: unknown, place: string, errors: Errors): ConsentDraft | null {
  return readConsentRow(readRecord(entry), call.account.abroad, call.now, rule =>
    complain(errors, place + fieldOf(rule), consentRules[rule].tr),
  );
}

function fieldOf(rule: ConsentRule): string {
  return rule.startsWith('date-') ? 'consentDate' : rule === 'ruling-first' ? 'source' : rule;
}

function complain(errors: Errors, field: string, text: string): void {
  if (Object.keys(errors).length < errorsMax) errors[field] = text;
}
