// Refusals for people of the panel. The domain names the cause; panel-api/words/errors.ts has the sentences in both
// languages, and the compiler compares its table with this list.
const denialCodes = [
  'address-not-listed',
  'already-member',
  'bad-email',
  'bad-mobile',
  'bad-name',
  'email-taken',
  'invite-gone',
  'last-owner',
  'no-pending-totp',
  'not-found',
  'slow-down',
  'terms-changed',
  'too-many-users',
  'totp-required',
  'weak-password',
  'wrong-code',
  'wrong-credentials',
  'wrong-password',
] as const;
export type DenialCode = (typeof denialCodes)[number];

/** Thrown inside a request and rendered once, in panel-api/call/call.ts. */
export class Denial extends Error {
  readonly code: DenialCode;
  readonly field: string | undefined;
  readonly retryAfterMs: number | undefined;
  constructor(code: DenialCode, field?: string, retryAfterMs?: number) {
    super(code);
    this.code = code;
    this.field = field;
    this.retryAfterMs = retryAfterMs;
  }
}
