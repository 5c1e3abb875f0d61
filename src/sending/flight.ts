// A submit in flight. `writtenMs` is of the monotonic clock.
import type { ChunkRun } from './chunk-run.ts';

export type Flight = { run: ChunkRun; index: number; part: number; parts: number; writtenMs: number };
