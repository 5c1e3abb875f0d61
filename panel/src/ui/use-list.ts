// Reads a list by its shape and the filters in the address.
import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useMemo } from 'react';
import type { InputOf, OperationName, OutputOf } from '../../../src/panel-api/contract/contract.ts';
import { useRead } from '../queries.ts';
import { useHeldRows } from './held-rows.ts';
import { askedOf, filterKeys, type Given, type ListShape, pagings } from './list-shape.ts';
import { openKey, type SearchChange, type SearchKey, useSearchState } from './search-state.ts';
import { useSpokenRows } from './spoken-rows.ts';
import type { Column, TableData } from './table-column.ts';

export type ListOf<Name extends OperationName, Row> = {
  shape: ListShape<Name, Row>;
  operation: Name;
  /** Around the list, for its announcements. */
  region: RefObject<HTMLDivElement | null>;
  columns: Column<Row>[];
  /** The whole answer, for other parts of the page. */
  data: OutputOf<Name> | undefined;
  table: TableData<Row>;
  /** Input of its export. */
  asked: Record<string, unknown>;
  filtered: boolean;
  clear: () => void;
  fresh: { count: number; onShow: () => void };
  onOpen: ((row: Row) => void) | undefined;
  /** The open drawer, from the address. */
  open: string | undefined;
  change: (changes: SearchChange) => void;
  close: () => void;
  pager: { name: SearchKey; next: string | null } | null;
};

export function useList<Name extends OperationName, Row extends object>(
  name: Name,
  shape: ListShape<Name, Row>,
): ListOf<Name, Row> {
  const [search, change] = useSearchState();
  const paging = shape.pages && pagings[shape.pages];
  const at = paging && search[paging.key];
  const given = shape as Given;
  const asked = { ...shape.input, ...askedOf(given, search) };
  const input = { ...asked, ...shape.view, ...paging?.input(at) } as InputOf<Name>;
  const read = useRead(name, input, { refetchMs: shape.refetchMs, enabled: shape.enabled });
  const { data } = read;
  const keys = filterKeys(given);
  const filtered = keys.some(key => search[key]);
  const next = data && paging ? paging.next(data as object, at) : null;
  const rows = data && shape.rows(data);
  const scope = { hasMore: next !== null, isOfScope: !read.isPlaceholderData };
  const question = JSON.stringify(input);
  const held = useHeldRows({ rows, ...scope }, question, filtered, shape.rowKey);
  const region = useSpokenRows(question, read.isPlaceholderData ? undefined : rows?.length, read.isError);
  const { columns } = shape;
  return {
    shape,
    operation: name,
    region,
    columns: useMemo(() => (typeof columns === 'function' ? columns(data) : (columns ?? [])), [columns, data]),
    data,
    table: {
      rows: shape.held ? held.rows : rows,
      isPending: read.isPending,
      error: read.error,
      since: read.dataUpdatedAt,
      retry: () => void read.refetch(),
    },
    asked,
    filtered,
    clear: () => change(Object.fromEntries(keys.map(key => [key, null]))),
    fresh: { count: held.fresh, onShow: held.show },
    onOpen: useOpener(shape),
    open: search[openKey] || undefined,
    change,
    close: () => change({ [openKey]: null }),
    pager: paging ? { name: paging.key, next } : null,
  };
}

function useOpener<Name extends OperationName, Row>(shape: ListShape<Name, Row>): ((row: Row) => void) | undefined {
  const navigate = useNavigate();
  const [, change] = useSearchState();
  const { path, drawer, onOpen } = shape;
  if (path) return row => void navigate({ to: path(row) });
  if (drawer) return row => change({ [openKey]: drawer(row) });
  return onOpen;
}
