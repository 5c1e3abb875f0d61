// The kind of request that nearly all are: POST to the JSON path of an operation over HTTP/1.1, its headers in one piece and each of them
// once, a small body of stated length behind them. Read strictly: what differs in the least is not read here at all but left to Node's parser,
// so there is nothing about which the two could disagree.
import type { Operation } from '../api/operations.ts';
import { limits } from '../limits.ts';
import { jsonOperation } from './places.ts';

export type PlainRequest = { operation: Operation; headers: Record<string, string>; body: Buffer };

const headBytesMax = 4_096;
const start = 'POST /v1/';
const version = ' HTTP/1.1';
const headerLine = /([A-Za-z][A-Za-z0-9-]*): ?([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?\r\n/y;
// Of each of these the server would do something else than hand the body over.
const special = ['transfer-encoding', 'expect', 'upgrade', 'trailer'];

/** 'more': its body is not all there yet. null: of another kind, or not to be told yet. */
export function readPlainRequest(bytes: Buffer): PlainRequest | 'more' | null {
  if (bytes.toString('latin1', 0, start.length) !== start) return null;
  const end = bytes.subarray(0, headBytesMax).indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = bytes.toString('latin1', 0, end + 2);
  const firstEnd = head.indexOf('\r\n');
  const operation = operationOf(head.slice(0, firstEnd));
  const headers = operation && headersOf(head, firstEnd + 2);
  if (!headers) return null;
  const length = lengthOf(headers);
  if (length === null) return null;
  const bodyEnd = end + 4 + length;
  if (bytes.length < bodyEnd) return 'more';
  // Another request behind it: their answers have an order.
  return bytes.length > bodyEnd ? null : { operation, headers, body: bytes.subarray(end + 4) };
}

function operationOf(line: string): Operation | null {
  return line.endsWith(version) ? jsonOperation(line.slice('POST '.length, -version.length)) : null;
}

function headersOf(head: string, from: number): Record<string, string> | null {
  const headers: Record<string, string> = {};
  headerLine.lastIndex = from;
  while (headerLine.lastIndex < head.length) {
    const line = headerLine.exec(head);
    if (!line) return null;
    const name = line[1]!.toLowerCase();
    if (headers[name] !== undefined) return null;
    headers[name] = line[2] ?? '';
  }
  return headers;
}

/** Of the body; null when the server should decide what becomes of the request. */
function lengthOf(headers: Record<string, string>): number | null {
  const length = headers['content-length'];
  const connection = headers['connection'];
  if (length === undefined || !/^\d{1,5}$/.test(length) || Number(length) > limits.largeBodyBytes) return null;
  if (!headers['host'] || special.some(name => headers[name] !== undefined)) return null;
  return connection === undefined || connection.toLowerCase() === 'keep-alive' ? Number(length) : null;
}
