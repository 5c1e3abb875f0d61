// Verimor, v2: credentials in the body, the answer is a bare number or a word, receipts and inbound messages are pushed as lists
// to one address.
import type { Definition } from '../definition.ts';

const word = (...list: string[]) => [{ at: '', in: list }];

export const verimor: Definition = {
  version: 1,
  title: 'Verimor',
  url: 'https://sms.verimor.com.tr',
  credentials: { user: 'user name (12 digits)', password: 'API password' },
  operatorCode: false,
  codings: { gsm7: '0', turkish: '1', unicode: '2' },
  auth: { kind: 'body' },
  send: {
    method: 'POST',
    path: '/v2/send.json',
    body: {
      kind: 'json',
      tree: {
        username: '{{user}}',
        password: '{{secret:password}}',
        source_addr: '{{from}}',
        custom_id: '{{id}}',
        datacoding: '{{coding}}',
        messages: [{ msg: '{{text}}', dest: '{{to}}', id: '{{id}}' }],
      },
    },
  },
  ids: 'theirs',
  answer: {
    read: 'text',
    rules: [
      { status: [200], when: [{ at: '', positive: true }], means: 'sent', id: '' },
      { status: [401], means: 'account', words: '' },
      { status: [400], when: word('INSUFFICIENT_CREDITS', 'LIMIT_EXCEEDED'), means: 'account', words: '' },
      {
        status: [400],
        when: word('INVALID_SOURCE_ADDRESS', 'MISSING_SOURCE_ADDRESS'),
        means: 'failed',
        why: 'sender',
        words: '',
      },
      {
        status: [400],
        when: word('INVALID_DESTINATION_ADDRESS', 'MISSING_DESTINATION_ADDRESS'),
        means: 'failed',
        why: 'number',
        words: '',
      },
      {
        status: [400],
        when: word('MISSING_MESSAGE', 'MESSAGE_TOO_LONG', 'FORBIDDEN_MESSAGE'),
        means: 'failed',
        why: 'text',
        words: '',
      },
      { status: [400], means: 'failed', words: '' },
      { status: [429], means: 'slow', words: '' },
      { status: [503], means: 'retry', words: '' },
    ],
  },
  callback: {
    read: 'json',
    list: '',
    only: [{ at: '/type', equals: 'outbound' }],
    id: '/campaign_id',
    number: '/dest',
    error: '/gsm_error',
    state: '/status',
    states: {
      SENDING: 'ENROUTE',
      WAITING: 'ENROUTE',
      DELIVERED: 'DELIVRD',
      SENT: 'DELIVRD',
      NOT_DELIVERED: 'UNDELIV',
      SEND_ERROR: 'UNDELIV',
      EXPIRED: 'EXPIRED',
      INVALID_DESTINATION_ADDRESS: 'REJECTD',
      REJECTED: 'REJECTD',
      DOUBLE_SEND_ERROR: 'REJECTD',
      BLACKLISTED_DESTINATION_ADDRESS: 'REJECTD',
      MISSING_TARIFF: 'REJECTD',
      ROUTE_NOT_AVAILABLE: 'REJECTD',
      NETWORK_NOTCOVERED: 'REJECTD',
      INTERNATIONAL_DENIED: 'REJECTD',
    },
  },
  inbound: {
    read: 'json',
    list: '',
    only: [{ at: '/type', equals: 'inbound' }],
    id: '/message_id',
    from: '/source_addr',
    to: '/destination_addr',
    text: '/content',
  },
};
