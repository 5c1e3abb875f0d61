// What can come of asking the registry. Every outcome is a value: the sync worker decides what to do with a record by
// `kind`, and nothing the registry sends can make it throw.
export type RegistryError = { code: string; message: string; index?: number };

/**
 * `scope` says whose fault it is: this record, our call as a whole, the brand's subscription, or its quota. A refused
 * batch took none of its records; `errors` names those to leave out before the rest is sent again.
 */
export type Refused = {
  kind: 'refused';
  scope: 'record' | 'request' | 'subscription' | 'quota';
  code: string;
  message: string;
  index?: number;
  errors: RegistryError[];
};
/** The registry, or our own pace, asks for patience. Nothing was done. */
export type Later = { kind: 'later'; code: string; afterMs: number };
/** No usable answer. `mayHaveArrived`: the request may have been worked on, so repeat it only by the idempotent form. */
export type Unreachable = { kind: 'unreachable'; why: string; mayHaveArrived: boolean };
/** The login or the token was not accepted, even after a new one. */
export type Unauthorised = { kind: 'unauthorised' };

export type Failed = Refused | Later | Unreachable | Unauthorised;
export type Outcome<T> = ({ kind: 'ok' } & T) | Failed;
