// Vonage: 200 for everything, a status for each message inside. Receipts and inbound messages come as JSON.
import type { Definition } from '../definition.ts';

const at = '/messages/0/status';
const words = '/messages/0/error-text';
const is = (...list: string[]) => [{ at, in: list }];

export const vonage: Definition = {
  version: 1,
  title: 'Vonage',
  url: 'https://rest.nexmo.com',
  credentials: { user: 'API key', password: 'API secret' },
  operatorCode: true,
  codings: { gsm7: 'text', turkish: 'unicode', unicode: 'unicode' },
  auth: { kind: 'body' },
  send: {
    method: 'POST',
    path: '/sms/json',
    body: {
      kind: 'form',
      pairs: {
        api_key: '{{user}}',
        api_secret: '{{secret:password}}',
        to: '{{to}}',
        from: '{{from}}',
        text: '{{text}}',
        type: '{{coding}}',
        'client-ref': '{{id}}',
        callback: '{{callback_url}}',
      },
    },
  },
  ids: 'theirs',
  answer: {
    read: 'json',
    rules: [
      { status: [200], when: is('0'), means: 'sent', id: '/messages/0/message-id' },
      { status: [200], when: is('1', '8'), means: 'slow', words },
      { status: [200], when: is('5', '10'), means: 'retry', words },
      { status: [200], when: is('4', '9', '14', '29'), means: 'account', words },
      { status: [200], when: is('6', '7'), means: 'failed', why: 'number', words },
      { status: [200], when: is('15'), means: 'failed', why: 'sender', words },
      { status: [200], when: is('12', '22'), means: 'failed', why: 'text', words },
      { status: [200], when: is('2', '3', '11', '13', '16', '19', '20', '23'), means: 'failed', words },
      { status: [401, 402, 403], means: 'account' },
      { status: [429], means: 'slow' },
      { status: [503], means: 'retry' },
    ],
  },
  callback: {
    read: 'json',
    id: '/messageId',
    number: '/msisdn',
    state: '/status',
    states: {
      accepted: 'ACCEPTD',
      buffered: 'ENROUTE',
      delivered: 'DELIVRD',
      expired: 'EXPIRED',
      failed: 'UNDELIV',
      rejected: 'REJECTD',
      unknown: 'UNKNOWN',
    },
  },
  inbound: { read: 'json', id: '/messageId', from: '/msisdn', to: '/to', text: '/text' },
};
