// Outcomes of a registry request. Each is a value: the sync worker decides by `kind`, and no answer of the registry can make it
// throw.
export type RegistryError = { code: string; message: string; index?: number };

/**
 * `scope` names the cause: this record, our call as a whole, the brand's subscription, or its quota. None of a refused batch's
 * records were taken; `errors` names those to leave out before the rest is sent again.
 */
export type Refused = {
  kind: 'refused';
  scope: 'record' | 'request' | 'subscription' | 'quota';
  code: string;
  message: string;
  index?: number;
  errors: RegistryError[];
};
/** The registry, or our own pace, asks to wait. Nothing was done. */
export type Later = { kind: 'later'; code: string; afterMs: number };
/** No usable answer. `mayHaveArrived`: the request may have been carried out, so repeat it only in the idempotent form. */
export type Unreachable = { kind: 'unreachable'; why: string; mayHaveArrived: boolean };
/** The login or the token was refused, even after a new token. */
export type Unauthorised = { kind: 'unauthorised' };

export type Failed = Refused | Later | Unreachable | Unauthorised;
export type Outcome<T> = ({ kind: 'ok' } & T) | Failed;
