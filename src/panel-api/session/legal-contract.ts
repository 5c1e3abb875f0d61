// Shapes of the panel's contract: terms of use, privacy notice, who accepted what. Types only.
import type { Both } from '../contract.ts';

export type LegalKind = 'terms' | 'privacy';
/** Plain text, paragraphs apart by an empty line; never markup. */
export type LegalText = Both & {
  kind: LegalKind;
  version: number;
  validFrom: string;
  /** The program's own, which the operator has yet to replace. */
  isTemplate: boolean;
};
export type Acceptance = LegalText & { acceptedAt: string; address: string };
export type MyTexts = {
  accepted: Acceptance[];
  /** In force and to be accepted before anything of the account can be changed. */
  pending: LegalText[];
};
export type LegalVersion = LegalText & { publishedBy: string | null; publishedAt: string; accepted: number };
/** `basedOn`: the newest version the author saw. `validFrom`: now without it. */
export type LegalPublish = { kind: LegalKind; basedOn: number; tr: string; en: string; validFrom?: string };
