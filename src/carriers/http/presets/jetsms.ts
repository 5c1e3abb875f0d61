// JetSMS, REST: a status for each number, and our own id in its reports.
import type { Definition } from '../definition.ts';

const at = '/smsmessages/0/status';
const words = '/description';

export const jetsms: Definition = {
  version: 1,
  title: 'JetSMS',
  url: 'https://smsapi.jetsms.com.tr',
  credentials: { user: 'user name', password: 'password' },
  operatorCode: false,
  auth: { kind: 'basic', user: '{{user}}', password: '{{secret:password}}' },
  send: {
    method: 'POST',
    path: '/api/SendSms',
    body: {
      kind: 'json',
      tree: {
        originator: '{{from}}',
        smsmessages: [{ messageid: '{{id}}', msisdn: '{{to}}', messagetext: '{{text}}' }],
      },
    },
  },
  ids: 'ours',
  answer: {
    read: 'json',
    rules: [
      { status: [200], when: [{ at, equals: '0' }], means: 'sent' },
      { status: [200], when: [{ at, present: true }], means: 'failed', why: 'number', words },
      { status: [401, 402, 403], means: 'account', words },
      { status: [429], means: 'slow', words },
      { status: [503], means: 'retry', words },
      { status: [400, 404, 422], means: 'failed', words },
    ],
  },
  poll: {
    request: {
      method: 'POST',
      path: '/api/ReportByMessageId',
      body: { kind: 'json', tree: { messageids: ['{{ids}}'] } },
    },
    everySeconds: 20,
    batch: 100,
    read: 'json',
    list: '/reports',
    id: '/messageid',
    number: '/msisdn',
    state: '/status',
    states: { 0: 'ENROUTE', 1: 'DELIVRD', 2: 'UNDELIV', 3: 'EXPIRED', 4: 'REJECTD' },
  },
};
