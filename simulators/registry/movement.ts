// A record as the registry holds it, and an address with everything that was recorded about it.
export type Origin = { requestId: string; subRequestId: string };
export type Movement = {
  brandCode: number;
  recipient: string;
  recipientType: string;
  type: string;
  status: string;
  /** Absent if a merchant's first record came without one. */
  source?: string;
  consentDate: string;
  creationDate: string;
  transactionId: string;
  createdMs: number;
  seq: number;
  origin?: Origin;
  /** The date as it was sent, if any: a repeat must equal what was sent, not what was filled in. */
  sentDate?: string;
};
export type Address = { current: Movement; movements: Movement[] };
