// How many messages a chunk has at most.
import { limits } from '../limits.ts';

/** On the paced lane a chunk is at most a second's worth, so that a one-time code waits no longer than that behind it. */
export function chunkSize(request: { lane: number; rate: number }): number {
  return request.lane === 1 ? limits.chunkMessages : Math.max(10, Math.min(limits.chunkMessages, request.rate));
}
