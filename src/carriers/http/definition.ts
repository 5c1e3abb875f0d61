// How a carrier over HTTP is described: data, no code and no expressions. A request is a structure whose text leaves hold
// placeholders of a closed list; an answer is judged by ordered rules; receipts and inbound messages are read by paths. Checked
// once, when it is stored (check-definition.ts). docs/http-carriers.md explains each member.
import { type Static, Type } from '../../contract/type.ts';
import { receiptStates } from '../../smpp/receipt.ts';

const closed = { additionalProperties: false };
const short = Type.String({ maxLength: 200 });
const template = Type.String({ maxLength: 2_000 });
const pairs = Type.Record(template);
/** JSON: RFC 6901. XML: names of children, `@name` at the end for an attribute. Form: the name. Text: see read-answer.ts. */
const path = short;
const reads = Type.Enum(['json', 'xml', 'form', 'text']);

export const body = Type.Union([
  Type.Object({ kind: Type.Literal('none') }, closed),
  /** Any JSON value; its texts are templates. */
  Type.Object({ kind: Type.Literal('json'), tree: Type.Unknown() }, closed),
  Type.Object({ kind: Type.Literal('form'), pairs }, closed),
  /** An element: { name, attributes?, children? } with elements and texts as children. */
  Type.Object({ kind: Type.Literal('xml'), root: Type.Unknown() }, closed),
  Type.Object({ kind: Type.Literal('text'), text: template }, closed),
]);
export type Body = Static<typeof body>;
export type XmlElement = { name: string; attributes?: Record<string, string>; children?: (XmlElement | string)[] };

const request = Type.Object(
  {
    method: Type.Enum(['GET', 'POST', 'PUT']),
    /** Below the address of the carrier. */
    path: template,
    query: Type.Optional(pairs),
    headers: Type.Optional(pairs),
    /** Of the body; default: what its kind is usually called. */
    type: Type.Optional(short),
    body,
  },
  closed,
);
export type RequestShape = Static<typeof request>;

const basic = { user: template, password: template };
const auth = Type.Union([
  Type.Object({ kind: Type.Literal('none') }, closed),
  Type.Object({ kind: Type.Literal('basic'), ...basic }, closed),
  Type.Object({ kind: Type.Literal('bearer'), token: template }, closed),
  Type.Object({ kind: Type.Literal('header'), name: short, value: template }, closed),
  Type.Object({ kind: Type.Literal('query'), pairs }, closed),
  /** The credentials stand in the body of `send`. */
  Type.Object({ kind: Type.Literal('body') }, closed),
  /** Asked for once and kept for `seconds`; asked for again after a 401. */
  Type.Object(
    { kind: Type.Literal('token'), request, token: path, seconds: Type.Integer({ minimum: 60, maximum: 604_800 }) },
    closed,
  ),
]);

const test = Type.Object(
  {
    at: path,
    equals: Type.Optional(short),
    in: Type.Optional(Type.Array(short, { maxItems: 50 })),
    starts: Type.Optional(short),
    /** A whole number above zero. */
    positive: Type.Optional(Type.Literal(true)),
    present: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type Test = Static<typeof test>;
const tests = Type.Array(test, { maxItems: 3 });

export const rule = Type.Object(
  {
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
  },
  closed,
);
export type Rule = Static<typeof rule>;

const check = Type.Union([
  Type.Object({ kind: Type.Literal('basic'), ...basic }, closed),
  Type.Object({ kind: Type.Literal('header'), name: short, value: template }, closed),
  Type.Object({ kind: Type.Literal('addresses'), list: Type.Array(short, { maxItems: 50 }) }, closed),
  Type.Object(
    {
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
      time: Type.Optional(
        Type.Object({ header: short, seconds: Type.Integer({ minimum: 10, maximum: 3_600 }) }, closed),
      ),
    },
    closed,
  ),
]);
export type Check = Static<typeof check>;

const calls = {
  read: reads,
  /** The list of items; without it the whole is one. */
  list: Type.Optional(path),
  /** Items that are meant here. */
  only: Type.Optional(tests),
  check: Type.Optional(check),
  reply: Type.Optional(Type.Object({ status: Type.Integer({ minimum: 200, maximum: 299 }), body: template }, closed)),
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
const callback = Type.Object({ ...calls, ...receipt }, closed);
const inbound = Type.Object(
  {
    ...calls,
    /** What the carrier calls the message: the same again is stored once. */
    id: Type.Optional(path),
    from: path,
    to: path,
    text: path,
  },
  closed,
);
const poll = Type.Object(
  {
    request,
    everySeconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
    /** Ids asked for at once. */
    batch: Type.Integer({ minimum: 1, maximum: 500 }),
    read: reads,
    list: Type.Optional(path),
    ...receipt,
    /** Without it, and a batch of one: the id that was asked for. */
    id: Type.Optional(path),
  },
  closed,
);
export type ReceiptShape = {
  id?: string;
  state: string;
  states: Record<string, string>;
  error?: string;
  number?: string;
};
export type CallShape = { read: Static<typeof reads>; list?: string; only?: Test[]; check?: Check };
export type Poll = Static<typeof poll>;
export type Callback = Static<typeof callback>;
export type Inbound = Static<typeof inbound>;

export const definition = Type.Object(
  {
    version: Type.Literal(1),
    title: short,
    /** For its readers; the program does not look at it. */
    notes: Type.Optional(Type.String({ maxLength: 500 })),
    /** Where it listens; a carrier may name another. */
    url: Type.String({ maxLength: 500 }),
    /** What `user` and the secrets are called there. */
    credentials: Type.Record(short),
    /** Whether our operator code goes at the end of the text; most Turkish providers add their own. */
    operatorCode: Type.Boolean(),
    /** What the choice of consents of an order is called there, under names of its own: `{{consent:NAME}}`. */
    consents: Type.Optional(
      Type.Record(Type.Object({ none: Type.Unknown(), individual: Type.Unknown(), merchant: Type.Unknown() }, closed)),
    ),
    /** What `coding` is called there. */
    codings: Type.Optional(Type.Object({ gsm7: short, turkish: short, unicode: short }, closed)),
    auth,
    send: request,
    /** ours: the carrier names our own id in its receipts. */
    ids: Type.Enum(['theirs', 'ours']),
    /** The same id again is not sent again: a request without an answer may be repeated. */
    idempotent: Type.Optional(Type.Boolean()),
    answer: Type.Object(
      {
        read: reads,
        rules: Type.Array(rule, { minItems: 1, maxItems: 50 }),
        /** How long one is waited for; default 10. */
        seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
      },
      closed,
    ),
    callback: Type.Optional(callback),
    inbound: Type.Optional(inbound),
    poll: Type.Optional(poll),
  },
  closed,
);
export type Definition = Static<typeof definition>;
