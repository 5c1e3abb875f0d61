// One request to one answer, the same for every form the interface speaks: JSON, XML, query string. A form says where its
// request stands, how it is opened and how the answer is written.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiServices, answerCall } from '../api/call.ts';
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
  const began = process.hrtime.bigint();
  const body = form.body(request);
  const key = request.headers['idempotency-key'];
  const answer = await answerCall(services, operation, {
    open: () => form.open(request.headers['content-type'], body),
    body,
    address: request.ip,
    agent: request.headers['user-agent'] ?? '',
    idempotencyKey: Array.isArray(key) ? key[0] : key,
  });
  requestSeconds.observe(
    { operation: operation.name, code: String(answer.code) },
    Number(process.hrtime.bigint() - began) / 1e9,
  );
  return send(reply, form, answer.code, answer.body);
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
  if (code === 503) reply.header('retry-after', retryAfterSeconds);
  return reply
    .code(code)
    .header('content-type', form.contentType)
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .send(form.write(body));
}

/** For what goes wrong before or beside the operation: a body that cannot be read, a fault of ours (logged here). */
export function faultSender(log: Log, form: WireForm) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof Refusal) return send(reply, form, error.code);
    if (error instanceof Overloaded) return send(reply, form, 503);
    // The framework's own refusals of a request, such as 415 for a content type that is none.
    const status = (error as { statusCode?: number }).statusCode ?? 500;
    if (status >= 400 && status < 500) return send(reply, form, 400);
    log.error({ path: request.url.split('?')[0], error: (error as Error).message }, 'request failed');
    return send(reply, form, 503);
  };
}
