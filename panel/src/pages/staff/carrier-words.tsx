// What a carrier said of messages without ending them, in its own words: a final word that we do not know shows here first.
import type { CarrierWord } from '../../../../src/panel-api/staff/contract.ts';
import { number } from '../../format.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/notes.tsx';
import { RowsTable } from '../../ui/rows-table.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';

export function CarrierWords({ words }: { words: CarrierWord[] }) {
  return (
    <Card title={t.carriers.words} flush>
      <RowsTable
        name="carrier-words"
        label={t.carriers.words}
        columns={wordColumns}
        rows={words}
        rowKey={row => row.word}
        empty={<Empty title={t.carriers.noWords} />}
      />
    </Card>
  );
}

/** The program's own names for what a receipt lacks stand in brackets. */
const lacking: Record<string, keyof typeof t.carriers> = {
  '(none)': 'wordNone',
  '(no id)': 'wordNoId',
  '(other words)': 'wordOthers',
};

function wordText(word: string): string {
  const name = lacking[word];
  return name ? String(t.carriers[name]) : word;
}

function wordColumns(): Column<CarrierWord>[] {
  return [
    { id: 'word', header: t.carriers.word, cell: row => wordText(row.word), phone: 'title' },
    {
      id: 'times',
      header: t.carriers.errorTimes,
      align: 'right',
      cell: row => number(row.times),
      sort: row => row.times,
      phone: 'state',
      phoneLabel: true,
    },
    { id: 'id', header: t.carriers.wordId, cell: row => row.lastId || '–' },
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
