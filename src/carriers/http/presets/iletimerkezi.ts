// iletiMerkezi, JSON: the HTTP status and the code in the body are the same number. The interface that Peyk itself serves.
import type { Definition } from '../definition.ts';

const words = '/response/status/message';

export const iletimerkezi: Definition = {
  version: 1,
  title: 'iletiMerkezi',
  url: 'https://api.iletimerkezi.com',
  credentials: { user: 'API key', password: 'API hash' },
  operatorCode: false,
  auth: { kind: 'body' },
  send: {
    method: 'POST',
    path: '/v1/send-sms/json',
    body: {
      kind: 'json',
      tree: {
        request: {
          authentication: { key: '{{user}}', hash: '{{secret:password}}' },
          order: {
            sender: '{{from}}',
            sendDateTime: [],
            iys: '0',
            message: { text: '{{text}}', receipents: { number: ['{{to_plus}}'] } },
          },
        },
      },
    },
  },
  ids: 'theirs',
  answer: {
    read: 'json',
    rules: [
      {
        status: [200],
        when: [{ at: '/response/status/code', equals: '200' }],
        means: 'sent',
        id: '/response/order/id',
      },
      { status: [401, 402, 403], means: 'account', words },
      { status: [450, 459, 460], means: 'failed', why: 'sender', words },
      { status: [452], means: 'failed', why: 'number', words },
      { status: [453, 454], means: 'failed', why: 'text', words },
      { status: [429], means: 'slow', words },
      { status: [503], means: 'retry', words },
      // 451: the same text to the same number within ten minutes.
      { status: [400, 404, 451, 455, 457, 468, 469, 470], means: 'failed', words },
    ],
  },
  callback: {
    read: 'json',
    list: '/report',
    id: '/packet_id',
    number: '/to',
    state: '/status',
    states: { accepted: 'ACCEPTD', delivered: 'DELIVRD', undelivered: 'UNDELIV' },
  },
  inbound: { read: 'json', list: '/inbound', from: '/from', to: '/to', text: '/body' },
};
