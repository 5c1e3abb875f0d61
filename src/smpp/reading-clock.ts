// A monotonic clock that stops while a session does not read. No answer can arrive meanwhile, so waiting times must stop too:
// otherwise our own pause would look like a peer that does not answer.
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
