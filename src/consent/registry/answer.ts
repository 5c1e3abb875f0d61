// Reads the registry's answers leniently: keys may have a trailing colon or another case (`code:`, `subrequestId`), fields may
// be absent, and a body may be anything. What cannot be understood becomes null.

import type { Log } from '../../log.ts';
import { fromTurkeyTime } from '../../time/clock.ts';
import { type CodeClass, classOf, reasonOf } from './codes.ts';
import type { Failed, Outcome, RegistryError, Unreachable } from './outcome.ts';

export type RecipientType = 'BIREYSEL' | 'TACIR';
export type ConsentType = 'ARAMA' | 'MESAJ' | 'EPOSTA';
export type ConsentStatus = 'ONAY' | 'RET';
export type ConsentAddress = { recipient: string; recipientType: RecipientType; type: ConsentType };

/** One movement as the registry reports it. Two movements of one address within a second may share their transactionId. */
export type Movement = ConsentAddress & {
  status: ConsentStatus;
  /** May also be a source of the registry itself (IYS_…); empty if it names none. */
  source: string;
  consentDate: Date;
  creationDate: Date | null;
  transactionId: string;
};

export type BatchItem =
  | {
      index: number;
      state: 'accepted';
      transactionId: string;
      creationDate: Date | null;
      /** The earlier request that stored the record, if this one was a repeat. */
      original: { requestId: string; subRequestId: string } | null;
    }
  | { index: number; state: 'refused'; class: CodeClass; code: string; message: string }
  /** The registry failed for internal reasons: send the record again. */
  | { index: number; state: 'again'; code: string }
  | { index: number; state: 'waiting' };

type Json = Record<string, unknown>;

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function field(value: unknown, name: string): unknown {
  if (!isJson(value)) return undefined;
  if (Object.hasOwn(value, name)) return value[name];
  const wanted = name.toLowerCase();
  const key = Object.keys(value).find(one => one.replace(/[:\s]+$/, '').toLowerCase() === wanted);
  return key === undefined ? undefined : value[key];
}

export function textField(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : '';
}

export function dateField(value: unknown, name: string): Date | null {
  const found = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2}):(\d{2})/.exec(textField(value, name));
  if (found === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1).map(Number);
  return fromTurkeyTime(year, month, day, hour, minute, second);
}

function oneOf<T extends string>(value: unknown, name: string, list: readonly T[]): T | null {
  const found = textField(value, name);
  return list.find(one => one === found) ?? null;
}

export function readMovement(value: unknown): Movement | null {
  const recipient = textField(value, 'recipient');
  const recipientType = oneOf(value, 'recipientType', ['BIREYSEL', 'TACIR']);
  const type = oneOf(value, 'type', ['ARAMA', 'MESAJ', 'EPOSTA']);
  const status = oneOf(value, 'status', ['ONAY', 'RET']);
  const creationDate = dateField(value, 'creationDate');
  const consentDate = dateField(value, 'consentDate') ?? creationDate;
  if (recipient === '' || recipientType === null || type === null || status === null || consentDate === null)
    return null;
  const source = textField(value, 'source');
  const transactionId = textField(value, 'transactionId');
  return { recipient, recipientType, type, status, source, consentDate, creationDate, transactionId };
}

/** The entries that could be read, and how many could not. */
export function readMovements(list: unknown): { list: Movement[]; unreadable: number } {
  const entries = Array.isArray(list) ? list : [];
  const read = entries.map(readMovement).filter(one => one !== null);
  return { list: read, unreadable: entries.length - read.length };
}

export function readBatchItem(value: unknown): BatchItem | null {
  const index = field(value, 'index');
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0) return null;
  const status = textField(value, 'status');
  if (status === 'enqueue') return { index, state: 'waiting' };
  if (status === 'failure') {
    const code = textField(field(value, 'error'), 'code') || 'H015';
    const fault = classOf(code, 400);
    if (fault === 'later') return { index, state: 'again', code };
    return { index, state: 'refused', class: fault, code, message: reasonOf(code) };
  }
  const transactionId = textField(value, 'transactionId');
  if (status !== 'success' || transactionId === '') return null;
  const first = field(value, 'originalRequestInformation');
  const origin = { requestId: textField(first, 'requestId'), subRequestId: textField(first, 'subRequestId') };
  const original = origin.requestId === '' ? null : origin;
  return { index, state: 'accepted', transactionId, creationDate: dateField(value, 'creationDate'), original };
}

