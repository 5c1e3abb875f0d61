// Every number of the specification's Limits section, and further limits that keep memory and tables bounded.
export const limits = {
  recipientsPerOrder: 50_000,
  partsMax: 7,
  consentsPerRequest: 5_000,
  consentAgeMs: 72 * 60 * 60 * 1000,
  rowsPerPage: 1_000,
  ordersPerPage: 30,
  reportRangeDays: 10,
  ipAddresses: 5,
  welcomeCredit: 100,
  duplicateWindowMs: 10 * 60 * 1000,
  idempotencyWindowMs: 24 * 60 * 60 * 1000,
  transactionalRate: 100,
  senderLength: 11,
  badNumberLength: 20,
  // HTTP
  bodyBytes: 32 * 1024 * 1024,
  jsonDepth: 12,
  largeBodyBytes: 64 * 1024,
  // Failed authentications of one address and key in a minute before answers are slowed, and the longest delay.
  authFailuresPerMinute: 20,
  authDelayMaxMs: 2_000,
  // Largest difference between the host's clock and the database's before the operator is warned. Only the database's clock
  // decides anything.
  clockDifferenceMaxMs: 2_000,
  // Messages in one chunk, the unit that a dispatcher leases.
  chunkMessages: 500,
} as const;

/** Rows of a draft's list. */
export const listLimits = {
  rows: 1_000_000,
  pieceRows: 10_000,
  columns: 500,
  cell: 1_000,
  /** Compressed bytes of one draft. */
  bytes: 64 * 1024 * 1024,
} as const;

/** Stores a value as the newest of a map, and removes the oldest if there are more than `most`. */
export function keepNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value!);
}
