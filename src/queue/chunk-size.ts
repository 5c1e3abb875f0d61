// The size of a chunk, and how many messages are written in one turn.
import { limits } from '../limits.ts';

/** Chunks up to this size are written within one turn. */
export const smallChunk = 25;

/** On the paced lane at most a quarter of a second's worth, which is as much as a large order gets at once (grant_messages). */
export function chunkSize(request: { lane: number; rate: number }): number {
  return request.lane === 1
    ? limits.chunkMessages
    : Math.max(10, Math.min(limits.chunkMessages, Math.ceil(request.rate / 4)));
}
