// The schema of the description of a carrier over HTTP: data, no code and no expressions. A request is a structure whose texts
// hold placeholders of a closed list; an answer is judged by ordered rules; receipts and inbound messages are read by paths. A
// description is checked once, when it is stored (check-definition.ts). docs/http-carriers.md explains each member.
import { type Static, type TProperties, Type } from '../../contract/type.ts';
import { receiptStates } from '../../smpp/receipt.ts';
import { carrierNames, consentPrefix, messageNames, pollNames, secretPrefix } from './placeholders.ts';

const object = <P extends TProperties>(members: P) => Type.Object(members, { additionalProperties: false });
const short = Type.String({ maxLength: 200 });
const longText = { maxLength: 2_000 };

/** Marks for check-definition.ts: which placeholders may stand in its texts, and what else holds of it or of its keys. */
export type Marks = { 'x-names'?: readonly string[]; 'x-rule'?: TextRule; 'x-keys'?: KeyRule };
export type TextRule = 'address' | 'path' | 'last' | 'element' | 'scalar';
export type KeyRule = 'header' | 'consentName';

const ofCarrier = [...carrierNames, `${secretPrefix}NAME`];
const ofMessage = [...carrierNames, ...messageNames, 'each', `${consentPrefix}NAME`, `${secretPrefix}NAME`];
const ofPoll = [...carrierNames, ...pollNames, `${secretPrefix}NAME`];
/** A header cannot hold every text. */
const inHeaders = (names: string[]) => names.filter(name => ['user', 'id', `${secretPrefix}NAME`].includes(name));
const text = (names: string[], marks: Marks = {}) => Type.String({ ...longText, 'x-names': names, ...marks });
const pairs = (names: string[], marks: Marks = {}) =>
  Type.Record(Type.String(longText), { 'x-names': names, ...marks });
const template = text(ofCarrier);
/** JSON: RFC 6901. XML: names of children, `@name` at the end for an attribute. Form: the name. Text: see read-answer.ts. */
const path = short;
const reads = Type.Enum(['json', 'xml', 'form', 'text']);

const body = (names: string[]) =>
  Type.Union([
    object({ kind: Type.Literal('none') }),
    /** Any JSON value; its texts are templates. */
    object({ kind: Type.Literal('json'), tree: Type.Unknown({ 'x-names': names }) }),
    object({ kind: Type.Literal('form'), pairs: pairs(names) }),
    /** An element: { name, attributes?, children? } with elements and texts as children. */
    object({ kind: Type.Literal('xml'), root: Type.Unknown({ 'x-names': names, 'x-rule': 'element' }) }),
    object({ kind: Type.Literal('text'), text: text(names, { 'x-rule': 'last' }) }),
  ]);
export type XmlElement = { name: string; attributes?: Record<string, string>; children?: (XmlElement | string)[] };

const request = (names: string[]) =>
  object({
    method: Type.Enum(['GET', 'POST', 'PUT']),
    /** Below the address of the carrier. */
    path: text(names, { 'x-rule': 'path' }),
    query: Type.Optional(pairs(names)),
    headers: Type.Optional(pairs(inHeaders(names), { 'x-keys': 'header' })),
    /** Content type of the body; by default the usual one of its kind. */
    type: Type.Optional(short),
    body: body(names),
  });
export type RequestShape = Static<ReturnType<typeof request>>;
export type Body = RequestShape['body'];

const basic = { user: template, password: template };
const auth = Type.Union([
  object({ kind: Type.Literal('none') }),
  object({ kind: Type.Literal('basic'), ...basic }),
  object({ kind: Type.Literal('bearer'), token: template }),
  object({ kind: Type.Literal('header'), name: short, value: template }),
  object({ kind: Type.Literal('query'), pairs: pairs(ofCarrier) }),
  /** The credentials stand in the body of `send`. */
  object({ kind: Type.Literal('body') }),
  /** Requested once and kept for `seconds`; requested again after a 401. */
  object({
    kind: Type.Literal('token'),
    request: request(ofCarrier),
    token: path,
    seconds: Type.Integer({ minimum: 60, maximum: 604_800 }),
  }),
]);

const test = object({
  at: path,
  equals: Type.Optional(short),
  in: Type.Optional(Type.Array(short, { maxItems: 50 })),
  starts: Type.Optional(short),
  /** A whole number above zero. */
  positive: Type.Optional(Type.Literal(true)),
  present: Type.Optional(Type.Boolean()),
});
export type Test = Static<typeof test>;
const tests = Type.Array(test, { maxItems: 3 });

const rule = object({
  /** 200, or 2 for all of 200 to 299. */
  status: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 599 }), { maxItems: 20 })),
  when: Type.Optional(tests),
  means: Type.Enum(['sent', 'retry', 'slow', 'failed', 'account', 'unknown']),
  /** Where the carrier's id of the message stands; of `sent`. */
  id: Type.Optional(path),
  /** Where the carrier says why, in its own words. */
  words: Type.Optional(path),
  /** Of `failed`: what was wrong with the message. */
  why: Type.Optional(Type.Enum(['number', 'sender', 'text', 'refused'])),
});
export type Rule = Static<typeof rule>;

