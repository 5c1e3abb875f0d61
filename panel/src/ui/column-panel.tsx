// The detected shape of a table, which can be corrected: header row, number column, first rows, damage by Excel.
import { Checkbox, Group, NativeSelect, Stack } from '@mantine/core';
import type { Gap } from '../../../src/tables/workbook.ts';
import { number } from '../format.ts';
import type { Damage } from '../recipients/columns.ts';
import type { TableView } from '../recipients/messages.ts';
import { t } from '../text/language.ts';
import { Note } from './notes.tsx';

const shownRows = 5;
const namedRows = 10;

const shownGaps = 8;

type Props = {
  table: Pick<TableView, 'names' | 'header' | 'numberColumn' | 'preview'>;
  damage?: Damage[];
  gaps?: Gap[];
  onReshape: (header: boolean, numberColumn: number) => void;
};

export function ColumnPanel({ table, damage = [], gaps = [], onReshape }: Props) {
  const choices = table.names.map((name, at) => ({ value: String(at), label: name || t.send.column(at + 1) }));
  return (
    <Stack gap="sm">
      <Group align="flex-end">
        <NativeSelect
          label={t.send.numberColumn}
          value={String(table.numberColumn)}
          data={table.numberColumn < 0 ? [{ value: '-1', label: '–' }, ...choices] : choices}
          onChange={event => onReshape(table.header, Number(event.currentTarget.value))}
        />
        <Checkbox
          mb={8}
          label={t.send.header}
          checked={table.header}
          onChange={event => onReshape(event.currentTarget.checked, table.numberColumn)}
        />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard */}
      <section className="panel-card grid-scroll" tabIndex={0} aria-label={t.send.preview}>
        <table className="grid">
          <thead>
            <tr>
              {table.names.map(name => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.preview.slice(0, shownRows).map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no name but their place
              <tr key={at}>
                {table.names.map((name, column) => (
                  <td key={name} className={column === table.numberColumn ? 'mono' : undefined}>
                    {row[column] ?? ''}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {damage.length > 0 && <DamageNote damage={damage} />}
      {gaps.length > 0 && <GapsNote gaps={gaps} />}
    </Stack>
  );
}

/** Cells that look filled in Excel and are empty in the file. */
function GapsNote({ gaps }: { gaps: Gap[] }) {
  const cells = (kind: Gap['kind']) => gaps.filter(one => one.kind === kind).map(one => one.cell);
  const listed = (all: string[]) => all.slice(0, shownGaps).join(', ') + (all.length > shownGaps ? ' …' : '');
  const [formula, merged] = [cells('formula'), cells('merged')];
  return (
    <Note kind="warn" title={t.send.gapsTitle}>
      {formula.length > 0 && <div>{t.send.gapsFormula(listed(formula))}</div>}
      {merged.length > 0 && <div>{t.send.gapsMerged(listed(merged))}</div>}
    </Note>
  );
}

function DamageNote({ damage }: { damage: Damage[] }) {
  const rowsOf = (kind: 'exponent' | 'decimal') => damage.filter(one => one.kind === kind).map(one => one.line);
  const exponent = rowsOf('exponent');
  const decimal = rowsOf('decimal');
  return (
    <Note kind="warn" title={t.send.damageTitle(number(damage.length))}>
      {exponent.length > 0 && <div>{t.send.damageExponent(listed(exponent))}</div>}
      {decimal.length > 0 && <div>{t.send.damageDecimal(listed(decimal))}</div>}
    </Note>
  );
}

function listed(rows: number[]): string {
  const named = rows.slice(0, namedRows).map(String).join(', ');
  return rows.length > namedRows ? `${named} … (+${number(rows.length - namedRows)})` : named;
}
