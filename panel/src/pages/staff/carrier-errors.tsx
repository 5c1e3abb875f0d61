// Errors of a carrier in plain words with the protocol's own words beside; how often, and when last.
import { Text } from '@mantine/core';
import type { CarrierError } from '../../../../src/panel-api/staff/carriers-contract.ts';
import { number } from '../../format.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/notes.tsx';
import { RowsTable } from '../../ui/rows-table.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { errorSentence } from './carrier-error-words.ts';

export function CarrierErrors({ errors }: { errors: CarrierError[] }) {
  return (
    <Card title={t.carriers.errors} flush>
      <RowsTable
        label={t.carriers.errors}
        columns={errorColumns}
        rows={errors}
        rowKey={row => row.error}
        empty={<Empty title={t.carriers.noErrors} />}
      />
    </Card>
  );
}

/** A sentence, and below it the exact words to quote to the carrier. */
export function ErrorText({ error }: { error: string }) {
  const sentence = errorSentence(error);
  return (
    <>
      {sentence ?? error}
      {sentence && (
        <Text size="xs" c="dimmed" className="mono" component="div">
          {error}
        </Text>
      )}
    </>
  );
}

function errorColumns(): Column<CarrierError>[] {
  return [
    { id: 'error', header: t.carriers.lastError, cell: row => <ErrorText error={row.error} />, phone: 'title' },
    ...countedColumns<CarrierError>(),
  ];
}

type Counted = { times: number; firstAt: string; lastAt: string };

/** How often something came, when first and when last. */
export function countedColumns<Row extends Counted>(): [times: Column<Row>, first: Column<Row>, last: Column<Row>] {
  return [
    {
      id: 'times',
      header: t.carriers.errorTimes,
      align: 'right',
      cell: row => number(row.times),
      sort: row => row.times,
      phone: 'state',
      phoneLabel: true,
    },
    { id: 'first', header: t.carriers.errorFirst, cell: row => <Time at={row.firstAt} />, sort: row => row.firstAt },
    {
      id: 'last',
      header: t.carriers.errorLast,
      cell: row => <Time at={row.lastAt} />,
      sort: row => row.lastAt,
      phone: 'line',
      phoneLabel: true,
    },
  ];
}
