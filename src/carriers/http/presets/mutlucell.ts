// Mutlucell: XML in, a bare text out: `$id` and what follows it, or the number of an error. Reports are asked for one by one.
import type { Definition } from '../definition.ts';

const error = (...list: string[]) => [{ at: '', in: list }];

export const mutlucell: Definition = {
  version: 1,
  title: 'Mutlucell',
  url: 'https://smsgw.mutlucell.com',
  credentials: { user: 'user name', password: 'password' },
  operatorCode: false,
  codings: { gsm7: 'default', turkish: 'turkish', unicode: 'unicode' },
  auth: { kind: 'body' },
  send: {
    method: 'POST',
    path: '/smsgw-ws/sndblkex',
    body: {
      kind: 'xml',
      root: {
        name: 'smspack',
        attributes: { ka: '{{user}}', pwd: '{{secret:password}}', org: '{{from}}', charset: '{{coding}}' },
        children: [
          {
            name: 'mesaj',
            children: [
              { name: 'metin', children: ['{{text}}'] },
              { name: 'nums', children: ['{{to}}'] },
            ],
          },
        ],
      },
    },
  },
  ids: 'theirs',
  answer: {
    read: 'text',
    rules: [
      { status: [200], when: [{ at: '', starts: '$' }], means: 'sent', id: 'after:$' },
      { status: [200], when: error('20'), means: 'failed', why: 'text', words: '' },
      { status: [200], when: error('21'), means: 'failed', why: 'sender', words: '' },
      { status: [200], when: error('22', '23', '30'), means: 'account', words: '' },
      { status: [200], when: error('24'), means: 'slow', words: '' },
      { status: [200], when: error('25'), means: 'retry', words: '' },
      { status: [401, 403], means: 'account' },
      { status: [429], means: 'slow' },
      { status: [503], means: 'retry' },
    ],
  },
  poll: {
    request: {
      method: 'POST',
      path: '/smsgw-ws/gtblkrprtex',
      body: {
        kind: 'xml',
        root: {
          name: 'smsrapor',
          attributes: { ka: '{{user}}', pwd: '{{secret:password}}', id: '{{id}}' },
        },
      },
    },
    everySeconds: 30,
    batch: 1,
    // "905550000000 3": the number and its state.
    read: 'text',
    number: 'word:1',
    state: 'word:2',
    states: {
      0: 'ENROUTE',
      1: 'ENROUTE',
      2: 'ENROUTE',
      3: 'DELIVRD',
      4: 'UNDELIV',
      5: 'UNDELIV',
      6: 'EXPIRED',
      11: 'REJECTD',
      12: 'REJECTD',
    },
  },
};
