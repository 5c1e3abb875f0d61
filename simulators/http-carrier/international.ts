// International providers, and a generic JSON gateway that repeats its receipts: what they read, answer and report.
import { createHmac } from 'node:crypto';
import {
  formPost,
  isBasic,
  json,
  jsonPost,
  type Login,
  type Post,
  type Provider,
  phoneOf,
  textReply,
} from './provider.ts';

const twilioError = (status: number, code: number, message: string) => json(status, { code, message, status });
const signed = (post: Post, url: string, { password }: Login): Post => {
  const pairs = [...new URLSearchParams(post.body)].sort(([a], [b]) => (a < b ? -1 : 1));
  const text = url + pairs.map(([name, value]) => name + value).join('');
  const signature = createHmac('sha1', password).update(text).digest('base64');
  return { ...post, headers: { 'x-twilio-signature': signature } };
};
export const twilio: Provider = {
  path: /^\/2010-04-01\/Accounts\/[^/]+\/Messages\.json$/,
  read(call, login) {
    if (!isBasic(call, login) || !call.path.includes(`/${login.user}/`)) return null;
    const form = new URLSearchParams(call.body);
    const callback = form.get('StatusCallback') ?? undefined;
    return {
      ...{ to: phoneOf(form.get('To') ?? ''), from: form.get('From') ?? '', text: form.get('Body') ?? '' },
      ...(callback ? { callback } : {}),
    };
  },
  newId: count => `SM${String(count).padStart(32, '0')}`,
  sent: sid => json(201, { sid, status: 'queued', error_code: null }),
  refused: {
    slow: twilioError(429, 20429, 'Too Many Requests'),
    busy: twilioError(503, 20503, 'Service Unavailable'),
    number: twilioError(400, 21211, 'Invalid To'),
    sender: twilioError(400, 21606, 'Invalid From'),
    account: twilioError(401, 20003, 'Authenticate'),
  },
  push([one], url, login) {
    const states = { waiting: 'sent', delivered: 'delivered', undelivered: 'undelivered', expired: 'failed' };
    const form = { MessageSid: one!.id, MessageStatus: states[one!.state], To: `+${one!.to}`, AccountSid: login.user };
    return signed(formPost(form), url, login);
  },
  inbound: ({ id, from, to, text }, url, login) =>
    signed(formPost({ MessageSid: `SM${id}`, From: `+${from}`, To: to, Body: text, NumMedia: '0' }), url, login),
};

const vonageStatus = (status: string, text: string) =>
  json(200, { 'message-count': '1', messages: [{ status, 'error-text': text }] });
export const vonage: Provider = {
  path: '/sms/json',
  read({ body }, { user, password }) {
    const form = new URLSearchParams(body);
    if (form.get('api_key') !== user || form.get('api_secret') !== password) return null;
    const callback = form.get('callback') ?? undefined;
    return {
      ...{ to: phoneOf(form.get('to') ?? ''), from: form.get('from') ?? '', text: form.get('text') ?? '' },
      ownId: form.get('client-ref') ?? '',
      ...(callback ? { callback } : {}),
    };
  },
  newId: count => `0A000000${String(count).padStart(8, '0')}`,
  sent: (id, { to }) => json(200, { 'message-count': '1', messages: [{ to, 'message-id': id, status: '0' }] }),
  refused: {
    slow: vonageStatus('1', 'Throttled'),
    busy: vonageStatus('5', 'Internal Error'),
    number: vonageStatus('6', 'Invalid Message'),
    sender: vonageStatus('15', 'Invalid Sender Address'),
    account: vonageStatus('9', 'Partner Quota Violation'),
  },
  push([one]) {
    const states = { waiting: 'buffered', delivered: 'delivered', undelivered: 'failed', expired: 'expired' };
    return jsonPost({ msisdn: one!.to, messageId: one!.id, status: states[one!.state], 'err-code': '0' });
  },
  inbound: ({ id, from, to, text }) => jsonPost({ msisdn: from, to, messageId: `in${id}`, text, type: 'text' }),
};

export const elks: Provider = {
  path: '/a1/sms',
  read(call, login) {
    if (!isBasic(call, login)) return null;
    const form = new URLSearchParams(call.body);
    const callback = form.get('whendelivered') ?? undefined;
    return {
      ...{ to: phoneOf(form.get('to') ?? ''), from: form.get('from') ?? '', text: form.get('message') ?? '' },
      ...(callback ? { callback } : {}),
    };
  },
  newId: count => `s${String(count).padStart(31, '0')}`,
  sent: (id, { to }) => json(200, { id, status: 'created', to: `+${to}`, cost: 0 }),
  refused: {
    slow: textReply(429, 'Too many requests'),
    busy: textReply(503, 'Try again'),
    number: textReply(400, 'Invalid to number'),
    sender: textReply(400, 'Invalid from'),
    account: textReply(402, 'Not enough credits'),
  },
  push([one]) {
    const states = { waiting: 'sent', delivered: 'delivered', undelivered: 'failed', expired: 'failed' };
    return formPost({ id: one!.id, status: states[one!.state] });
  },
  inbound: ({ id, from, to, text }) =>
    formPost({ id: `in${id}`, direction: 'incoming', from: `+${from}`, to, message: text }),
};

const refusal = (status: number, error: string) => json(status, { accepted: false, error });
export const generic: Provider = {
  path: '/messages',
  read(call, { password }) {
    if (call.headers['authorization'] !== `Bearer ${password}`) return null;
    const { id, to, from, text, callback } = JSON.parse(call.body);
    return { to: phoneOf(to), from, text, ownId: id, ...(callback ? { callback } : {}) };
  },
  newId: count => `g${count}`,
  sent: () => json(202, { accepted: true }),
  refused: {
    slow: refusal(429, 'slow down'),
    busy: refusal(503, 'busy'),
    number: refusal(400, 'bad number'),
    sender: refusal(400, 'bad sender'),
    account: refusal(402, 'no credit'),
  },
  push(reports) {
    const states = { waiting: 'enroute', delivered: 'delivered', undelivered: 'undelivered', expired: 'expired' };
    return jsonPost(reports.map(one => ({ id: one.ownId, to: `+${one.to}`, state: states[one.state] })));
  },
  inbound: ({ id, from, to, text }) => jsonPost([{ id: `in${id}`, from: `+${from}`, to, text }]),
};
