// Contract of the panel: sender IDs, the subscription, applications with their documents.

import { type Static, Type } from '../../contract/type.ts';
import { id, ids, maybe, someText, text } from '../contract/fields.ts';
import { both, nothing, type Operations, uploadedDocument } from '../contract/shapes.ts';

/** `key` goes with the upload (X-Peyk-Document-Kind); `optional`: needed only in the named case. */
const neededDocument = Type.Object({
  ...both.properties,
  key: Type.String(),
  optional: Type.Boolean(),
});
export type NeededDocument = Static<typeof neededDocument>;
const senderState = Type.Enum(['applied', 'approved', 'rejected']);
export type SenderState = Static<typeof senderState>;
export const applicationKind = Type.Enum(['subscription', 'sender']);
export const applicationState = Type.Enum(['applied', 'approved', 'rejected']);
export const application = Type.Object({
  id: Type.Number(),
  kind: applicationKind,
  state: applicationState,
  senderName: Type.Nullable(Type.String()),
  reason: Type.Nullable(Type.String()),
  createdAt: Type.String(),
  decidedAt: Type.Nullable(Type.String()),
  form: Type.Record(Type.String()),
  documents: Type.Array(uploadedDocument),
  /** Required documents that are missing; more can be added while the application is pending. */
  missing: Type.Array(neededDocument),
  /** What staff asked for, and when something was added since. */
  asked: Type.Nullable(
    Type.Object({
      note: Type.String(),
      at: Type.String(),
      answeredAt: Type.Nullable(Type.String()),
    }),
  ),
});
export type Application = Static<typeof application>;
export const senderLine = Type.Object({
  name: Type.String(),
  state: senderState,
  reason: Type.Nullable(Type.String()),
  createdAt: Type.String(),
  decidedAt: Type.Nullable(Type.String()),
  lastUsedAt: Type.Nullable(Type.String()),
  applicationId: Type.Nullable(Type.Number()),
  documents: Type.Array(uploadedDocument),
  /** The pending application. */
  waiting: Type.Nullable(application),
});
export type SenderLine = Static<typeof senderLine>;
const senderList = Type.Object({
  senders: Type.Array(senderLine),
  /** APITEST may still be used. */
  testSender: Type.Nullable(Type.String()),
  hasSubscription: Type.Boolean(),
  documentsNeeded: Type.Object({
    company: Type.Array(neededDocument),
    'sole-trader': Type.Array(neededDocument),
    association: Type.Array(neededDocument),
    'public-body': Type.Array(neededDocument),
  }),
});
const applicantKind = Type.Enum(['company', 'sole-trader', 'association', 'public-body']);
export type ApplicantKind = Static<typeof applicantKind>;
export const identityLine = Type.Object({
  id: Type.Number(),
  method: Type.Enum(['simulator', 'manual']),
  /** `failed`: no valid verdict arrived. */
  state: Type.Enum(['begun', 'confirmed', 'refused', 'failed']),
  /** null: the operator's staff, as customers see them. */
  by: Type.Nullable(Type.String()),
  begunAt: Type.String(),
  finishedAt: Type.Nullable(Type.String()),
  /** The confirmed name, or the note of staff. */
  detail: Type.String(),
});
/** `method`: how an identity would be checked now. Newest first. */
const identityStep = Type.Object({
  method: Type.Enum(['simulator', 'manual']),
  checks: Type.Array(identityLine),
});
export type IdentityStep = Static<typeof identityStep>;
const subscription = Type.Object({
  /** Of the current application. */
  identity: identityStep,
  current: Type.Nullable(application),
  history: Type.Array(application),
  documentsNeeded: Type.Object({
    company: Type.Array(neededDocument),
    'sole-trader': Type.Array(neededDocument),
    association: Type.Array(neededDocument),
    'public-body': Type.Array(neededDocument),
  }),
});

const documentsMax = 20;
const wordMax = 200;
const senderApplication = Type.Object({
  name: someText(40),
  applicantKind,
  documents: ids(documentsMax),
  note: maybe(text(1_000)),
});
const subscriptionApplication = Type.Object({
  applicantKind,
  title: someText(200),
  taxOffice: someText(100),
  /** Tax number (10 digits) or identity number (11 digits). */
  taxNumber: someText(20),
  /** MERSİS number, '' if there is none. */
  mersis: maybe(text(30)),
  address: someText(500),
  contactName: someText(100),
  contactMobile: someText(40),
  kep: maybe(text(200)),
  documents: ids(documentsMax),
});

export const sendersOperations = {
  'senders.list': { input: nothing, output: senderList },
  'senders.apply': { input: senderApplication, output: application },
  'subscription.read': { input: nothing, output: subscription },
  'subscription.apply': { input: subscriptionApplication, output: application },
  /** To a pending application of either kind. */
  'applications.addDocuments': { input: Type.Object({ id: id(), documents: ids(documentsMax) }), output: application },
  /** Where the applicant's browser goes; it returns to the page of the subscription with `state` and `code`. */
  'identity.begin': {
    input: Type.Object({ id: id() }),
    output: Type.Object({
      url: Type.String(),
    }),
  },
  /** Both values are valid once. Errors: identity-failed, identity-silent. */
  'identity.finish': {
    input: Type.Object({ state: someText(wordMax), code: someText(wordMax) }),
    output: identityStep,
  },
} satisfies Operations;
