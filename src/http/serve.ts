// One request to one answer, the same for every form of the interface; and how an answer is written.
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Overloaded } from '../accept/order-line.ts';
import { type Answer, type ApiServices, answerCall, type Incoming } from '../api/call.ts';
import { closeEnvelope, type ResponseBody } from '../api/envelope.ts';
import { authorizationOf } from '../api/header-credentials.ts';
import type { Operation } from '../api/operations.ts';
import type { AnswerForm } from '../api/reading.ts';
import { endTrace } from '../api/trace-call.ts';
import { closeXml } from '../api/xml-write.ts';
import type { Log } from '../log.ts';
import { requestSeconds } from '../metrics/metrics.ts';
import { Refusal, reasonPhrase, type StatusCode } from '../status.ts';
import { beginTrace, tracing } from '../tracing/tracer.ts';
import type { Hold } from './admission.ts';
import type { Body } from './body.ts';

export const forms: Record<AnswerForm, { contentType: string; write(body: ResponseBody): string }> = {
  json: { contentType: 'application/json; charset=utf-8', write: body => JSON.stringify(body) },
  xml: { contentType: 'text/xml; charset=utf-8', write: closeXml },
};

const retryAfterSeconds = '1';

/** Answers the request, counts it and measures its time. */
export async function answerTo(
  services: ApiServices,
  operation: Operation,
  open: Incoming['open'],
  headers: IncomingHttpHeaders,
  address: string,
  { bytes, hold }: Body,
): Promise<Answer> {
  const began = performance.now();
  const trace = tracing.now && beginTrace(oneOf(headers['traceparent']));
  const answer = await answerCall(services, operation, {
    open,
    hold,
    body: bytes,
    address,
    agent: headers['user-agent'] ?? '',
    authorization: authorizationOf(headers),
    idempotencyKey: oneOf(headers['idempotency-key']),
  });
  const seconds = (performance.now() - began) / 1_000;
  requestSeconds.observe({ operation: operation.name, code: String(answer.code) }, seconds);
  return trace ? endTrace(services, operation, trace, seconds, answer) : answer;
}

export function oneOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/**
 * Members of the framework's request besides its body: the memory that a large body occupies, and whether its sender
 * was authenticated early.
 */
export type Carrying = FastifyRequest & { hold?: Hold | null; isKnown?: boolean };

export function bodyOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/** Sends a status in the JSON envelope over the framework. */
export function send(reply: FastifyReply, code: StatusCode): FastifyReply {
  const body = closeEnvelope(code);
  reply.raw.statusMessage = reasonPhrase(code, body.response.status.message);
  return reply.code(code).headers(answerHeaders('json', code)).send(forms.json.write(body));
}

export function answerHeaders(form: AnswerForm, code: StatusCode): Record<string, string> {
  const { contentType } = forms[form];
  const headers = { 'content-type': contentType, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  return code === 503 ? { ...headers, 'retry-after': retryAfterSeconds } : headers;
}

/** For errors in the framework: an unreadable body, or a fault of the program (logged here). */
export function faultSender(log: Log) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    send(reply, faultCode(log, request.url, error));
}

export function faultCode(log: Log, url: string, error: unknown): StatusCode {
  if (error instanceof Refusal) return error.code;
  if (error instanceof Overloaded) return 503;
  // Refusals of the framework itself, such as 415 for an invalid content type.
  const status = (error as { statusCode?: number }).statusCode ?? 500;
  if (status >= 400 && status < 500) return 400;
  log.error({ path: url.split('?')[0], error: (error as Error).message }, 'request failed');
  return 503;
}
