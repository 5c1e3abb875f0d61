// Every operation of the v1 interface: where it lives, which object it needs, what it may answer, who handles it.
// docs/api.md is compared with this table by a test, and so is the list of tests (one per code and operation).
import type { StatusCode } from '../status.ts';
import { getBalance, getSender } from './account.ts';
import { addBlacklist, deleteBlacklist, getBlacklist } from './blacklist.ts';
import { createConsents, showConsent } from './consent.ts';
import type { Handler } from './context.ts';
import { getInbox } from './inbox.ts';
import { cancelSms, sendSms } from './orders.ts';
import { getReport, getReports } from './reports.ts';

export type Operation = {
  name: string;
  /** Below /v1/; the JSON form adds /json. */
  path: string;
  aliases?: string[];
  /** Member of `request` without which the call is 400; null = none needed. */
  needs: string | null;
  /** Fields of that object, as the documentation shows them. */
  fields: Record<string, string>;
  /** Codes beyond those every operation may answer (commonCodes). */
  codes: StatusCode[];
  result: string | null;
  /** May begin with an account from memory, because it verifies what it believed where it writes. */
  optimistic?: boolean;
  handler: Handler;
};

export const commonCodes: StatusCode[] = [200, 400, 401, 404, 503];

const paging = { page: 'string or number, default 1', rowCount: 'string or number, default and maximum 1000' };
const timeFilter = { 'filter.start': 'date, with or without time', 'filter.end': 'date, with or without time' };
const consentRecipient = {
  brandCode: 'string or number, required',
  recipient: 'number or e-mail address, required',
  recipientType: 'BIREYSEL | TACIR, required',
  type: 'MESAJ | EPOSTA | ARAMA, required',
};

export const operations: Operation[] = [
  {
    name: 'send-sms',
    path: 'send-sms',
    needs: 'order',
    fields: {
      sender: 'string, required: an approved sender ID, or APITEST while none is approved',
      'message.text': 'string, required; `message` may also be an array, each entry with its own text and recipients',
      'message.receipents.number': 'array of strings or numbers, also separated by commas, required, 1 to 50,000',
      sendDateTime: 'DD/MM/YYYY HH:MM (also with seconds, also YYYY-MM-DD HH:MM[:SS]); absent or empty = now',
      iys: '"1" checks consent (commercial message), "0" or absent does not',
      iysList: 'BIREYSEL | TACIR, required with iys 1',
      encoding:
        'utf8 | gsm0338-tr | gsm0338: Unicode, Turkish or English for this order; absent = the mode of the account',
    },
    codes: [402, 422, 450, 451, 452, 453, 454, 457, 468, 469, 470],
    result: 'order',
    optimistic: true,
    handler: sendSms,
  },
  {
    name: 'cancel-order',
    path: 'cancel-order',
    needs: 'order',
    fields: { id: 'string or number, required' },
    codes: [455],
    result: null,
    handler: cancelSms,
  },
  {
    name: 'get-report',
    path: 'get-report',
    needs: 'order',
    fields: { id: 'string or number, required', ...paging },
    codes: [455, 456, 464],
    result: 'order',
    handler: getReport,
  },
  {
    name: 'get-reports',
    path: 'get-reports',
    aliases: ['get-report-summary'],
    needs: 'filter',
    fields: {
      start: 'YYYY-MM-DD (also with a time), required',
      end: 'the same, at most 10 days after start, required',
      page: 'string or number, default 1; 30 orders a page',
    },
    codes: [458, 464],
    result: 'count, orders',
    handler: getReports,
  },
  {
    name: 'get-balance',
    path: 'get-balance',
    needs: null,
    fields: {},
    codes: [],
    result: 'balance',
    handler: getBalance,
  },
  { name: 'get-sender', path: 'get-sender', needs: null, fields: {}, codes: [], result: 'senders', handler: getSender },
  {
    name: 'get-blacklist',
    path: 'get-blacklist',
    needs: null,
    fields: { ...timeFilter, ...paging },
    codes: [422, 464],
    result: 'blacklist',
    handler: getBlacklist,
  },
  {
    name: 'add-blacklist',
    path: 'add-blacklist',
    needs: 'blacklist',
    fields: { number: 'one number, required' },
    codes: [466],
    result: null,
    handler: addBlacklist,
  },
  {
    name: 'delete-blacklist',
    path: 'delete-blacklist',
    needs: 'blacklist',
    fields: { number: 'one number, required' },
    codes: [466, 474],
    result: null,
    handler: deleteBlacklist,
  },
  {
    name: 'iys-register',
    path: 'consent/create',
    needs: 'consent',
    fields: {
      brandCode: 'string or number, required',
      list: 'array of 1 to 5,000 records, stored all or none',
      'list[].recipient': 'number or e-mail address',
      'list[].recipientType': 'BIREYSEL | TACIR',
      'list[].type': 'MESAJ | EPOSTA | ARAMA',
      'list[].status': 'ONAY | RET',
      'list[].source': 'HS_WEB, HS_MOBIL, … (docs/api.md lists them)',
      'list[].consentDate': 'YYYY-MM-DD HH:MM:SS, Turkey time, at most 3 days old',
    },
    codes: [403, 405, 422, 475],
    result: null,
    handler: createConsents,
  },
  {
    name: 'iys-check',
    path: 'consent/show',
    needs: 'consent',
    fields: consentRecipient,
    codes: [403, 422],
    result: 'consent',
    handler: showConsent,
  },
  {
    name: 'get-inbox',
    path: 'get-inbox',
    needs: null,
    fields: { ...timeFilter, ...paging },
    codes: [422, 464],
    result: 'inbox',
    handler: getInbox,
  },
];
