// 46elks: a form, JSON with `id`; receipts as forms that it tries again for six hours.
import type { Definition } from '../definition.ts';

export const elks: Definition = {
  version: 1,
  title: '46elks',
  url: 'https://api.46elks.com',
  credentials: { user: 'API user name', password: 'API password' },
  operatorCode: true,
  auth: { kind: 'basic', user: '{{user}}', password: '{{secret:password}}' },
  send: {
    method: 'POST',
    path: '/a1/sms',
    body: {
      kind: 'form',
      pairs: { from: '{{from}}', to: '{{to_plus}}', message: '{{text}}', whendelivered: '{{callback_url}}' },
    },
  },
  ids: 'theirs',
  answer: {
    read: 'json',
    rules: [
      { status: [200], when: [{ at: '/status', equals: 'failed' }], means: 'failed' },
      { status: [200], when: [{ at: '/id', present: true }], means: 'sent', id: '/id' },
      { status: [401, 402, 403], means: 'account', words: '' },
      { status: [429], means: 'slow', words: '' },
      { status: [503], means: 'retry', words: '' },
      { status: [400, 404], means: 'failed', words: '' },
    ],
  },
  callback: {
    read: 'form',
    id: 'id',
    state: 'status',
    states: { created: 'ACCEPTD', sent: 'ENROUTE', delivered: 'DELIVRD', failed: 'UNDELIV' },
  },
  inbound: { read: 'form', id: 'id', from: 'from', to: 'to', text: 'message' },
};
