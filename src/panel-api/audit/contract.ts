// Shapes of the panel's contract: who did what. Types only.

export type AuditFilter = { actor?: string; action?: string; from?: string; to?: string; cursor?: string };
export type AuditLine = {
  id: number;
  at: string;
  accountId: number | null;
  /** E-mail address, 'işletmeci' for staff seen by a customer, or a word for the command line. */
  actor: string;
  action: string;
  detail: Record<string, unknown>;
  address: string | null;
};
