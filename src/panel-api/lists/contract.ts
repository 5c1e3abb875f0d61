// Contract of the panel: inbox and blacklist.

import { Type } from '../../contract/type.ts';
import { limits } from '../../limits.ts';
import { endTime, maybe, someText, text, texts, time } from '../contract/fields.ts';
import { nothing, type Operations, paged } from '../contract/shapes.ts';
import { rowSample } from '../send/contract.ts';

const inboxLine = Type.Object({
  id: Type.Number(),
  number: Type.String(),
  to: Type.String(),
  /** The keyword that brought the message to the account, or its opt-out word; '' for neither. */
  keyword: Type.String(),
  text: Type.String(),
  receivedAt: Type.String(),
  /** 'blacklisted': the sender opted out. */
  effect: Type.Nullable(Type.String()),
});
/** `id`: of the newest message; `count`: how many of the examined messages are theirs. */
const conversationLine = Type.Object({
  id: Type.Number(),
  number: Type.String(),
  text: Type.String(),
  receivedAt: Type.String(),
  count: Type.Number(),
});
const inboxPage = Type.Object({
  rows: Type.Array(inboxLine),
  next: Type.Nullable(Type.String()),
  numbers: Type.Array(
    Type.Object({
      number: Type.String(),
      keyword: Type.String(),
    }),
  ),
});
const blacklistSource = Type.Enum(['api', 'panel', 'optout', 'import', 'operator']);
const blacklistLine = Type.Object({
  number: Type.String(),
  source: blacklistSource,
  note: Type.Nullable(Type.String()),
  addedAt: Type.String(),
});
const blacklistReport = Type.Object({
  added: Type.Number(),
  existing: Type.Number(),
  /** Rows whose number occurs in an earlier row. */
  repeated: Type.Number(),
  /** All of them, each with its reason. */
  invalid: Type.Array(rowSample),
  invalidCount: Type.Number(),
});

export const inboxFilter = Type.Object({
  number: maybe(text(60)),
  keyword: maybe(text(40)),
  text: maybe(text(100)),
  from: maybe(time()),
  to: maybe(endTime()),
  cursor: maybe(text(40)),
});
export const blacklistFilter = Type.Object({
  search: maybe(text(60)),
  source: maybe(blacklistSource),
  from: maybe(time()),
  to: maybe(endTime()),
  cursor: maybe(text(60)),
});

export const listsOperations = {
  'inbox.list': { input: inboxFilter, output: inboxPage },
  /** People who wrote lately, a line each, by their newest message. */
  'inbox.conversations': {
    input: nothing,
    output: Type.Object({
      rows: Type.Array(conversationLine),
    }),
  },
  'blacklist.list': {
    input: blacklistFilter,
    output: Type.Object({
      ...paged(blacklistLine).properties,
      total: Type.Number(),
    }),
  },
  'blacklist.add': {
    input: Type.Object({
      numbers: texts(limits.recipientsPerOrder, 60),
      note: maybe(text(200)),
      isImport: maybe(Type.Boolean()),
    }),
    output: blacklistReport,
  },
  'blacklist.remove': {
    input: Type.Object({ numbers: texts(limits.recipientsPerOrder, 60), reason: someText(200) }),
    output: Type.Object({
      removed: Type.Number(),
    }),
  },
} satisfies Operations;
