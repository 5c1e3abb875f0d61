// Makes a request from its description and values.

import type { Definition, RequestShape } from '../../carriers/http/definition.ts';
import { type Filling, fill, fillPairs, type Values } from '../../carriers/http/placeholders.ts';
import type { HttpRequest } from '../../http-client/http-client.ts';
import { contentTypes, writeBody } from './body.ts';

export function makeRequest(
  shape: RequestShape,
  auth: Definition['auth'],
  values: Values,
  filling: Filling = {},
): HttpRequest {
  const body = writeBody(shape.body, values, filling);
  const type = shape.type ?? contentTypes[shape.body.kind];
  const pairs = [
    ...fillPairs(shape.query ?? {}, values),
    ...(auth.kind === 'query' ? fillPairs(auth.pairs, values) : []),
  ];
  const query = pairs.length === 0 ? '' : new URLSearchParams(pairs).toString();
  const headers: Record<string, string> = { accept: '*/*', 'user-agent': 'peyk' };
  if (body !== null) headers['content-type'] = type;
  for (const [name, value] of fillPairs(shape.headers ?? {}, values)) headers[name] = value;
  return {
    method: shape.method,
    // Escaped, so that a value is always one part of the path.
    path: (fill(shape.path, values, encodeURIComponent) ?? '') + (query && `?${query}`),
    headers: Object.assign(headers, authHeaders(auth, values)),
    body,
  };
}

function authHeaders(auth: Definition['auth'], values: Values): Record<string, string> {
  const filled = (text: string) => fill(text, values) ?? '';
  switch (auth.kind) {
    case 'basic':
      return { authorization: basicHeader(filled(auth.user), filled(auth.password)) };
    case 'bearer':
      return { authorization: `Bearer ${filled(auth.token)}` };
    case 'header':
      return { [auth.name.toLowerCase()]: filled(auth.value) };
    case 'token':
      return values['token'] ? { authorization: `Bearer ${values['token']}` } : {};
    default:
      return {};
  }
}

export function basicHeader(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
