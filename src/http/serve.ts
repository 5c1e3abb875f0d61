// One request to one answer, the same for every form the interface speaks: JSON, XML, query string. A form says where its
// request stands, how it is opened and how the answer is written.
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, type ApiServices, answerCall } from '../api/call.ts';
import { closeEnvelope, type Members, openJson, type ResponseBody } from '../api/envelope.ts';
import type { Operation } from '../api/operations.ts';
import type { Log } from '../log.ts';
import { requestSeconds } from '../metrics.ts';
import { Overloaded } from '../orders/order-line.ts';
import { Refusal, type StatusCode } from '../status.ts';

export type WireForm = {
  contentType: string;
  body(request: FastifyRequest): Buffer;
  open(contentType: string | undefined, body: Buffer): Members;
  write(body: ResponseBody): string;
};

export const jsonForm: WireForm = {
  contentType: 'application/json; charset=utf-8',
  body: bodyOf,
  open: openJson,
  write: body => JSON.stringify(body),
};

const retryAfterSeconds = '1';

export async function serve(
  services: ApiServices,
  operation: Operation,
  form: WireForm,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const answer = await answerTo(services, operation, form, request.headers, request.ip, form.body(request));
  return send(reply, form, answer.code, answer.body);
}

/** The answer, counted and timed. */
export async function answerTo(
  services: ApiServices,
  operation: Operation,
  form: WireForm,
  headers: IncomingHttpHeaders,
  address: string,
  body: Buffer,
): Promise<Answer> {
  const began = performance.now();
  const key = headers['idempotency-key'];
  const answer = await answerCall(services, operation, {
    open: () => form.open(headers['content-type'], body),
    body,
    address,
    agent: headers['user-agent'] ?? '',
    idempotencyKey: Array.isArray(key) ? key[0] : key,
  });
  const seconds = (performance.now() - began) / 1_000;
  requestSeconds.observe({ operation: operation.name, code: String(answer.code) }, seconds);
  return answer;
}

export function bodyOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

export function send(
  reply: FastifyReply,
  form: WireForm,
  code: StatusCode,
  body: ResponseBody = closeEnvelope(code),
): FastifyReply {
  return reply.code(code).headers(answerHeaders(form, code)).send(form.write(body));
}

export function answerHeaders({ contentType }: WireForm, code: StatusCode): Record<string, string> {
  const headers = { 'content-type': contentType, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  return code === 503 ? { ...headers, 'retry-after': retryAfterSeconds } : headers;
}

/** For what goes wrong before or beside the operation: a body that cannot be read, a fault of ours (logged here). */
export function faultSender(log: Log, form: WireForm) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    send(reply, form, faultCode(log, request.url, error));
}

export function faultCode(log: Log, url: string, error: unknown): StatusCode {
  if (error instanceof Refusal) return error.code;
  if (error instanceof Overloaded) return 503;
  // The framework's own refusals of a request, such as 415 for a content type that is none.
  const status = (error as { statusCode?: number }).statusCode ?? 500;
  if (status >= 400 && status < 500) return 400;
  log.error({ path: url.split('?')[0], error: (error as Error).message }, 'request failed');
  return 503;
}
