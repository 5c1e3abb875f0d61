// Netgsm, REST v2: Basic authentication, `code` decides, refusals come as 406. Reports are asked for by job.
import type { Definition } from '../definition.ts';

const words = '/description';
const code = (...list: string[]) => [{ at: '/code', in: list }];

export const netgsm: Definition = {
  version: 1,
  title: 'Netgsm',
  url: 'https://api.netgsm.com.tr',
  credentials: { user: 'subscriber number', password: 'password of the API user' },
  operatorCode: false,
  codings: { gsm7: '', turkish: 'TR', unicode: 'UNICODE' },
  auth: { kind: 'basic', user: '{{user}}', password: '{{secret:password}}' },
  send: {
    method: 'POST',
    path: '/sms/rest/v2/send',
    body: {
      kind: 'json',
      tree: {
        msgheader: '{{from}}',
        encoding: '{{coding}}',
        iysfilter: '0',
        messages: [{ msg: '{{text}}', no: '{{to_national}}' }],
      },
    },
  },
  ids: 'theirs',
  answer: {
    read: 'json',
    rules: [
      { status: [2], when: code('00', '01', '02'), means: 'sent', id: '/jobid' },
      { when: code('20'), means: 'failed', why: 'text', words },
      { when: code('30'), means: 'account', words },
      { when: code('40'), means: 'failed', why: 'sender', words },
      { when: code('80'), means: 'slow', words },
      { when: code('85'), means: 'retry', words },
      { when: code('100', '101'), means: 'retry', words },
      { when: code('50', '51', '70'), means: 'failed', words },
      { status: [401, 403], means: 'account', words },
      { status: [429], means: 'slow', words },
      { status: [503], means: 'retry', words },
    ],
  },
  poll: {
    request: {
      method: 'POST',
      path: '/sms/rest/v2/report',
      body: { kind: 'json', tree: { jobids: ['{{ids}}'] } },
    },
    everySeconds: 20,
    batch: 50,
    read: 'json',
    list: '/jobs',
    id: '/jobid',
    number: '/telno',
    state: '/status',
    states: {
      0: 'ENROUTE',
      1: 'DELIVRD',
      2: 'EXPIRED',
      3: 'UNDELIV',
      4: 'UNDELIV',
      11: 'REJECTD',
      12: 'UNDELIV',
      13: 'REJECTD',
      14: 'REJECTD',
      15: 'REJECTD',
      16: 'REJECTD',
      17: 'REJECTD',
    },
  },
};
