// Dependencies of the pump.
import type { Log } from '../log.ts';
import type { ChunkProgress } from '../queue/chunk-progress.ts';
import type { Recorder } from '../receipts/recorder.ts';
import type { Flight } from './flight.ts';
import type { Router } from './links/router.ts';
import type { Templates } from './links/submit.ts';

export type PumpParts = {
  router: Router<Flight>;
  recorder: Recorder;
  progress: ChunkProgress;
  templates: Templates;
  log: Log;
  mayWrite(): boolean;
  /** Called when a chunk is close to its mark, or done: the claimer looks for work. */
  onNeed(): void;
  unsureHoldMs: number;
};
