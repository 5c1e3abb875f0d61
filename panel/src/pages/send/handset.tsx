// The message as a phone shows it, with the operator code in grey, stepping through the recipients where texts are
// personal.
import { ActionIcon, Stack } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { fieldsIn } from '../../../../src/text/fields.ts';
import { prepareText } from '../../../../src/text/prepare.ts';
import { number, phone } from '../../format.ts';
import { filledRow } from '../../recipients/book.ts';
import { askBook } from '../../recipients/client.ts';
import type { Longest, RowView } from '../../recipients/messages.ts';
import { t } from '../../text/language.ts';
import { useDraft } from './draft.ts';

type Props = { sender: string; template: string; options: OutputOf<'send.options'>; worst: Longest | null | undefined };

export function Handset({ sender, template, options, worst }: Props) {
  const { summary, fallbacks, previewKey } = useDraft();
  const personal = fieldsIn(template).length > 0;
  const count = summary?.count ?? 0;
  const [at, setAt] = useState(0);
  const [row, setRow] = useState<RowView>(null);
  const version = summary?.version;
  // biome-ignore lint/correctness/useExhaustiveDependencies: version stands for the rows, which live in the worker
  useEffect(() => {
    if (count === 0) {
      setRow(null);
      return;
    }
    let stale = false;
    void askBook('next', { from: at, step: 1 }).then(found => !stale && setRow(found));
    return () => {
      stale = true;
    };
  }, [at, version, previewKey, count]);
  const step = async (by: 1 | -1) => {
    const found = await askBook('next', { from: (row?.at ?? at) + by, step: by });
    if (found) setAt(found.at);
  };
  const { text } = prepareText(filledRow(template, row?.fields ?? {}, fallbacks), options.mode);
  return (
    <Stack gap="sm" align="center" component="section" aria-label={t.send.previewTitle}>
      <div className="handset">
        <div className="from">{sender || '–'}</div>
        {text !== '' && (
          <div className="bubble" data-testid="bubble">
            {text}
            <span className="operator-code"> {options.operatorCode}</span>
          </div>
        )}
      </div>
      {personal && count > 0 && (
        <div className="handset-tools">
          <ActionIcon aria-label={t.send.previous} disabled={at === 0} onClick={() => void step(-1)}>
            <IconChevronLeft size={16} />
          </ActionIcon>
          <span>
            {t.send.previewRow(number(row?.line ?? at + 1))}
            {row && ` · ${phone(row.number)}`}
          </span>
          <ActionIcon
            aria-label={t.send.following}
            disabled={(row?.at ?? at) >= count - 1}
            onClick={() => void step(1)}
          >
            <IconChevronRight size={16} />
          </ActionIcon>
          {worst && (
            <button type="button" className="text-button" onClick={() => setAt(worst.row)}>
              {t.send.counterWorst(number(worst.line))}
            </button>
          )}
        </div>
      )}
    </Stack>
  );
}
