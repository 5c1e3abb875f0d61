// A monotonic clock that stands still while a session does not read. Answers cannot arrive then, so their waiting
// time must not run either: otherwise a pause of ours would look like a peer that does not answer.
export class ReadingClock {
  #stoppedTotalMs = 0;
  #stoppedAtMs: number | null = null;

  nowMs(): number {
    return (this.#stoppedAtMs ?? performance.now()) - this.#stoppedTotalMs;
  }

  stop(): void {
    this.#stoppedAtMs ??= performance.now();
  }

  start(): void {
    if (this.#stoppedAtMs === null) return;
    this.#stoppedTotalMs += performance.now() - this.#stoppedAtMs;
    this.#stoppedAtMs = null;
  }
}
