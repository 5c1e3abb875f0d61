// Requests that Node's parser and server would refuse with a bare reply or none: bytes that are not HTTP, a missing
// Host, an unknown expectation, CONNECT. They get the envelope, as XML if the path is an XML one, as long as the
// connection can still carry an answer.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeEnvelope } from '../api/envelope.ts';
import { type AnswerForm, answerForm } from '../api/reading.ts';
import { reasonPhrase, type StatusCode } from '../status.ts';
import { write } from './direct.ts';
import { placeOf } from './places.ts';
import { forms } from './serve.ts';

export function answerOddRequests(server: Server): void {
  server.on('checkExpectation', (message, response) => refuse(message, response, 400));
  server.on('connect', (_message, socket) => writeBare(socket as Socket, 'json', 404));
}

/** HTTP/1.1 requires a Host; older versions do not. */
export function isHostless(message: IncomingMessage): boolean {
  return message.headers.host === undefined && message.httpVersion === '1.1';
}

export function refuse(message: IncomingMessage, response: ServerResponse, code: StatusCode): void {
  // A body of the request is not read.
  response.shouldKeepAlive = false;
  write(response, formOf(message.url!, message.headers['content-type']), { code, body: closeEnvelope(code) });
}

type Answering = Socket & { _httpMessage?: (ServerResponse & { req: IncomingMessage }) | null };

/** The answer to an earlier request of this connection goes first. */
export function clientErrorHandler(error: Error & { rawPacket?: unknown }, socket: Answering): void {
  const earlier = socket._httpMessage;
  if (earlier?.req.complete) {
    earlier.once('finish', () => clientErrorHandler(error, socket));
    return;
  }
  if (!socket.writable || earlier?.headersSent) return void socket.destroy();
  writeBare(socket, formOfFirstLine(error.rawPacket), 400);
}

function writeBare(socket: Socket, form: AnswerForm, code: StatusCode): void {
  const { contentType, write: print } = forms[form];
  const envelope = closeEnvelope(code);
  const body = print(envelope);
  socket.end(
    `HTTP/1.1 ${code} ${reasonPhrase(code, envelope.response.status.message)}\r\nContent-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function formOfFirstLine(packet: unknown): AnswerForm {
  const start = Buffer.isBuffer(packet) ? packet.toString('latin1', 0, 1_000) : '';
  const url = /^[A-Z]+ (\S+)/.exec(start)?.[1];
  return url ? formOf(url, undefined) : 'json';
}

function formOf(url: string, contentType: string | undefined): AnswerForm {
  const place = placeOf(url);
  return place ? answerForm(place.form, contentType) : 'json';
}
