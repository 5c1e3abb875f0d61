// Shapes of the panel's contract: the balance and its movements. Types only.

export type BalanceView = {
  sms: number;
  amount: string;
  /** Held for messages under way. */
  reserved: number;
  /** Credits used per day, oldest first (Turkey days). */
  daily: { day: string; used: number }[];
};
/** `correct`: delivered after its credit had gone back, and so taken again. */
export type LedgerKind = 'grant' | 'reserve' | 'consume' | 'release' | 'correct';
export type LedgerFilter = {
  kind?: LedgerKind;
  orderId?: number;
  from?: string;
  to?: string;
  /** One line per order instead of one per movement; with a `kind` it changes nothing. */
  byOrder?: boolean;
  cursor?: string;
};
export type LedgerLine = {
  id: number;
  at: string;
  kind: LedgerKind;
  sms: number;
  reserved: number;
  amount: string;
  /** Spendable credits after this entry; null for a line that sums up an order. */
  balanceAfter: number | null;
  /** What became of the order's credits: the four are whole, reserved = consumed + released + held. */
  order: { reserved: number; consumed: number; released: number; held: number } | null;
  orderId: number | null;
  reason: string | null;
  actor: string | null;
};
