// Contract of the panel: lists as files.

import { type Static, Type } from '../../contract/type.ts';
import { type ExportKind, exportKinds } from '../contract/facts.ts';
import { language, type Operations } from '../contract/shapes.ts';

const exportKind = Type.Enum(Object.keys(exportKinds) as ExportKind[]);
const exportFormat = Type.Enum(['csv', 'xlsx']);
export const exportLine = Type.Object({
  id: Type.Number(),
  kind: exportKind,
  format: Type.Enum(['csv', 'xlsx']),
  state: Type.Enum(['waiting', 'running', 'ready', 'failed']),
  rows: Type.Number(),
  bytes: Type.Number(),
  createdAt: Type.String(),
  /** null while it is being made. */
  expiresAt: Type.Nullable(Type.String()),
  isFetched: Type.Boolean(),
});
export type ExportLine = Static<typeof exportLine>;

const exportAsked = Type.Object({
  kind: exportKind,
  format: exportFormat,
  language,
  /** The members of the list's filter. */ filter: Type.Record(Type.Unknown()),
});

export const exportsOperations = {
  /** A download of any size, made in the background; `live` lists it, and /panel/api/export-file/<id> serves it. */
  'exports.start': {
    input: exportAsked,
    output: Type.Object({
      id: Type.Number(),
    }),
  },
} satisfies Operations;
