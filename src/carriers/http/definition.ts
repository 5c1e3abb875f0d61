// The schema of the description of a carrier over HTTP: data, no code and no expressions. A request is a structure
// whose texts contain placeholders from a closed list; ordered rules interpret an answer; receipts and inbound messages
// are read by paths. A description is checked once, when it is stored (check-definition.ts). docs/http-carriers.md
// explains each member.
import { type Static, type TProperties, Type } from '../../contract/type.ts';
import { receiptStates } from '../../smpp/receipt.ts';
import { carrierNames, consentPrefix, messageNames, pollNames, secretPrefix } from './placeholders.ts';

const object = <P extends TProperties>(members: P) => Type.Object(members, { additionalProperties: false });
const short = Type.String({ maxLength: 200 });
const longText = { maxLength: 2_000 };

/** Marks for check-definition.ts: the placeholders that a text may contain, and further rules for it or for its keys. */
export type Marks = { 'x-names'?: readonly string[]; 'x-rule'?: TextRule; 'x-keys'?: KeyRule };
export type TextRule = 'address' | 'path' | 'last' | 'element' | 'scalar';
export type KeyRule = 'header' | 'consentName';

const ofCarrier = [...carrierNames, `${secretPrefix}NAME`];
const ofMessage = [...carrierNames, ...messageNames, 'each', `${consentPrefix}NAME`, `${secretPrefix}NAME`];
const ofPoll = [...carrierNames, ...pollNames, `${secretPrefix}NAME`];
/** A header cannot contain every text. */
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
    /** Relative to the address of the carrier. */
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
  /** The credentials are in the body of `send`. */
  object({ kind: Type.Literal('body') }),
  /** Requested once and used for `seconds`; requested again after a 401. */
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
  /** A status, or its first digit: 200, or 2 for 200 to 299. */
  status: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 599 }), { maxItems: 20 })),
  when: Type.Optional(tests),
  means: Type.Enum(['sent', 'retry', 'slow', 'failed', 'account', 'unknown']),
  /** For `sent`: where the carrier's id of the message is. */
  id: Type.Optional(path),
  /** Where the carrier gives the reason in its own words. */
  words: Type.Optional(path),
  /** For `failed`: what was wrong with the message. */
  why: Type.Optional(Type.Enum(['number', 'sender', 'text', 'refused'])),
});
export type Rule = Static<typeof rule>;

/** Several messages in one request, whose body contains a list that begins with `{{each}}`. */
const batch = object({
  /** The most messages of a request. */
  size: Type.Integer({ minimum: 2, maximum: 1_000 }),
  /** The list in the answer that has an entry for each message. Without it the answer concerns all of them. */
  list: Type.Optional(path),
  /** Where an entry names our id or the number. Without either, entries are in the order of the messages. */
  id: Type.Optional(path),
  number: Type.Optional(path),
  /** The meaning of an entry; used if the answer itself means `sent`. */
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
     * url+form: the full address, then names and values of the form in the order of the names. time.body: the time of
     * `time`, a dot, the body.
     */
    over: Type.Enum(['body', 'url+body', 'url+form', 'time.body']),
    key: template,
    prefix: Type.Optional(short),
    /**
     * The header with the time of signing (Unix seconds) and its maximum age, so that a recorded call cannot be
     * replayed later.
     */
    time: Type.Optional(object({ header: short, seconds: Type.Integer({ minimum: 10, maximum: 3_600 }) })),
  }),
]);
export type Check = Static<typeof check>;

const calls = {
  read: reads,
  /** The list of items; without it the whole document is one item. */
  list: Type.Optional(path),
  /** Selects the items that this shape describes. */
  only: Type.Optional(tests),
  check: Type.Optional(check),
  reply: Type.Optional(object({ status: Type.Integer({ minimum: 200, maximum: 299 }), body: template })),
};
const states = Type.Record(Type.Enum([...receiptStates]));
const receipt = {
  id: path,
  state: path,
  states,
  /** The error number, as operators publish them. */
  error: Type.Optional(path),
  number: Type.Optional(path),
};
const callback = object({ ...calls, ...receipt });
const inbound = object({
  ...calls,
  /** The carrier's id of the message: a message with a known id is not stored again. */
  id: Type.Optional(path),
  from: path,
  to: path,
  text: path,
});
const poll = object({
  request: request(ofPoll),
  everySeconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
  /** How many ids one request asks for. */
  batch: Type.Integer({ minimum: 1, maximum: 500 }),
  read: reads,
  list: Type.Optional(path),
  ...receipt,
  /** Without it, and with a batch of one, the requested id is used. */
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
  /** For readers; the program ignores it. */
  notes: Type.Optional(Type.String({ maxLength: 500 })),
  /** The usual address; a carrier may have another one. */
  url: Type.String({ maxLength: 500, 'x-rule': 'address' }),
  /** The provider's names for `user` and the secrets. */
  credentials: Type.Record(short),
  /** Whether we append our operator code to the text; most Turkish providers append their own. */
  operatorCode: Type.Boolean(),
  /** The provider's values for the choice of consents of an order, under names of the description: `{{consent:NAME}}`. */
  consents: Type.Optional(
    Type.Record(object({ none: scalar, individual: scalar, merchant: scalar }), { 'x-keys': 'consentName' }),
  ),
  /** The provider's values for `coding`. */
  codings: Type.Optional(object({ gsm7: short, turkish: short, unicode: short })),
  auth,
  send: request(ofMessage),
  batch: Type.Optional(batch),
  /** ours: the carrier's receipts contain our id. */
  ids: Type.Enum(['theirs', 'ours']),
  /** The carrier ignores a repeated id, so a request without an answer may be repeated. */
  idempotent: Type.Optional(Type.Boolean()),
  answer: object({
    read: reads,
    rules: Type.Array(rule, { minItems: 1, maxItems: 50 }),
    /** How long we wait for an answer; default 10. */
    seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
  }),
  callback: Type.Optional(callback),
  inbound: Type.Optional(inbound),
  poll: Type.Optional(poll),
});
export type Definition = Static<typeof definition>;
