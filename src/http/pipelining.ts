// Limits pipelined requests. Node stops reading when answers pile up, but only after the bytes that it has read: 64 kB hold 1,500 short
// requests, and as many answers of 100 kB kept the process busy for seconds and filled its memory. So the number of requests in flight on a
// connection is bounded; no known client comes near the limit.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { refuse } from './broken.ts';

const underWayMax = 32;

/**
 * Returns whether a request may be processed. The first one above the limit gets 503 after the answers before it, and
 * the connection ends.
 */
export function pipelining(): (message: IncomingMessage, response: ServerResponse) => boolean {
  const underWay = new WeakMap<Socket, number>();
  return (message, response) => {
    const { socket } = message;
    const count = (underWay.get(socket) ?? 0) + 1;
    underWay.set(socket, count);
    if (count <= underWayMax) response.once('close', () => underWay.set(socket, underWay.get(socket)! - 1));
    else if (count === underWayMax + 1) refuse(message, response, 503);
    return count <= underWayMax;
  };
}
