// Everything below /v1, in all its forms. Node's server hands it here before the framework sees it, which saves 15 of the
// 100 µs that a single send costs in this process, and leaves broken content types to us. Everything else (panel, health,
// unknown paths) is the framework's.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, ApiServices } from '../api/call.ts';
import { closeEnvelope } from '../api/envelope.ts';
import { type AnswerForm, answerForm, type Reading, readingOf } from '../api/reading.ts';
import { reasonPhrase } from '../status.ts';
import type { Admission } from './admission.ts';
import { announcedBytes, readBody } from './body.ts';
import { type Place, placeOf, queryOf } from './places.ts';
import { answerHeaders, answerTo, faultCode, forms } from './serve.ts';

/** Whether the request was one of ours. */
export type Direct = (message: IncomingMessage, response: ServerResponse) => boolean;

export type DirectOptions = {
  admission: Admission;
  /** The caller's address, also behind a trusted proxy. */
  addressOf(message: IncomingMessage): string;
  isClosing(): boolean;
};

export function direct(services: ApiServices, options: DirectOptions): Direct {
  return (message, response) => {
    const place = placeOf(message.url!);
    if (!place) return false;
    // While the server closes, what arrives on a connection that is still open is its last.
    if (options.isClosing()) response.shouldKeepAlive = false;
    void answer(services, options, place, message, response);
    return true;
  };
}

async function answer(
  services: ApiServices,
  { admission, addressOf }: DirectOptions,
  place: Place,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let leave = () => {};
  let form = answerForm(place.form, message.headers['content-type']);
  let given: Answer;
  try {
    leave = await admission.enter(announcedBytes(message));
    const body = await readBody(message);
    const reading = readingFor(place, message, body);
    form = reading.answer;
    given = await answerReading(services, place, message, addressOf(message), reading, body);
  } catch (error) {
    const code = faultCode(services.log, message.url!, error);
    given = { code, body: closeEnvelope(code) };
  } finally {
    leave();
  }
  write(response, form, given);
}

function readingFor(place: Place, message: IncomingMessage, body: Buffer): Reading {
  const query = place.form === 'get' ? queryOf(message.url!) : '';
  return readingOf(place.form, { contentType: message.headers['content-type'], query, body });
}

async function answerReading(
  services: ApiServices,
  { operation, form, methods }: Place,
  message: IncomingMessage,
  address: string,
  reading: Reading,
  body: Buffer,
): Promise<Answer> {
  if (!operation || !methods.includes(message.method!)) return { code: 404, body: closeEnvelope(404) };
  // What an idempotency key stands for: the fields behind the question mark are part of it.
  const whole = form === 'get' ? Buffer.concat([Buffer.from(`${queryOf(message.url!)}&`, 'latin1'), body]) : body;
  return answerTo(services, operation, reading.open, message.headers, address, whole);
}

// As Node wants them, once for each form: usual and in trouble.
const heads = {
  json: { usual: flat('json', 200), trouble: flat('json', 503) },
  xml: { usual: flat('xml', 200), trouble: flat('xml', 503) },
} satisfies Record<AnswerForm, unknown>;

function flat(form: AnswerForm, code: 200 | 503): string[] {
  return Object.entries(answerHeaders(form, code)).flat();
}

function write(response: ServerResponse, form: AnswerForm, { code, body }: Answer): void {
  const text = forms[form].write(body);
  const headers = code === 503 ? heads[form].trouble : heads[form].usual;
  const phrase = reasonPhrase(code, body.response.status.message);
  response.writeHead(code, phrase, [...headers, 'content-length', String(Buffer.byteLength(text))]);
  response.end(text);
}
