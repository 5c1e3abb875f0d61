// TTMesaj, REST: a token, the credentials again in the body, and the id inside a sentence. Reports are asked for by packet.
import type { Definition } from '../definition.ts';

const starts = (text: string) => [{ at: '/sonuc', starts: text }];
const words = '/sonuc';

export const ttmesaj: Definition = {
  version: 1,
  title: 'TTMesaj',
  url: 'https://restapi.ttmesaj.com',
  credentials: {
    user: 'user name',
    password: 'password',
    api_user: 'user of the API',
    api_password: 'password of the API',
  },
  operatorCode: false,
  auth: {
    kind: 'token',
    request: {
      method: 'POST',
      path: '/ttmesajToken',
      body: {
        kind: 'form',
        pairs: { grant_type: 'password', username: '{{secret:api_user}}', password: '{{secret:api_password}}' },
      },
    },
    token: '/access_token',
    seconds: 3_600,
  },
  send: {
    method: 'POST',
    path: '/api/SendSms/SendSingle',
    body: {
      kind: 'json',
      tree: {
        username: '{{user}}',
        password: '{{secret:password}}',
        numbers: '{{to}}',
        message: '{{text}}',
        origin: '{{from}}',
        sd: '0',
        ed: '0',
        isNotification: true,
        recipentType: '',
        brandCode: '',
      },
    },
  },
  ids: 'theirs',
  answer: {
    read: 'json',
    rules: [
      // "*OK*123456789"
      { status: [200], when: starts('*OK*'), means: 'sent', id: '/sonuc|after:*OK*' },
      { status: [200], when: starts('*ERR*KULLANICI'), means: 'account', words },
      { status: [200], when: starts('*ERR*KONTOR'), means: 'account', words },
      { status: [200], when: starts('*ERR*BASLIK'), means: 'failed', why: 'sender', words },
      { status: [200], when: starts('*ERR*NUMARA'), means: 'failed', why: 'number', words },
      { status: [200], when: starts('*ERR*'), means: 'failed', words },
      { status: [401, 403], means: 'account', words },
      { status: [429], means: 'slow', words },
      { status: [503], means: 'retry', words },
      { status: [400], means: 'failed', words },
    ],
  },
  poll: {
    request: {
      method: 'POST',
      path: '/api/Report/GetSingle',
      body: { kind: 'json', tree: { username: '{{user}}', password: '{{secret:password}}', packetId: '{{id}}' } },
    },
    everySeconds: 30,
    batch: 1,
    read: 'json',
    number: '/report/number',
    state: '/report/status',
    states: {
      Bekliyor: 'ENROUTE',
      Iletildi: 'DELIVRD',
      Iletilmedi: 'UNDELIV',
      ZamanAsimi: 'EXPIRED',
      Reddedildi: 'REJECTD',
    },
  },
};
