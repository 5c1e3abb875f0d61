// Renders a list from its shape: tools, children of the page, rows as a table or as cards, pager.
import type { ReactNode } from 'react';
import type { OperationName } from '../../../src/panel-api/contract/contract.ts';
import { CardRows } from './card-rows.tsx';
import { ColumnChoice, useHiddenColumns } from './column-choice.tsx';
import { DataTable } from './data-table.tsx';
import { FreshRows } from './fresh-rows.tsx';
import { ListTools } from './list-tools.tsx';
import { Pager } from './pager.tsx';
import type { ListOf } from './use-list.ts';

const noneHidden: string[] = [];

type Props<Name extends OperationName, Row> = {
  of: ListOf<Name, Row>;
  /** Between the tools and the rows. */
  children?: ReactNode;
};

export function List<Name extends OperationName, Row extends object>({ of: list, children }: Props<Name, Row>) {
  const { shape } = list;
  const [hidden, setHidden] = useHiddenColumns(shape.name, list.columns);
  const hasTools = Boolean(shape.search || shape.filters || shape.exported);
  const shared = {
    data: list.table,
    rowKey: shape.rowKey,
    empty: shape.empty,
    filtered: list.filtered,
    onClear: list.clear,
    footer: list.pager && <Pager {...list.pager} />,
  };
  return (
    <div className="list" data-list={list.operation} ref={list.region}>
      {hasTools && (
        <ListTools
          search={shape.search}
          filters={shape.filters ?? []}
          exported={shape.exported && { kind: shape.exported, filter: list.asked }}
          columns={shape.card ? null : <ColumnChoice columns={list.columns} hidden={hidden} onChange={setHidden} />}
          compact={shape.compact}
        />
      )}
      {children}
      {shape.held && <FreshRows {...list.fresh} />}
      {shape.card ? (
        <CardRows {...shared} label={shape.label} card={shape.card} />
      ) : (
        <DataTable
          {...shared}
          label={shape.label}
          hidden={hasTools ? hidden : noneHidden}
          columns={list.columns}
          rowPath={shape.path}
          onOpen={list.onOpen}
          selection={shape.selection}
          isCurrent={shape.isCurrent}
          compact={shape.compact}
        />
      )}
    </div>
  );
}