function readErrors(body: unknown): RegistryError[] {
  const list = field(body, 'errors');
  if (!Array.isArray(list)) return [];
  return list
    .filter(one => textField(one, 'code') !== '')
    .map(one => {
      const code = textField(one, 'code');
      const index = field(one, 'index');
      const base = { code, message: reasonOf(code) };
      return typeof index === 'number' ? { ...base, index } : base;
    });
}

const hourMs = 3_600_000;
// How long to pause after a code; an hourly rate is free again within the hour.
const pauses: Record<string, number> = {
  H083: 1_000,
  H124: 1_000,
  H084: hourMs,
  H086: hourMs / 6,
  H089: hourMs / 6,
};
const pauseMs = 30_000;

/** Translates an answer outside 2xx. */
export function failureOf(http: number, body: unknown): Failed {
  const errors = readErrors(body);
  const first = errors[0] ?? null;
  const code = first?.code ?? `HTTP ${http}`;
  const kind = classOf(code, http);
  if (kind === 'token') return { kind: 'unauthorised' };
  if (kind === 'later') return { kind: 'later', code, afterMs: pauses[code] ?? pauseMs };
  if (http >= 300 && http < 400) return unreadable(`redirect ${http}`);
  const base = { kind: 'refused', scope: kind, code, message: reasonOf(code), errors } as const;
  return first?.index === undefined ? base : { ...base, index: first.index };
}

/** The registry answered in an unknown way, so the request may have been carried out. */
export function unreadable(why: string): Unreachable {
  return { kind: 'unreachable', why, mayHaveArrived: true };
}

export type RegistrySubscription = {
  status: string;
  consentLimit: number | null;
  usedConsentLimit: number | null;
  mayExceedLimit: boolean;
};
export type RegistryBrand = {
  brandCode: number;
  name: string;
  isMaster: boolean;
  approvals: number;
  rejections: number;
};
export type Changes = Outcome<{ after: string | null; list: Movement[]; unreadable: number }>;

export function readChanges(body: unknown, after: string | null, log: Log): Changes {
  if (isEmpty(body)) return { kind: 'ok', after, list: [], unreadable: 0 };
  if (!Array.isArray(field(body, 'list'))) return unreadable('changes without a list');
  const read = readMovements(field(body, 'list'));
  if (read.unreadable > 0) log.warn({ entries: read.unreadable }, 'registry.unreadable');
  return { kind: 'ok', after: textField(body, 'after') || after, ...read };
}

export function readBrand(value: unknown): RegistryBrand | null {
  const brandCode = Number(field(value, 'brandCode'));
  if (!Number.isSafeInteger(brandCode) || brandCode <= 0) return null;
  const counts = field(field(value, 'stats'), 'consents');
  const count = (name: string) => Number(field(counts, name)) || 0;
  const name = textField(value, 'name');
  const isMaster = field(value, 'master') === true;
  return { brandCode, name, isMaster, approvals: count('approval'), rejections: count('rejection') };
}

export function readSubscription(body: unknown, status: string): RegistrySubscription {
  const number = (name: string) => (typeof field(body, name) === 'number' ? (field(body, name) as number) : null);
  return {
    status,
    consentLimit: number('consentLimit'),
    usedConsentLimit: number('usedConsentLimit'),
    mayExceedLimit: field(body, 'consentLimitExceed') === true,
  };
}

export function isEmpty(body: unknown): boolean {
  return (
    body === undefined ||
    body === null ||
    body === '' ||
    (isJson(body) && Object.keys(body).length === 0) ||
    isEmptyList(body)
  );
}

function isEmptyList(body: unknown): boolean {
  return Array.isArray(body) && body.length === 0;
}
