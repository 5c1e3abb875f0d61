// A list as data: the operation that reads it, its filters by key of the address, its columns or cards, what a row opens, and
// its empty state. `useList` reads it, `<List>` renders it.
import type { ReactNode } from 'react';
import type { InputOf, OperationName, OutputOf } from '../../../src/panel-api/contract/contract.ts';
import type { ExportKind } from '../../../src/panel-api/contract/facts.ts';
import { dayEnd, dayIn, dayStart, fromKey, keysOf, toKey } from './days.ts';
import type { Filter } from './filter-fields.tsx';
import { cursorKey, pageKey, type Search, type SearchKey } from './search-state.ts';
import type { Column, Selection } from './table-column.ts';

/** The input field that a value of the address fills; `as` parses a field that is not text. */
type Asks<Input> = {
  [Field in keyof Input & string]-?: NonNullable<Input[Field]> extends string
    ? { field: Field; as?: undefined }
    : { field: Field; as: (text: string) => Input[Field] };
}[keyof Input & string];

type Days = Extract<Filter, { kind: 'days' }>;
export type ListFilter<Input> =
  | (Exclude<Filter, Days> & Asks<Input>)
  | (Input extends { from?: string; to?: string } ? Days : never);

type Body<Row, Data> =
  | { columns: Column<Row>[] | ((data: Data | undefined) => Column<Row>[]); card?: undefined }
  | { card: (row: Row) => ReactNode; columns?: undefined };

export type ListShape<Name extends OperationName, Row> = Body<Row, OutputOf<Name>> & {
  /** Names the table, for its stored columns. */
  name: string;
  label: string;
  rows: (data: OutputOf<Name>) => Row[];
  rowKey: (row: Row) => string;
  /** Input besides the filters, for the list and its export. */
  input?: Partial<InputOf<Name>>;
  /** Input for the list alone, not for its export. */
  view?: Partial<InputOf<Name>>;
  search?: { key: SearchKey; label: string } & Asks<InputOf<Name>>;
  filters?: ListFilter<InputOf<Name>>[];
  exported?: ExportKind;
  pages?: keyof typeof pagings;
  refetchMs?: number | ((data: OutputOf<Name> | undefined) => number | false);
  enabled?: boolean;
  /** New rows wait behind a button while somebody reads further down. */
  held?: boolean;
  /** A row opens a page, a drawer (by its key in the address), or runs `onOpen`. */
  path?: (row: Row) => string;
  drawer?: (row: Row) => string;
  onOpen?: (row: Row) => void;
  selection?: Selection<Row>;
  /** The row that is shown beside the list: j and k then open rows as they pass them. */
  isCurrent?: (row: Row) => boolean;
  /** Rows and tools as on a phone, for a list that is the narrow side. */
  compact?: boolean;
  empty: ReactNode;
};

/** A number in the address (order, account, code). Anything else is ignored. */
export function asNumber(text: string): number | undefined {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
const pageNumber = (at: string | undefined): number => asNumber(at ?? '') ?? 1;

/** By cursor, or by page number where the operation counts pages. */
export const pagings = {
  cursor: {
    key: cursorKey,
    input: (at: string | undefined) => ({ cursor: at }),
    next: (data: { next?: string | null }) => data.next ?? null,
  },
  numbers: {
    key: pageKey,
    input: (at: string | undefined) => ({ page: pageNumber(at) }),
    next: (data: { hasMore?: boolean }, at: string | undefined) => (data.hasMore ? String(pageNumber(at) + 1) : null),
  },
};

type Asking = { key: SearchKey; field: string; as?: (text: string) => unknown };
/** A shape without the types of its operation. */
export type Given = { search?: Asking; filters?: (Asking | Days)[] };

const isDays = (one: Asking | Days): one is Days => 'kind' in one && one.kind === 'days';
const partsOf = ({ search, filters = [] }: Given): (Asking | Days)[] => [...(search ? [search] : []), ...filters];

/** The input that the address sets. */
export function askedOf(given: Given, address: Search): Record<string, unknown> {
  const asked: Record<string, unknown> = {};
  for (const part of partsOf(given)) {
    if (isDays(part)) {
      asked['from'] = dayStart(dayIn(address, fromKey));
      asked['to'] = dayEnd(dayIn(address, toKey));
      continue;
    }
    const text = address[part.key];
    if (text) asked[part.field] = part.as ? part.as(text) : text;
  }
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
}

/** Keys of the address that filter a list. */
export const filterKeys = (given: Given): SearchKey[] => partsOf(given).flatMap(part => keysOf(part));
