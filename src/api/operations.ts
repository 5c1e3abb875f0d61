// Every operation of the v1 interface: path, request and answer schemas, codes, handler. This table validates requests, types
// the handlers and generates /openapi.json and docs/api.md; tests compare their own list (one test per code and operation) with
// it.
import type { Read } from '../contract/lenient.ts';
import { readerOf } from '../contract/reader.ts';
import type { Static, TObject } from '../contract/type.ts';
import type { StatusCode } from '../status.ts';
import { getBalance, getSender } from './account.ts';
import { addBlacklist, deleteBlacklist, getBlacklist } from './blacklist.ts';
import { createConsents, showConsent } from './consent.ts';
import { createRequest, showAnswer, showRequest } from './consent-contract.ts';
import type { ApiCall, Handler } from './context.ts';
import { getInbox } from './inbox.ts';
import {
  balanceAnswer,
  blacklistAnswer,
  blacklistRequest,
  inboxAnswer,
  inboxRequest,
  noRequest,
  oneNumberRequest,
  senderAnswer,
} from './lists-contract.ts';
import { cancelSms, sendSms } from './orders.ts';
import {
  cancelRequest,
  reportAnswer,
  reportRequest,
  reportsAnswer,
  reportsRequest,
  sendSmsAnswer,
  sendSmsRequest,
} from './orders-contract.ts';
import { getReport, getReports } from './reports.ts';

export type Operation = {
  name: string;
  /** Below /v1/; the JSON form appends /json. */
  path: string;
  aliases?: string[];
  /** One line that says what the operation does. */
  en: string;
  tr: string;
  /** Members of `request` beside `authentication`. */
  request: TObject;
  /** Member of `request` that must be present (otherwise 400); null if none. */
  needs: string | null;
  /** Members of `response` beside `status`; null = status only. */
  answer: TObject | null;
  /** Names of those members. */
  result: string | null;
  /** Codes beyond those that every operation may answer (commonCodes). */
  codes: StatusCode[];
  /** True if the call may start with a remembered account, because its write verifies the account again. */
  optimistic?: boolean;
  handler: Handler;
};

export const commonCodes: StatusCode[] = [200, 400, 401, 404, 503];

type Row<Q extends TObject, A extends TObject | null> = Omit<
  Operation,
  'needs' | 'request' | 'answer' | 'result' | 'handler'
> & {
  request: Q;
  answer: A;
  handler(call: ApiCall, given: Read<Q>): Promise<A extends TObject ? Static<A> : undefined>;
};

export function operation<Q extends TObject, A extends TObject | null>({ handler, ...row }: Row<Q, A>): Operation {
  const read = readerOf(row.request, field => new Error(`${field} has no lenient reading`));
  const result = row.answer && Object.keys(row.answer.properties).join(', ');
  return { ...row, result, needs: neededOf(row.request), handler: call => handler(call, read(call.request)) };
}

function neededOf(request: TObject): string | null {
  return (request as { required?: string[] }).required?.[0] ?? null;
}

export const operations: Operation[] = [
  operation({
    name: 'send-sms',
    path: 'send-sms',
    en: 'Sends one text, or several, to up to 50,000 numbers; now or at a time.',
    tr: 'Bir ya da birkaç metni en çok 50.000 numaraya gönderir; hemen ya da belirtilen zamanda.',
    request: sendSmsRequest,
    answer: sendSmsAnswer,
    codes: [402, 422, 450, 451, 452, 453, 454, 457, 468, 469, 470],
    optimistic: true,
    handler: sendSms,
  }),
  operation({
    name: 'cancel-order',
    path: 'cancel-order',
    en: 'Cancels a scheduled order that has not begun; its credit comes back.',
    tr: 'Başlamamış ileri tarihli siparişi iptal eder; kredisi geri gelir.',
    request: cancelRequest,
    answer: null,
    codes: [455],
    handler: cancelSms,
  }),
  operation({
    name: 'get-report',
    path: 'get-report',
    en: 'What became of an order, recipient by recipient.',
    tr: 'Bir siparişin sonucu, alıcı alıcı.',
    request: reportRequest,
    answer: reportAnswer,
    codes: [455, 456, 464],
    handler: getReport,
  }),
  operation({
    name: 'get-reports',
    path: 'get-reports',
    aliases: ['get-report-summary'],
    en: 'The orders of up to ten days with their counters, newest first.',
    tr: 'On güne kadar bir aralığın siparişleri ve sayaçları, en yenisi önce.',
    request: reportsRequest,
    answer: reportsAnswer,
    codes: [458, 464],
    handler: getReports,
  }),
  operation({
    name: 'get-balance',
    path: 'get-balance',
    en: 'Credit and money of the account; the way to check credentials, without side effects.',
    tr: 'Hesabın kredisi ve parası; kimlik bilgilerini denemenin yolu, yan etkisi yoktur.',
    request: noRequest,
    answer: balanceAnswer,
    codes: [],
    handler: getBalance,
  }),
  operation({
    name: 'get-sender',
    path: 'get-sender',
    en: 'The approved sender IDs.',
    tr: 'Onaylı başlıklar.',
    request: noRequest,
    answer: senderAnswer,
    codes: [],
    handler: getSender,
  }),
  operation({
    name: 'get-blacklist',
    path: 'get-blacklist',
    en: 'The blacklist in pages, all of it or what was added in a time.',
    tr: 'Kara liste, sayfa sayfa; tümü ya da bir zaman aralığında eklenenler.',
    request: blacklistRequest,
    answer: blacklistAnswer,
    codes: [422, 464],
    handler: getBlacklist,
  }),
  operation({
    name: 'add-blacklist',
    path: 'add-blacklist',
    en: 'Adds a number to the blacklist; adding it again is 200 and changes nothing.',
    tr: 'Kara listeye numara ekler; yeniden eklemek 200 döner ve bir şey değiştirmez.',
    request: oneNumberRequest,
    answer: null,
    codes: [466],
    handler: addBlacklist,
  }),
  operation({
    name: 'delete-blacklist',
    path: 'delete-blacklist',
    en: 'Takes a number off the blacklist.',
    tr: 'Numarayı kara listeden çıkarır.',
    request: oneNumberRequest,
    answer: null,
    codes: [466, 474],
    handler: deleteBlacklist,
  }),
  operation({
    name: 'iys-register',
    path: 'consent/create',
    en: 'Stores consents and refusals for the registry, all or none.',
    tr: 'İYS için onay ve ret kayıtlarını saklar; ya tümünü ya hiçbirini.',
    request: createRequest,
    answer: null,
    codes: [403, 405, 422, 475],
    handler: createConsents,
  }),
  operation({
    name: 'iys-check',
    path: 'consent/show',
    en: 'The latest consent record of a recipient that counts.',
    tr: 'Bir alıcının geçerli son izin kaydı.',
    request: showRequest,
    answer: showAnswer,
    codes: [403, 422],
    handler: showConsent,
  }),
  operation({
    name: 'get-inbox',
    path: 'get-inbox',
    en: 'Messages that people wrote to the account, newest first.',
    tr: 'Hesaba yazılan iletiler, en yenisi önce.',
    request: inboxRequest,
    answer: inboxAnswer,
    codes: [422, 464],
    handler: getInbox,
  }),
];
