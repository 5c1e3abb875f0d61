// Contract of the panel: the audit log.

import { type Static, Type } from '../../contract/type.ts';
import { endTime, id, maybe, text, time } from '../contract/fields.ts';
import { type Operations, paged } from '../contract/shapes.ts';

const auditLine = Type.Object({
  id: Type.Number(),
  at: Type.String(),
  accountId: Type.Nullable(Type.Number()),
  /** E-mail address, 'işletmeci' for staff seen by a customer, or a word for the command line. */
  actor: Type.String(),
  action: Type.String(),
  detail: Type.Record(Type.Unknown()),
  address: Type.Nullable(Type.String()),
});
export type AuditLine = Static<typeof auditLine>;

export const auditFilter = Type.Object({
  actor: maybe(text(100)),
  action: maybe(text(100)),
  from: maybe(time()),
  to: maybe(endTime()),
  cursor: maybe(text(40)),
});

export const auditOperations = {
  'audit.list': { input: auditFilter, output: paged(auditLine) },
  'staff.audit': {
    input: Type.Object({ ...auditFilter.properties, accountId: maybe(id()) }),
    output: paged(auditLine),
  },
} satisfies Operations;