/** Several messages in one request, whose body has a list that begins with `{{each}}`. */
const batch = object({
  /** The most messages of a request. */
  size: Type.Integer({ minimum: 2, maximum: 1_000 }),
  /** The list of the answer with an entry for each message. Without it the answer is about all of them. */
  list: Type.Optional(path),
  /** Where an entry names our id, or the number. Without either, entries are in the order of the messages. */
  id: Type.Optional(path),
  number: Type.Optional(path),
  /** What an entry means; asked where the answer itself means `sent`. */
  rules: Type.Optional(Type.Array(rule, { minItems: 1, maxItems: 50 })),
});

const check = Type.Union([
  object({ kind: Type.Literal('basic'), ...basic }),
  object({ kind: Type.Literal('header'), name: short, value: template }),
  object({ kind: Type.Literal('addresses'), list: Type.Array(short, { maxItems: 50 }) }),
  object({
    kind: Type.Literal('hmac'),
    header: short,
    algorithm: Type.Enum(['sha1', 'sha256', 'sha512']),
    encoding: Type.Enum(['base64', 'hex']),
    /**
     * url+form: the whole address, then names and values of the form in the order of the names. time.body: the time of
     * `time`, a dot, the body.
     */
    over: Type.Enum(['body', 'url+body', 'url+form', 'time.body']),
    key: template,
    prefix: Type.Optional(short),
    /** The header with the time of signing (Unix seconds), and how old that may be: what somebody overheard is soon worth nothing. */
    time: Type.Optional(object({ header: short, seconds: Type.Integer({ minimum: 10, maximum: 3_600 }) })),
  }),
]);
export type Check = Static<typeof check>;

const calls = {
  read: reads,
  /** The list of items; without it the whole is one. */
  list: Type.Optional(path),
  /** Items that are meant here. */
  only: Type.Optional(tests),
  check: Type.Optional(check),
  reply: Type.Optional(object({ status: Type.Integer({ minimum: 200, maximum: 299 }), body: template })),
};
const states = Type.Record(Type.Enum([...receiptStates]));
const receipt = {
  id: path,
  state: path,
  states,
  /** The number of an error, as operators publish them. */
  error: Type.Optional(path),
  number: Type.Optional(path),
};
const callback = object({ ...calls, ...receipt });
const inbound = object({
  ...calls,
  /** What the carrier calls the message: the same again is stored once. */
  id: Type.Optional(path),
  from: path,
  to: path,
  text: path,
});
const poll = object({
  request: request(ofPoll),
  everySeconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
  /** Ids asked for at once. */
  batch: Type.Integer({ minimum: 1, maximum: 500 }),
  read: reads,
  list: Type.Optional(path),
  ...receipt,
  /** Without it, and a batch of one: the id that was asked for. */
  id: Type.Optional(path),
});
export type ReceiptShape = Pick<Poll, keyof typeof receipt>;
export type CallShape = Pick<Callback, 'read' | 'list' | 'only' | 'check'>;
export type Poll = Static<typeof poll>;
export type Callback = Static<typeof callback>;
export type Inbound = Static<typeof inbound>;

const scalar = Type.Unknown({ 'x-rule': 'scalar' });

export const definition = object({
  version: Type.Literal(1),
  title: short,
  /** For its readers; the program does not look at it. */
  notes: Type.Optional(Type.String({ maxLength: 500 })),
  /** Where it listens; a carrier may name another. */
  url: Type.String({ maxLength: 500, 'x-rule': 'address' }),
  /** What `user` and the secrets are called there. */
  credentials: Type.Record(short),
  /** Whether our operator code goes at the end of the text; most Turkish providers add their own. */
  operatorCode: Type.Boolean(),
  /** What the choice of consents of an order is called there, under names of its own: `{{consent:NAME}}`. */
  consents: Type.Optional(
    Type.Record(object({ none: scalar, individual: scalar, merchant: scalar }), { 'x-keys': 'consentName' }),
  ),
  /** What `coding` is called there. */
  codings: Type.Optional(object({ gsm7: short, turkish: short, unicode: short })),
  auth,
  send: request(ofMessage),
  batch: Type.Optional(batch),
  /** ours: the carrier names our own id in its receipts. */
  ids: Type.Enum(['theirs', 'ours']),
  /** The same id again is not sent again: a request without an answer may be repeated. */
  idempotent: Type.Optional(Type.Boolean()),
  answer: object({
    read: reads,
    rules: Type.Array(rule, { minItems: 1, maxItems: 50 }),
    /** How long one is waited for; default 10. */
    seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
  }),
  callback: Type.Optional(callback),
  inbound: Type.Optional(inbound),
  poll: Type.Optional(poll),
});
export type Definition = Static<typeof definition>;
