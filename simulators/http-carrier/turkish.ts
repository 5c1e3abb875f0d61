// Turkish providers: what they read, answer and report.
import { isBasic, json, jsonPost, type Provider, phoneOf, type ReportState, textReply } from './provider.ts';

const state = (table: Record<ReportState, string | number>, key: ReportState) => table[key];

const status = (code: number, message: string) => json(code, { response: { status: { code, message } } });
export const iletimerkezi: Provider = {
  path: '/v1/send-sms/json',
  read({ body }, { user, password }) {
    const { authentication, order } = JSON.parse(body).request;
    if (authentication.key !== user || authentication.hash !== password) return null;
    return { to: phoneOf(order.message.receipents.number[0]), from: order.sender, text: order.message.text };
  },
  newId: count => String(100_000 + count),
  sent: id => json(200, { response: { status: { code: 200, message: 'İşlem başarılı' }, order: { id } } }),
  refused: {
    slow: status(429, 'Çok fazla istek'),
    busy: status(503, 'Sunucu geçici olarak servis dışı'),
    number: status(452, 'Hatalı alıcılar'),
    sender: status(450, 'Gönderilen başlık kullanıma uygun değil'),
    account: status(402, 'Bakiye yetersiz'),
  },
  push: ([one]) =>
    jsonPost({
      report: {
        id: `m${one!.id}`,
        packet_id: one!.id,
        status: one!.state === 'delivered' ? 'delivered' : 'undelivered',
        to: `+${one!.to}`,
        body: '',
      },
    }),
  inbound: ({ from, to, text }) => jsonPost({ inbound: { from: `+${from}`, to, body: text } }),
};

const netgsmCode = (code: string, description: string) => json(406, { code, jobid: null, description });
export const netgsm: Provider = {
  path: '/sms/rest/v2/send',
  read(call, login) {
    if (!isBasic(call, login)) return null;
    const { msgheader, messages } = JSON.parse(call.body);
    return { to: phoneOf(messages[0].no), from: msgheader, text: messages[0].msg };
  },
  newId: count => `1737721534260505${String(count).padStart(10, '0')}`,
  sent: jobid => json(200, { code: '00', jobid, description: 'queued' }),
  refused: {
    slow: netgsmCode('80', 'gonderim siniri asildi'),
    busy: netgsmCode('100', 'sistem hatasi'),
    number: netgsmCode('70', 'hatali sorgu'),
    sender: netgsmCode('40', 'baslik tanimli degil'),
    account: netgsmCode('30', 'gecersiz kullanici'),
  },
  others(call, login, reportOf) {
    if (call.path !== '/sms/rest/v2/report') return undefined;
    if (!isBasic(call, login)) return netgsmCode('30', 'gecersiz kullanici');
    const states = { waiting: 0, delivered: 1, undelivered: 4, expired: 2 };
    const ids = JSON.parse(call.body).jobids as string[];
    const jobs = ids.flatMap(id => reportOf(id) ?? []);
    const shown = jobs.map(one => ({
      jobid: one.id,
      telno: one.to.slice(2),
      status: state(states, one.state),
      errorCode: 0,
    }));
    return json(200, { code: '00', jobs: shown });
  },
};

export const verimor: Provider = {
  path: '/v2/send.json',
  read({ body }, { user, password }) {
    const given = JSON.parse(body);
    if (given.username !== user || given.password !== password) return null;
    const messages = given.messages as { msg: string; dest: string; id: string }[];
    return messages.map(one => ({ to: phoneOf(one.dest), from: given.source_addr, text: one.msg, ownId: one.id }));
  },
  newId: count => String(20_212 + count),
  sent: id => textReply(200, id),
  refused: {
    slow: textReply(429, 'Too Many Requests'),
    busy: textReply(503, 'Service Unavailable'),
    number: textReply(400, 'INVALID_DESTINATION_ADDRESS'),
    sender: textReply(400, 'INVALID_SOURCE_ADDRESS'),
    account: textReply(400, 'INSUFFICIENT_CREDITS'),
  },
  push(reports) {
    const states = { waiting: 'WAITING', delivered: 'DELIVERED', undelivered: 'NOT_DELIVERED', expired: 'EXPIRED' };
    const shown = reports.map(one => ({
      type: 'outbound',
      campaign_id: Number(one.id),
      message_custom_id: one.ownId,
      dest: one.to,
      status: state(states, one.state),
      gsm_error: one.state === 'undelivered' ? '6' : '0',
    }));
    return jsonPost(shown);
  },
  inbound: ({ id, from, to, text }) =>
    jsonPost([
      { type: 'inbound', message_id: id, source_addr: from, destination_addr: to, keyword: '', content: text },
    ]),
};

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescaped = (text: string) =>
  text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (_, decimal, hex, name) =>
    name ? entities[name]! : String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16)),
  );
