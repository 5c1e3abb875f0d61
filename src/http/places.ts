// The operation and the form that a path below /v1 names. Doubled slashes, letter case, a slash at the end and a query
// are ignored: published clients send all of these.
import { formerOperations } from '../api/former-operations.ts';
import { type Operation, operations } from '../api/operations.ts';
import type { PathForm } from '../api/reading.ts';

/** `operation`: null if there is none, which is answered 404 in the form of the path. */
export type Place = { operation: Operation | null; form: PathForm; methods: readonly string[] };

const root = '/v1';
const places = new Map<string, Place>([...operations, ...formerOperations].flatMap(placesOf));

function placesOf(operation: Operation): [string, Place][] {
  return [operation.path, ...(operation.aliases ?? [])].flatMap((path): [string, Place][] => [
    [`${root}/${path}/json`, { operation, form: 'json', methods: ['POST'] }],
    [`${root}/${path}`, { operation, form: 'xml', methods: ['POST'] }],
    ...(operation.name === 'send-sms'
      ? ([[`${root}/${path}/get`, { operation, form: 'get', methods: ['GET', 'POST'] }]] satisfies [string, Place][])
      : []),
  ]);
}

/** null: not below /v1. The usual spelling costs one look-up in the table. */
export function placeOf(url: string): Place | null {
  const path = pathOf(url);
  return places.get(path) ?? findPlace(path);
}

/** The path without query and trailing slash. */
function pathOf(url: string): string {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

export function queryOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

function findPlace(given: string): Place | null {
  const path = decoded(given)
    // Proxies may send the full URL.
    .replace(/^https?:\/\/[^/]*/i, '')
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '')
    .toLowerCase();
  if (path !== root && !path.startsWith(`${root}/`)) return null;
  return places.get(path) ?? { operation: null, form: path.endsWith('/json') ? 'json' : 'xml', methods: [] };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
