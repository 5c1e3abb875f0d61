// Contract of the panel: consent records, the registry's view of them, imports.

import { type Static, Type } from '../../contract/type.ts';
import { cell, endTime, id, maybe, text, time } from '../contract/fields.ts';
import { both, nothing, type Operations, paged } from '../contract/shapes.ts';

export const consentList = Type.Enum(['BIREYSEL', 'TACIR']);
export type ConsentList = Static<typeof consentList>;
const consentType = Type.Enum(['MESAJ', 'EPOSTA', 'ARAMA']);
export type ConsentType = Static<typeof consentType>;
const syncState = Type.Enum(['queued', 'sent', 'accepted', 'refused']);
export type SyncState = Static<typeof syncState>;
/** `code` is the registry's own, or why there is none. */
export const registryTrouble = Type.Object({
  code: Type.String(),
  sentence: both,
  since: Type.String(),
});
export type RegistryTrouble = Static<typeof registryTrouble>;
const consentOverview = Type.Object({
  brands: Type.Array(
    Type.Object({
      code: Type.Number(),
      active: Type.Boolean(),
      quota: Type.Nullable(Type.Number()),
      usedThisMonth: Type.Number(),
      waiting: Type.Number(),
      pulledAt: Type.Nullable(Type.String()),
      isReconciling: Type.Boolean(),
      pause: Type.Nullable(
        Type.Object({
          code: Type.String(),
          sentence: both,
          since: Type.String(),
        }),
      ),
    }),
  ),
  /** When the registry last answered, and its present fault. */
  answeredAt: Type.Nullable(Type.String()),
  trouble: Type.Nullable(registryTrouble),
  counts: Type.Object({ queued: Type.Number(), sent: Type.Number(), accepted: Type.Number(), refused: Type.Number() }),
});
export const consentLine = Type.Object({
  id: Type.Number(),
  brand: Type.Number(),
  recipient: Type.String(),
  recipientType: consentList,
  type: consentType,
  status: Type.Enum(['ONAY', 'RET']),
  source: Type.String(),
  consentDate: Type.String(),
  origin: Type.Enum(['api', 'panel', 'registry']),
  createdAt: Type.String(),
  syncState: syncState,
  counts: Type.Boolean(),
  syncedAt: Type.Nullable(Type.String()),
  attempts: Type.Number(),
  code: Type.Nullable(Type.String()),
  reason: Type.Nullable(both),
});
export type ConsentLine = Static<typeof consentLine>;
const consentAnswer = Type.Object({
  recipient: Type.String(),
  current: Type.Nullable(
    Type.Object({
      status: Type.Enum(['ONAY', 'RET']),
      source: Type.String(),
      consentDate: Type.String(),
    }),
  ),
  history: Type.Array(consentLine),
});
const consentRefusalGroup = Type.Object({
  code: Type.String(),
  sentence: both,
  count: Type.Number(),
  lastAt: Type.String(),
});
/** consentDate in Turkey time `YYYY-MM-DD HH:MM:SS`. */
const consentRow = Type.Object({
  recipient: cell(),
  recipientType: cell(),
  type: cell(),
  status: cell(),
  source: cell(),
  consentDate: cell(),
});
export type ConsentRow = Static<typeof consentRow>;
const consentRule = Type.Enum([
  'recipient',
  'recipientType',
  'type',
  'status',
  'source',
  'date-form',
  'date-future',
  'date-old',
  'ruling-first',
  'duplicate',
  'first-refusal',
]);
export type ConsentRule = Static<typeof consentRule>;
const consentIssue = Type.Object({
  row: Type.Number(),
  rule: consentRule,
  /** false: only a warning. */
  isBlocking: Type.Boolean(),
  tr: Type.String(),
  en: Type.String(),
});
const consentCheck = Type.Object({
  given: Type.Number(),
  valid: Type.Number(),
  /** The first 1,000. */
  issues: Type.Array(consentIssue),
  counts: Type.Object({
    recipient: Type.Optional(Type.Number()),
    recipientType: Type.Optional(Type.Number()),
    type: Type.Optional(Type.Number()),
    status: Type.Optional(Type.Number()),
    source: Type.Optional(Type.Number()),
    'date-form': Type.Optional(Type.Number()),
    'date-future': Type.Optional(Type.Number()),
    'date-old': Type.Optional(Type.Number()),
    'ruling-first': Type.Optional(Type.Number()),
    duplicate: Type.Optional(Type.Number()),
    'first-refusal': Type.Optional(Type.Number()),
  }),
  /** Records that may still be registered this month; null = no limit. */
  quotaLeft: Type.Nullable(Type.Number()),
});

const consentQuery = Type.Object({ brand: id(), recipient: text(300), recipientType: consentList, type: consentType });
export const consentListFilter = Type.Object({
  brand: maybe(id()),
  recipient: maybe(text(300)),
  recipientType: maybe(consentList),
  type: maybe(consentType),
  status: maybe(consentLine.properties.status),
  syncState: maybe(syncState),
  origin: maybe(consentLine.properties.origin),
  from: maybe(time()),
  to: maybe(endTime()),
  cursor: maybe(text(40)),
});
const consentImport = Type.Object({ brand: id(), rows: Type.Array(consentRow, { minItems: 1 }) });

export const consentOperations = {
  'consent.overview': { input: nothing, output: consentOverview },
  'consent.query': { input: consentQuery, output: consentAnswer },
  'consent.list': { input: consentListFilter, output: paged(consentLine) },
  'consent.refusals': {
    input: Type.Object({ brand: maybe(id()) }),
    output: Type.Object({
      groups: Type.Array(consentRefusalGroup),
    }),
  },
  'consent.check': { input: consentImport, output: consentCheck },
  /** All or none: error `invalid-rows` if a row is wrong (see consent.check); 403, 405, 475 as in the interface. */
  'consent.add': {
    input: consentImport,
    output: Type.Object({
      stored: Type.Number(),
    }),
  },
} satisfies Operations;
