// Twilio: a form, 201, receipts as signed forms. Accounts of its own put their SID into the path.
import type { Definition } from '../definition.ts';

const words = '/message';
const code = (...list: string[]) => [{ at: '/code', in: list }];
const check = {
  kind: 'hmac',
  header: 'x-twilio-signature',
  algorithm: 'sha1',
  encoding: 'base64',
  over: 'url+form',
  key: '{{secret:password}}',
} as const;

export const twilio: Definition = {
  version: 1,
  title: 'Twilio',
  url: 'https://api.twilio.com',
  credentials: { user: 'account SID', password: 'auth token' },
  operatorCode: true,
  auth: { kind: 'basic', user: '{{user}}', password: '{{secret:password}}' },
  send: {
    method: 'POST',
    path: '/2010-04-01/Accounts/{{user}}/Messages.json',
    body: {
      kind: 'form',
      pairs: { To: '{{to_plus}}', From: '{{from}}', Body: '{{text}}', StatusCallback: '{{callback_url}}' },
    },
  },
  ids: 'theirs',
  answer: {
    read: 'json',
    rules: [
      { status: [201], when: [{ at: '/sid', present: true }], means: 'sent', id: '/sid' },
      {
        status: [400],
        when: code('21211', '21214', '21217', '21408', '21610', '21614'),
        means: 'failed',
        why: 'number',
        words,
      },
      { status: [400], when: code('21212', '21603', '21606', '21659'), means: 'failed', why: 'sender', words },
      { status: [400], when: code('21602', '21605', '21617'), means: 'failed', why: 'text', words },
      { status: [400], when: code('21611'), means: 'slow', words },
      { status: [400, 404], means: 'failed', words },
      { status: [401, 402, 403], means: 'account', words },
      { status: [429], means: 'slow', words },
      { status: [503], means: 'retry', words },
    ],
  },
  callback: {
    read: 'form',
    check,
    id: 'MessageSid',
    number: 'To',
    state: 'MessageStatus',
    states: {
      accepted: 'ACCEPTD',
      queued: 'ENROUTE',
      sending: 'ENROUTE',
      sent: 'ENROUTE',
      delivered: 'DELIVRD',
      undelivered: 'UNDELIV',
      failed: 'REJECTD',
      canceled: 'DELETED',
    },
    reply: { status: 204, body: '' },
  },
  inbound: {
    read: 'form',
    check,
    id: 'MessageSid',
    from: 'From',
    to: 'To',
    text: 'Body',
    reply: { status: 200, body: '<?xml version="1.0" encoding="UTF-8"?><Response></Response>' },
  },
};
