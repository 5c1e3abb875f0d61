// Everything below /v1, in all its forms. The server (made by the framework's server factory) passes these requests
// here before the framework sees them, which saves 15 of the 100 µs that a single send costs in this process, and lets
// us handle malformed content types. The framework serves everything else (panel, health, unknown paths).
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, ApiServices } from '../api/call.ts';
import { closeEnvelope } from '../api/envelope.ts';
import { type AnswerForm, answerForm, type Reading, readingOf } from '../api/reading.ts';
import { reasonPhrase } from '../status.ts';
import { type Body, type BodyRules, passBody, readBody } from './body.ts';
import { type Place, placeOf, queryOf } from './places.ts';
import { answerHeaders, answerTo, faultCode, forms } from './serve.ts';

/** Returns whether the request was below /v1. */
export type Direct = (message: IncomingMessage, response: ServerResponse) => boolean;

/** The caller's address, also behind a trusted proxy. */
export type AddressOf = (message: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

type DirectOptions = {
  rules: BodyRules;
  addressOf: AddressOf;
  isClosing(): boolean;
};

export function direct(services: ApiServices, options: DirectOptions): Direct {
  return (message, response) => {
    const place = placeOf(message.url!);
    if (!place) return false;
    void answer(services, options, place, message, response);
    return true;
  };
}

const nothing: Body = { bytes: Buffer.alloc(0), hold: null };

async function answer(
  services: ApiServices,
  { rules, addressOf, isClosing }: DirectOptions,
  place: Place,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let form = answerForm(place.form, message.headers['content-type']);
  let given: Answer;
  let body: Body = nothing;
  try {
    const { operation } = place;
    const isServed = operation !== null && place.methods.includes(message.method!);
    const address = addressOf(message);
    body = isServed ? await readBody(message, rules, address) : { bytes: await passBody(message), hold: null };
    const reading = readingFor(place, message, body.bytes);
    form = reading.answer;
    given = isServed
      ? await answerTo(services, operation, reading.open, message.headers, address, wholeOf(place, message, body))
      : { code: 404, body: closeEnvelope(404) };
  } catch (error) {
    const code = faultCode(services.log, message.url!, error);
    given = { code, body: closeEnvelope(code) };
  } finally {
    body.hold?.leave();
  }
  // The rest of an abandoned body is not read. While the server closes, each answer ends its connection: idle ones
  // would delay the stop for as long as they are kept alive.
  if (!message.complete || isClosing()) response.shouldKeepAlive = false;
  write(response, form, given);
}

function readingFor(place: Place, message: IncomingMessage, body: Buffer): Reading {
  const query = place.form === 'get' ? queryOf(message.url!) : '';
  return readingOf(place.form, { contentType: message.headers['content-type'], query, body });
}

/** The request that an idempotency key identifies; it includes the fields of the query string. */
function wholeOf({ form }: Place, message: IncomingMessage, { bytes, hold }: Body): Body {
  if (form !== 'get') return { bytes, hold };
  const query = Buffer.from(queryOf(message.url!), 'latin1');
  return { bytes: bytes.length ? Buffer.concat([query, Buffer.from('&'), bytes]) : query, hold };
}

// Response headers as Node expects them, one list for each form: normal and for errors.
const heads = {
  json: { usual: flat('json', 200), trouble: flat('json', 503) },
  xml: { usual: flat('xml', 200), trouble: flat('xml', 503) },
} satisfies Record<AnswerForm, unknown>;

function flat(form: AnswerForm, code: 200 | 503): string[] {
  return Object.entries(answerHeaders(form, code)).flat();
}

export function write(response: ServerResponse, form: AnswerForm, { code, body, traceparent }: Answer): void {
  const text = forms[form].write(body);
  const headers = code === 503 ? heads[form].trouble : heads[form].usual;
  const phrase = reasonPhrase(code, body.response.status.message);
  const length = ['content-length', String(Buffer.byteLength(text))];
  const trace = traceparent === undefined ? [] : ['traceparent', traceparent];
  response.writeHead(code, phrase, [...headers, ...length, ...trace]);
  response.end(text);
}
