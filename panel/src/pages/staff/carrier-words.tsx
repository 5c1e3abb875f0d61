// Intermediate statuses in the carrier's own words. A final status that we do not know shows up here first.
import type { CarrierWord } from '../../../../src/panel-api/staff/carriers-contract.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/notes.tsx';
import { RowsTable } from '../../ui/rows-table.tsx';
import type { Column } from '../../ui/table-column.ts';
import { countedColumns } from './carrier-errors.tsx';

export function CarrierWords({ words }: { words: CarrierWord[] }) {
  return (
    <Card title={t.carriers.words} flush>
      <RowsTable
        label={t.carriers.words}
        columns={wordColumns}
        rows={words}
        rowKey={row => row.word}
        empty={<Empty title={t.carriers.noWords} />}
      />
    </Card>
  );
}

/** Names in brackets are ours: they stand for a status that the receipt lacks. */
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
  const [times, ...span] = countedColumns<CarrierWord>();
  return [
    { id: 'word', header: t.carriers.word, cell: row => wordText(row.word), phone: 'title' },
    times,
    { id: 'id', header: t.carriers.wordId, cell: row => row.lastId || '–' },
    ...span,
  ];
}
