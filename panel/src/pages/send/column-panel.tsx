// What was guessed of a table, open to correction: header row, number column, first rows, and Excel's damage by row.
import { Checkbox, Group, NativeSelect, Stack } from '@mantine/core';
import { number } from '../../format.ts';
import { askBook } from '../../recipients/client.ts';
import type { Summary } from '../../recipients/messages.ts';
import { t } from '../../text/language.ts';
import { Note } from '../../ui/notes.tsx';
import { keepDraft } from './draft.ts';

const shownRows = 5;
const namedRows = 10;

export function ColumnPanel({ summary }: { summary: Summary }) {
  const reshape = async (header: boolean, numberColumn: number) => {
    keepDraft({ summary: await askBook('shape', { header, numberColumn }) });
  };
  const choices = summary.names.map((name, at) => ({ value: String(at), label: name || t.send.column(at + 1) }));
  return (
    <Stack gap="sm">
      <Group align="flex-end">
        <NativeSelect
          label={t.send.numberColumn}
          value={String(summary.numberColumn)}
          data={summary.numberColumn < 0 ? [{ value: '-1', label: '–' }, ...choices] : choices}
          onChange={event => void reshape(summary.header, Number(event.currentTarget.value))}
        />
        <Checkbox
          mb={8}
          label={t.send.header}
          checked={summary.header}
          onChange={event => void reshape(event.currentTarget.checked, summary.numberColumn)}
        />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard */}
      <section className="panel-card grid-scroll" tabIndex={0} aria-label={t.send.preview}>
        <table className="grid">
          <thead>
            <tr>
              {summary.names.map(name => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {summary.preview.slice(0, shownRows).map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no name but their place
              <tr key={at}>
                {summary.names.map((name, column) => (
                  <td key={name} className={column === summary.numberColumn ? 'mono' : undefined}>
                    {row[column] ?? ''}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {summary.damage.length > 0 && <DamageNote summary={summary} />}
    </Stack>
  );
}

function DamageNote({ summary }: { summary: Summary }) {
  const rowsOf = (kind: 'exponent' | 'decimal') =>
    summary.damage.filter(damage => damage.kind === kind).map(damage => damage.row);
  const exponent = rowsOf('exponent');
  const decimal = rowsOf('decimal');
  return (
    <Note kind="warn" title={t.send.damageTitle(number(summary.damage.length))}>
      {exponent.length > 0 && <div>{t.send.damageExponent(listed(exponent))}</div>}
      {decimal.length > 0 && <div>{t.send.damageDecimal(listed(decimal))}</div>}
    </Note>
  );
}

function listed(rows: number[]): string {
  const named = rows.slice(0, namedRows).map(String).join(', ');
  return rows.length > namedRows ? `${named} … (+${number(rows.length - namedRows)})` : named;
}
