// Contract of the panel: terms of use, privacy notice, who accepted what.

import { type Static, Type } from '../../contract/type.ts';
import { id, maybe, someText, time } from '../contract/fields.ts';
import { both, nothing, type Operations } from '../contract/shapes.ts';

const legalKind = Type.Enum(['terms', 'privacy']);
export type LegalKind = Static<typeof legalKind>;
/** Text without markup; an empty line separates paragraphs. */
const legalText = Type.Object({
  ...both.properties,
  kind: legalKind,
  version: Type.Number(),
  validFrom: Type.String(),
  /** The program's default text, which the operator should replace. */
  isTemplate: Type.Boolean(),
});
export type LegalText = Static<typeof legalText>;
const acceptance = Type.Object({
  ...legalText.properties,
  acceptedAt: Type.String(),
  address: Type.String(),
});
const myTexts = Type.Object({
  accepted: Type.Array(acceptance),
  /** In force; must be accepted before anything of the account can be changed. */
  pending: Type.Array(legalText),
});
const legalVersion = Type.Object({
  ...legalText.properties,
  publishedBy: Type.Nullable(Type.String()),
  publishedAt: Type.String(),
  accepted: Type.Number(),
});

const textMax = 60_000;
/** `basedOn`: the newest version the author saw. `validFrom` defaults to now. */
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
  /** The versions of the shown texts: terms are accepted, the privacy notice is acknowledged. */
  'legal.accept': { input: Type.Object({ terms: maybe(id()), privacy: maybe(id()) }), output: nothing },
  'staff.legal': {
    input: nothing,
    output: Type.Object({
      versions: Type.Array(legalVersion),
    }),
  },
  /** Error `legal-outdated` if another version was published meanwhile. */
  'staff.publishLegal': {
    input: legalPublish,
    output: Type.Object({
      versions: Type.Array(legalVersion),
    }),
  },
} satisfies Operations;