const attribute = (xml: string, name: string) => unescaped(new RegExp(`\\s${name}="([^"]*)"`).exec(xml)?.[1] ?? '');
const element = (xml: string, name: string) => unescaped(new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '');
export const mutlucell: Provider = {
  path: '/smsgw-ws/sndblkex',
  read({ body }, { user, password }) {
    if (attribute(body, 'ka') !== user || attribute(body, 'pwd') !== password) return null;
    return { to: phoneOf(element(body, 'nums')), from: attribute(body, 'org'), text: element(body, 'metin') };
  },
  newId: count => String(7_000_000 + count),
  sent: id => textReply(200, `$${id}#1.0`),
  refused: {
    slow: textReply(200, '24'),
    busy: textReply(200, '25'),
    number: textReply(200, '20'),
    sender: textReply(200, '21'),
    account: textReply(200, '22'),
  },
  others({ path, body }, { user, password }, reportOf) {
    if (path !== '/smsgw-ws/gtblkrprtex') return undefined;
    if (attribute(body, 'ka') !== user || attribute(body, 'pwd') !== password) return textReply(200, '23');
    const report = reportOf(attribute(body, 'id'));
    const states = { waiting: 1, delivered: 3, undelivered: 4, expired: 6 };
    return report ? textReply(200, `${report.to} ${state(states, report.state)}\n`) : textReply(200, '20');
  },
};

const jetStatus = (code: number) => json(200, { smsmessages: [{ status: code }], description: `status ${code}` });
export const jetsms: Provider = {
  path: '/api/SendSms',
  read(call, login) {
    if (!isBasic(call, login)) return null;
    const { originator, smsmessages } = JSON.parse(call.body);
    const messages = smsmessages as { messageid: string; msisdn: string; messagetext: string }[];
    return messages.map(one => ({
      to: phoneOf(one.msisdn),
      from: originator,
      text: one.messagetext,
      ownId: one.messageid,
    }));
  },
  newId: count => `jet-${count}`,
  sent: () => json(200, {}),
  each(results) {
    const codes = { number: 12, sender: 21 } as Record<string, number>;
    const smsmessages = results.map(({ submit: { ownId, to }, refusal }) => ({
      messageid: ownId,
      msisdn: to,
      status: refusal ? codes[refusal] : 0,
    }));
    return json(200, { groupid: 1, smsmessages });
  },
  refused: {
    slow: json(429, { description: 'too many requests' }),
    busy: json(503, { description: 'try again' }),
    number: jetStatus(12),
    sender: jetStatus(21),
    account: json(401, { description: 'user name or password' }),
  },
  others(call, login, reportOf) {
    if (call.path !== '/api/ReportByMessageId') return undefined;
    if (!isBasic(call, login)) return json(401, { description: 'user name or password' });
    const states = { waiting: 0, delivered: 1, undelivered: 2, expired: 3 };
    const reports = (JSON.parse(call.body).messageids as string[]).flatMap(id => reportOf(id) ?? []);
    return json(200, {
      reports: reports.map(one => ({ messageid: one.ownId, msisdn: one.to, status: state(states, one.state) })),
    });
  },
};

const tokenOf = (login: { user: string }) => `token-of-${login.user}`;
const sonuc = (text: string) => json(200, { sonuc: text, kontor: '100' });
export const ttmesaj: Provider = {
  path: '/api/SendSms/SendSingle',
  read(call, login) {
    const { username, password, numbers, message, origin } = JSON.parse(call.body);
    const isIn = call.headers['authorization'] === `Bearer ${tokenOf(login)}` && username === login.user;
    return isIn && password === login.password ? { to: phoneOf(numbers), from: origin, text: message } : null;
  },
  newId: count => String(900_000_000 + count),
  sent: id => sonuc(`*OK*${id}`),
  refused: {
    slow: json(429, {}),
    busy: json(503, {}),
    number: sonuc('*ERR*NUMARA HATALI'),
    sender: sonuc('*ERR*BASLIK TANIMSIZ'),
    account: sonuc('*ERR*KONTOR YETERSIZ'),
  },
  others(call, login, reportOf) {
    if (call.path === '/ttmesajToken') {
      const isApi = new URLSearchParams(call.body).get('grant_type') === 'password';
      return isApi ? json(200, { access_token: tokenOf(login), expires_in: 3_600 }) : json(400, {});
    }
    if (call.path !== '/api/Report/GetSingle') return undefined;
    const report = reportOf(JSON.parse(call.body).packetId);
    const states = { waiting: 'Bekliyor', delivered: 'Iletildi', undelivered: 'Iletilmedi', expired: 'ZamanAsimi' };
    return json(200, { report: report ? { number: report.to, status: state(states, report.state) } : null });
  },
};
