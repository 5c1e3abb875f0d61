// From the description of a request and values to the request itself.

import type { Definition, RequestShape } from '../../carriers/http/definition.ts';
import { type Filling, fill, fillPairs, type Values } from '../../carriers/http/placeholders.ts';
import { contentTypes, writeBody } from './body.ts';
import type { HttpMessage } from './exchange.ts';

export function makeRequest(
  shape: RequestShape,
  auth: Definition['auth'],
  values: Values,
  filling: Filling = {},
): HttpMessage {
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
    // A value in a path is one part of it, whatever it holds.
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
