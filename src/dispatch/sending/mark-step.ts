// How far a mark runs ahead of what is written. Whatever lies between the two when a process dies is unsure though it never
// was on the air, and a campaign that is never sent twice loses it: 2,480 of 62,365 messages in a run with slow answers, when
// marks were two windows ahead whatever the carrier did. So the step follows the pace of writing: it doubles when the
// chunk ran dry while the database moved its mark, and is halved for every tenth of a second in which no move was needed.

/** Chunks up to this size are written within one turn and carry a mark for all of themselves from their claim on. */
export const smallChunk = 25;
const leastStep = 5;
const quietMs = 100;

export class MarkStep {
  #step = smallChunk;
  #movedAtMs: number;

  constructor(nowMs: number) {
    this.#movedAtMs = nowMs;
  }

  /** `most`: what the windows of all carriers could take in, shared by the chunks under way. */
  value(most: number, nowMs: number): number {
    const step = Math.min(this.#step, most);
    const quiet = Math.floor((nowMs - this.#movedAtMs) / quietMs);
    return quiet === 0 ? step : Math.max(leastStep, step >> Math.min(quiet, 10));
  }

  /** A mark was moved; `dry`: writing had to wait for it. */
  moved(dry: boolean, most: number, nowMs: number): void {
    const step = this.value(most, nowMs);
    this.#step = dry ? step * 2 : step;
    this.#movedAtMs = nowMs;
  }
}
