// Types that several contracts of the panel share.
import { type Static, type TObject, type TSchema, Type } from '../../contract/type.ts';
import { memberRoles } from './facts.ts';

/** A part of the contract: input and answer of each operation. */
export type Operations = Record<string, { input: TObject; output: TSchema }>;

export const nothing = Type.Object({});
export const language = Type.Enum(['tr', 'en']);
export type Language = Static<typeof language>;
export const memberRole = Type.Enum(memberRoles);
export const mode = Type.Enum(['english', 'turkish', 'unicode']);
export type Mode = Static<typeof mode>;
export const both = Type.Object({ tr: Type.String(), en: Type.String() });
export type Both = Static<typeof both>;

export const paged = <T extends TSchema>(line: T) =>
  Type.Object({ rows: Type.Array(line), next: Type.Nullable(Type.String()) });

export const panelError = Type.Object({
  ...both.properties,
  /** A word (`wrong-credentials`), or the interface's own code as text (`450`) if the domain refused. */
  code: Type.String(),
  /** The member of the input that it concerns. */
  field: Type.Optional(Type.String()),
  /** All errors of a form, if several fields may have one. */
  faults: Type.Optional(Type.Array(Type.Object({ ...both.properties, field: Type.String() }))),
  retryAfterMs: Type.Optional(Type.Number()),
  /** 451: the first order. */
  orderId: Type.Optional(Type.Number()),
});
export type PanelError = Static<typeof panelError>;

/**
 * Uploads: POST /panel/api/upload (role owner), the raw file as body, its type in Content-Type, its name in X-Peyk-File-Name
 * (percent-encoded), the key of the document in X-Peyk-Document-Kind. Answer<UploadedDocument>. Download: GET
 * /panel/api/document/<id>.
 */
export const uploadedDocument = Type.Object({
  id: Type.Number(),
  name: Type.String(),
  type: Type.String(),
  size: Type.Number(),
  kind: Type.Nullable(Type.String()),
});
export type UploadedDocument = Static<typeof uploadedDocument>;
