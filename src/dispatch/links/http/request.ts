// From the description of a request and values to the request itself.
import { contentTypes, writeBody } from './body.ts';
import type { Definition, RequestShape } from './definition.ts';
import type { HttpMessage } from './exchange.ts';
import { fill, fillPairs, type Values } from './placeholders.ts';

export function makeRequest(
  shape: RequestShape,
  auth: Definition['auth'],
  values: Values,
  ids: string[] = [],
): HttpMessage {
  const body = writeBody(shape.body, values, ids);
  const type = shape.type ?? contentTypes[shape.body.kind];
  const pairs = [
    ...fillPairs(shape.query ?? {}, values),
    ...(auth.kind === 'query' ? fillPairs(auth.pairs, values) : []),
  ];
  const query = new URLSearchParams(pairs).toString();
  return {
    method: shape.method,
    path: fillPath(shape.path, values) + (query && `?${query}`),
    headers: {
      accept: '*/*',
      'user-agent': 'peyk',
      ...(body ? { 'content-type': type } : {}),
      ...Object.fromEntries(fillPairs(shape.headers ?? {}, values)),
      ...authHeaders(auth, values),
    },
    body,
  };
}

/** A value in a path is one part of it, whatever it holds. */
function fillPath(path: string, values: Values): string {
  const encoded = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encodeURIComponent(value)]));
  return fill(path, encoded) ?? '';
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
