// Shapes of the panel's contract: lists as files. Types only.
import type { ExportKind, Language } from '../contract.ts';

export type ExportAsked = {
  kind: ExportKind;
  format: 'csv' | 'xlsx';
  language: Language;
  /** The members of the list's filter. */
  filter: Record<string, unknown>;
};
export type ExportLine = {
  id: number;
  kind: ExportKind;
  format: 'csv' | 'xlsx';
  state: 'waiting' | 'running' | 'ready' | 'failed';
  rows: number;
  bytes: number;
  createdAt: string;
  /** null while it is being made. */
  expiresAt: string | null;
  isFetched: boolean;
};
