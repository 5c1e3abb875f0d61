// Loaded before a program whose host has a wrong clock: PEYK_TEST_SKEW_MS ahead (negative: behind). Only the wall clock is
// wrong, not timers and the monotonic clock.
const skewMs = Number(process.env.PEYK_TEST_SKEW_MS);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + skewMs);
    else super(...given);
  }
  static now() {
    return RealDate.now() + skewMs;
  }
};
