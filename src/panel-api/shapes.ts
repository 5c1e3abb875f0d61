// Shapes that several pieces of the panel's contract share.
import { type Static, type TObject, type TSchema, Type } from '../contract/type.ts';
import { memberRoles } from './facts.ts';

/** A piece of the contract: what each operation takes and what it answers. */
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
export type Paged<T> = { rows: T[]; next: string | null };

export const panelError = Type.Object({
  ...both.properties,
  /** A word (`wrong-credentials`), or the interface's own code as text (`450`) where the domain refused. */
  code: Type.String(),
  /** Member of the input it concerns. */
  field: Type.Optional(Type.String()),
  /** Everything that is wrong with a form, where more than one field may be. */
  faults: Type.Optional(Type.Array(Type.Object({ ...both.properties, field: Type.String() }))),
  retryAfterMs: Type.Optional(Type.Number()),
  /** 451: the order that was the first. */
  orderId: Type.Optional(Type.Number()),
});
export type PanelError = Static<typeof panelError>;

/**
 * Uploads: POST /panel/api/upload (role owner), the raw file as body, its type in Content-Type, its name in
 * X-Peyk-File-Name (percent-encoded), in X-Peyk-Document-Kind the key of the document it is. Answer<UploadedDocument>.
 * Download: GET /panel/api/document/<id>.
 */
export const uploadedDocument = Type.Object({
  id: Type.Number(),
  name: Type.String(),
  type: Type.String(),
  size: Type.Number(),
  kind: Type.Nullable(Type.String()),
});
export type UploadedDocument = Static<typeof uploadedDocument>;
