// consent/create and consent/show.
import { toTurkeyTime } from '../clock.ts';
import { monthOf, quotaHasRoom } from '../consent/brands.ts';
import { currentConsent } from '../consent/current.ts';
import { type ConsentDraft, consentSources, consentStatuses, consentTypes, recipientTypes } from '../consent/record.ts';
import { registerConsents } from '../consent/register.ts';
import { limits } from '../limits.ts';
import { formatNumber, parseNumber } from '../phone.ts';
import { Refusal } from '../status.ts';
import type { ApiCall } from './context.ts';
import { asMembers, type Members, own } from './envelope.ts';
import { readExactTime, readId } from './read.ts';

type Errors = Record<string, string>;

// Enough to mend a list by; a thousand would only be noise.
const errorsMax = 20;
const email = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/;

export async function createConsents(call: ApiCall): Promise<undefined> {
  const consent = asMembers(own(call.request, 'consent'))!;
  if (call.account.brands.length === 0) throw new Refusal(403);
  const brand = readId(own(consent, 'brandCode'));
  const list = own(consent, 'list');
  const entries: unknown[] = Array.isArray(list) ? list : [];
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
  const type = choose(consent, 'type', consentTypes, '', errors);
  const recipientType = choose(consent, 'recipientType', recipientTypes, '', errors);
  const recipient = readRecipient(call, consent, type, '', errors);
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
  const type = choose(members, 'type', consentTypes, place, errors);
  const recipientType = choose(members, 'recipientType', recipientTypes, place, errors);
  const status = choose(members, 'status', consentStatuses, place, errors);
  const source = choose(members, 'source', consentSources, place, errors);
  const recipient = readRecipient(call, members, type, place, errors);
  const consentDate = readConsentDate(call, own(members, 'consentDate'), place, errors);
  if (!type || !recipientType || !status || !source || !recipient || !consentDate) return null;
  return { recipient, recipientType, type, status, source, consentDate };
}

function choose<T extends string>(
  members: Members,
  name: string,
  allowed: readonly T[],
  place: string,
  errors: Errors,
): T | null {
  const value = own(members, name);
  if (typeof value === 'string' && (allowed as readonly string[]).includes(value)) return value as T;
  complain(errors, place + name, `${name} şunlardan biri olmalıdır: ${allowed.join(', ')}.`);
  return null;
}

/** Messages and calls go to a number, e-mail to an address; anything else cannot be right. */
function readRecipient(
  call: ApiCall,
  members: Members,
  type: string | null,
  place: string,
  errors: Errors,
): string | null {
  const value = own(members, 'recipient');
  if (type === 'EPOSTA') {
    const address = typeof value === 'string' ? value.trim().toLowerCase() : '';
    if (address.length >= 6 && address.length <= 265 && email.test(address)) return address;
  } else {
    const number = parseNumber(value, call.account.abroad);
    if (number > 0) return formatNumber(number);
  }
  complain(errors, `${place}recipient`, 'recipient geçerli bir alıcı değil.');
  return null;
}

function readConsentDate(call: ApiCall, value: unknown, place: string, errors: Errors): Date | null {
  const time = readExactTime(value);
  if (!time) complain(errors, `${place}consentDate`, 'consentDate Y-m-d H:i:s biçimi ile eşleşmiyor.');
  else if (time > call.now) complain(errors, `${place}consentDate`, 'consentDate ileri bir tarih olamaz.');
  else if (call.now.getTime() - time.getTime() > limits.consentAgeMs)
    complain(errors, `${place}consentDate`, 'consentDate 3 günden eski olamaz.');
  else return time;
  return null;
}

function complain(errors: Errors, field: string, text: string): void {
  if (Object.keys(errors).length < errorsMax) errors[field] = text;
}
