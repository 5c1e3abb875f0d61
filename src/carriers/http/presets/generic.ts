// For a gateway of one's own, or as the beginning of a description: JSON with a bearer token, our own id, receipts as lists that
// may repeat.
import type { Definition } from '../definition.ts';
import { usualRules } from './shared-rules.ts';

export const generic: Definition = {
  version: 1,
  title: 'JSON gateway',
  url: 'https://sms.example.com',
  credentials: { password: 'token' },
  operatorCode: true,
  auth: { kind: 'bearer', token: '{{secret:password}}' },
  send: {
    method: 'POST',
    path: '/messages',
    headers: { 'idempotency-key': '{{id}}' },
    body: {
      kind: 'json',
      tree: {
        id: '{{id}}',
        to: '{{to_plus}}',
        from: '{{from}}',
        text: '{{text}}',
        parts: '{{parts}}',
        coding: '{{coding}}',
        validityMinutes: '{{validity_minutes}}',
        callback: '{{callback_url}}',
      },
    },
  },
  ids: 'ours',
  idempotent: true,
  answer: {
    read: 'json',
    rules: [
      { status: [2], when: [{ at: '/accepted', equals: 'true' }], means: 'sent' },
      ...usualRules.map(rule => ({ ...rule, words: '/error' })),
    ],
  },
  callback: {
    read: 'json',
    list: '',
    id: '/id',
    number: '/to',
    error: '/error',
    state: '/state',
    states: {
      enroute: 'ENROUTE',
      delivered: 'DELIVRD',
      undelivered: 'UNDELIV',
      expired: 'EXPIRED',
      rejected: 'REJECTD',
    },
  },
  inbound: { read: 'json', list: '', id: '/id', from: '/from', to: '/to', text: '/text' },
};
