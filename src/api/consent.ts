// consent/create and consent/show.
import { toTurkeyTime } from '../clock.ts';
import { monthOf, quotaHasRoom } from '../consent/brands.ts';
import { currentConsent } from '../consent/current.ts';
import {
  type ConsentRule,
  consentRules,
  type GivenConsent,
  readConsentRow,
  readRecipient,
} from '../consent/read-row.ts';
import { type ConsentDraft, consentTypes, recipientTypes } from '../consent/record.ts';
import { registerConsents } from '../consent/register.ts';
import { limits } from '../limits.ts';
import { Refusal } from '../status.ts';
import type { ApiCall } from './context.ts';
import { asMembers, type Members, own } from './envelope.ts';
import { findList, readId } from './read.ts';

type Errors = Record<string, string>;

// Enough to mend a list by; a thousand would only be noise.
const errorsMax = 20;

export async function createConsents(call: ApiCall): Promise<undefined> {
  const consent = asMembers(own(call.request, 'consent'))!;
  if (call.account.brands.length === 0) throw new Refusal(403);
  const brand = readId(own(consent, 'brandCode'));
  const list = own(consent, 'list');
  const entries = findList(list) ?? [];
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

export async function showConsent(call: ApiCall): Promise<Members> {
  const consent = asMembers(own(call.request, 'consent'))!;
  if (call.account.brands.length === 0) throw new Refusal(403);
  const errors: Errors = {};
  const brand = readId(own(consent, 'brandCode'));
  if (brand === null || !call.account.brands.includes(brand)) errors['brandCode'] = 'brandCode hesabınıza ait değil.';
  const type = choose(consent, 'type', consentTypes, errors);
  const recipientType = choose(consent, 'recipientType', recipientTypes, errors);
  const recipient = readRecipient(asText(own(consent, 'recipient')), type, call.account.abroad);
  if (recipient === null) complain(errors, 'recipient', consentRules.recipient.tr);
  if (Object.keys(errors).length) throw new Refusal(422, errors);
  const found = await currentConsent(call.db, call.account.id, brand!, type!, recipientType!, recipient!);
  if (!found) throw new Refusal(422, { recipient: 'Bu alıcı için izin kaydı bulunamadı.' });
  return {
    consent: {
      brandCode: brand,
      recipient,
      recipientType,
      type,
      status: found.status,
      source: found.source,
      consentDate: toTurkeyTime(found.consentDate),
    },
  };
}

function readEntry(call: ApiCall, entry: unknown, place: string, errors: Errors): ConsentDraft | null {
  const members = asMembers(entry) ?? {};
  const text = (name: string) => asText(own(members, name));
  const given: GivenConsent = {
    recipient: text('recipient'),
    recipientType: text('recipientType'),
    type: text('type'),
    status: text('status'),
    source: text('source'),
    consentDate: text('consentDate'),
  };
  return readConsentRow(given, call.account.abroad, call.now, rule =>
    complain(errors, place + fieldOf(rule), consentRules[rule].tr),
  );
}

/** A number may come as one; anything else that is no text is nothing. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function fieldOf(rule: ConsentRule): string {
  return rule.startsWith('date-') ? 'consentDate' : rule === 'ruling-first' ? 'source' : rule;
}

function choose<T extends string>(
  members: Members,
  name: ConsentRule,
  allowed: readonly T[],
  errors: Errors,
): T | null {
  const found = allowed.find(one => one === own(members, name));
  if (!found) complain(errors, name, consentRules[name].tr);
  return found ?? null;
}

function complain(errors: Errors, field: string, text: string): void {
  if (Object.keys(errors).length < errorsMax) errors[field] = text;
}
