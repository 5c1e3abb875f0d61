// The panel's contract: terms of use, privacy notice, who accepted what.

import { type Static, Type } from '../../contract/type.ts';
import { id, maybe, someText, time } from '../fields.ts';
import { both, nothing, type Operations } from '../shapes.ts';

export const legalKind = Type.Enum(['terms', 'privacy']);
export type LegalKind = Static<typeof legalKind>;
/** Plain text, paragraphs apart by an empty line; never markup. */
export const legalText = Type.Object({
  ...both.properties,
  kind: legalKind,
  version: Type.Number(),
  validFrom: Type.String(),
  /** The program's own, which the operator has yet to replace. */
  isTemplate: Type.Boolean(),
});
export type LegalText = Static<typeof legalText>;
export const acceptance = Type.Object({
  ...legalText.properties,
  acceptedAt: Type.String(),
  address: Type.String(),
});
export type Acceptance = Static<typeof acceptance>;
export const myTexts = Type.Object({
  accepted: Type.Array(acceptance),
  /** In force and to be accepted before anything of the account can be changed. */
  pending: Type.Array(legalText),
});
export type MyTexts = Static<typeof myTexts>;
export const legalVersion = Type.Object({
  ...legalText.properties,
  publishedBy: Type.Nullable(Type.String()),
  publishedAt: Type.String(),
  accepted: Type.Number(),
});
export type LegalVersion = Static<typeof legalVersion>;

const textMax = 60_000;
/** `basedOn`: the newest version the author saw. `validFrom`: now without it. */
const legalPublish = Type.Object({
  kind: legalKind,
  basedOn: id(),
  tr: someText(textMax),
  en: someText(textMax),
  validFrom: maybe(time()),
});

export const legalOperations = {
  'legal.current': {
    input: nothing,
    output: Type.Object({
      texts: Type.Array(legalText),
    }),
  },
  'legal.mine': { input: nothing, output: myTexts },
  /** Of the texts that were shown, their versions: terms are accepted, the privacy notice is acknowledged as read. */
  'legal.accept': { input: Type.Object({ terms: maybe(id()), privacy: maybe(id()) }), output: nothing },
  'staff.legal': {
    input: nothing,
    output: Type.Object({
      versions: Type.Array(legalVersion),
    }),
  },
  /** Error `legal-outdated` when somebody published meanwhile. */
  'staff.publishLegal': {
    input: legalPublish,
    output: Type.Object({
      versions: Type.Array(legalVersion),
    }),
  },
} satisfies Operations;
