// Reads a request body up to the limit. What is too large is still read to its end, unstored and for a bounded time, so
// that the sender sees our answer instead of a reset connection.
import type { IncomingMessage } from 'node:http';
import { limits } from '../limits.ts';
import { Refusal } from '../status.ts';

const drainMaxBytes = 512 * 1024 * 1024;
const readMaxMs = 60_000;

export function readBody(message: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    // Small ones are watched by the server's own clock.
    const isLarge = announcedBytes(message) > limits.largeBodyBytes;
    const timer = isLarge ? setTimeout(() => finish(new Refusal(400)), readMaxMs) : undefined;
    const finish = (error?: Error) => {
      clearTimeout(timer);
      message.off('data', onData);
      if (error) reject(error);
      else resolve(parts.length === 1 ? parts[0]! : Buffer.concat(parts));
    };
    const onData = (part: Buffer) => {
      bytes += part.length;
      if (bytes <= limits.bodyBytes) parts.push(part);
      else parts.length = 0;
      if (bytes > drainMaxBytes) finish(new Refusal(400));
    };
    message.on('data', onData);
    message.once('end', () => finish(bytes > limits.bodyBytes ? new Refusal(400) : undefined));
    message.once('error', finish);
    message.once('aborted', () => finish(new Refusal(400)));
  });
}

/** What the sender says it will send; an unknown length counts as the largest. */
export function announcedBytes(message: IncomingMessage): number {
  const length = message.headers['content-length'];
  if (length !== undefined) return Math.min(Number(length) || 0, limits.bodyBytes);
  return message.headers['transfer-encoding'] ? limits.bodyBytes : 0;
}
