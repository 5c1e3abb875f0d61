// Rows of a list as cards, for few rows with much content.
import { SimpleGrid, Skeleton } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { t } from '../text/language.ts';
import { NoRows } from './no-rows.tsx';
import { LoadError } from './notes.tsx';
import type { TableData } from './table-column.ts';

type Props<Row> = {
  label: string;
  data: TableData<Row>;
  rowKey: (row: Row) => string;
  card: (row: Row) => ReactNode;
  empty: ReactNode;
  filtered?: boolean;
  onClear?: () => void;
  footer?: ReactNode;
};

const columns = { base: 1, sm: 2, lg: 3 };

export function CardRows<Row>(props: Props<Row>) {
  const { rows, isPending, error, since, retry } = props.data;
  return (
    <>
      {error ? <LoadError error={error} since={rows ? since : undefined} retry={retry} /> : null}
      {isPending && !rows && (
        <SimpleGrid cols={columns} aria-busy="true" role="status" aria-label={t.load.loading}>
          {[1, 2, 3].map(card => (
            <Skeleton key={card} height={160} />
          ))}
        </SimpleGrid>
      )}
      {rows?.length === 0 && (
        <div className="panel-card">
          <NoRows {...props} />
        </div>
      )}
      <SimpleGrid cols={columns} role="group" aria-label={props.label}>
        {rows?.map(row => (
          <Fragment key={props.rowKey(row)}>{props.card(row)}</Fragment>
        ))}
      </SimpleGrid>
      {props.footer}
    </>
  );
}
