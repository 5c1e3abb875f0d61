// Results of an import: how many rows were added, existed already or repeat another row, and every invalid one with its
// line and reason.
import { Button, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { numberFaultWords } from '../../../../src/text/number-fault-words.ts';
import { sentenceOf } from '../../api.ts';
import { number } from '../../format.ts';
import type { LineSample } from '../../recipients/messages.ts';
import { inOurs, t } from '../../text/language.ts';
import { downloadText, toCsv } from '../../ui/download.ts';
import { Note } from '../../ui/notes.tsx';
import { PlainTable } from '../../ui/plain-table.tsx';
import type { BlacklistOutcome } from './blacklist-import.ts';

const listedMax = 200;
const faultOf = (row: LineSample): string => (row.fault ? inOurs(numberFaultWords[row.fault]) : '');

export function BlacklistReport({ outcome }: { outcome: BlacklistOutcome }) {
  const { added, existing, repeated, invalid } = outcome;
  return (
    <Stack gap="sm">
      <Note kind={invalid.length > 0 ? 'warn' : 'good'}>
        {t.blacklist.report(number(added), number(existing), number(invalid.length))}
        {repeated > 0 && <div>{t.blacklist.repeated(number(repeated))}</div>}
      </Note>
      {outcome.failure ? (
        <Note kind="bad" title={sentenceOf(outcome.failure)}>
          {t.blacklist.partly(number(outcome.done))}
        </Note>
      ) : null}
      {invalid.length > 0 && <InvalidRows rows={invalid} />}
    </Stack>
  );
}

function InvalidRows({ rows }: { rows: LineSample[] }) {
  const titles = [t.send.rowNo, t.order.number, t.order.reasonColumn];
  const csv = () => toCsv([titles, ...rows.map(row => [row.line, row.number, faultOf(row)])]);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section tabIndex={0} aria-label={t.blacklist.invalidRows} style={{ maxHeight: 300, overflow: 'auto' }}>
        <PlainTable
          caption={t.blacklist.invalidRows}
          rows={rows.slice(0, listedMax)}
          // Several numbers typed on one line can only be identified by their position.
          rowKey={(_, at) => String(at)}
          columns={[
            { header: titles[0], cell: row => number(row.line) },
            { header: titles[1], cell: row => row.number, className: 'mono' },
            { header: titles[2], cell: faultOf },
          ]}
        />
      </section>
      <Button
        size="xs"
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconDownload size={14} />}
        onClick={() => downloadText(`${t.files.blacklistIssues}.csv`, csv())}
      >
        {t.send.downloadRows}
      </Button>
    </>
  );
}
