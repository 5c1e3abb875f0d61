// Contract of the panel: applications, and their decision by staff.
import { type Static, Type } from '../../contract/type.ts';
import { id, maybe, reasonGiven, someText, text } from '../contract/fields.ts';
import { both, type Operations, paged } from '../contract/shapes.ts';
import { application, applicationKind, applicationState, identityLine } from '../senders/contract.ts';

const applicationLine = Type.Object({
  id: Type.Number(),
  accountId: Type.Number(),
  accountName: Type.String(),
  kind: Type.Enum(['subscription', 'sender']),
  state: Type.Enum(['applied', 'approved', 'rejected']),
  senderName: Type.Nullable(Type.String()),
  createdAt: Type.String(),
  documents: Type.Number(),
});
const applicationView = Type.Object({
  ...application.properties,
  accountId: Type.Number(),
  accountName: Type.String(),
  applicant: Type.Nullable(Type.String()),
  decidedBy: Type.Nullable(Type.String()),
  hasSubscription: Type.Boolean(),
  /** Approved sender IDs of any account that look similar. */
  similar: Type.Array(
    Type.Object({
      accountId: Type.Number(),
      accountName: Type.String(),
      name: Type.String(),
    }),
  ),
  rejectionReasons: Type.Array(both),
  /** The applicant's identity checks, newest first. */
  identity: Type.Array(identityLine),
});
export type ApplicationView = Static<typeof applicationView>;

export const staffApplicationsOperations = {
  'staff.applications': {
    input: Type.Object({ state: maybe(applicationState), kind: maybe(applicationKind), cursor: maybe(text(60)) }),
    output: paged(applicationLine),
  },
  'staff.application': { input: Type.Object({ id: id() }), output: applicationView },
  'staff.decide': {
    input: Type.Object({ id: id(), decision: Type.Enum(['approve', 'reject']), reason: reasonGiven }),
    output: applicationView,
  },
  'staff.askDocuments': { input: Type.Object({ id: id(), note: someText(500) }), output: applicationView },
  'staff.noteIdentity': {
    input: Type.Object({ id: id(), confirmed: Type.Boolean(), note: someText(500) }),
    output: applicationView,
  },
} satisfies Operations;
