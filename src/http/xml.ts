// The XML form: every operation at its path without /json, and send-sms/get with its order in the query string. All
// that goes wrong at these paths is told in XML too.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiServices } from '../api/call.ts';
import { formType } from '../api/form-fields.ts';
import { openGetForm } from '../api/get-form.ts';
import { type Operation, operations } from '../api/operations.ts';
import { openXml } from '../api/xml.ts';
import { closeXml } from '../api/xml-write.ts';
import { bodyOf, faultSender, serve, type WireForm } from './serve.ts';

const xmlForm: WireForm = { contentType: 'text/xml; charset=utf-8', body: bodyOf, open: openXml, write: closeXml };

const getForm: WireForm = { ...xmlForm, body: encodedFields, open: (_contentType, body) => openGetForm(body) };

export function addXml(server: FastifyInstance, services: ApiServices): void {
  const add = (method: string[], path: string, operation: Operation, form: WireForm) =>
    server.route({
      method,
      url: `/v1/${path}`,
      errorHandler: faultSender(services.log, form),
      handler: (request, reply) => serve(services, operation, form, request, reply),
    });
  for (const operation of operations) {
    for (const path of [operation.path, ...(operation.aliases ?? [])]) add(['POST'], path, operation, xmlForm);
    if (operation.name === 'send-sms') add(['GET', 'POST'], `${operation.path}/get`, operation, getForm);
  }
}

/** Some clients post this form, with the fields behind the question mark or in the body. */
function encodedFields(request: FastifyRequest): Buffer {
  const url = request.raw.url ?? '';
  const mark = url.indexOf('?');
  const query = Buffer.from(mark < 0 ? '' : url.slice(mark + 1), 'latin1');
  const body = formType.test(request.headers['content-type'] ?? '') ? bodyOf(request) : Buffer.alloc(0);
  return body.length ? Buffer.concat([query, Buffer.from('&'), body]) : query;
}
