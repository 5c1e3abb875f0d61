// Who gets the message: typed, pasted or from a file. Counted by the server, so that the figures are those of the order.
import { SegmentedControl, Textarea } from '@mantine/core';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number } from '../../format.ts';
import { askBook } from '../../recipients/client.ts';
import { t } from '../../text/language.ts';
import { ColumnPanel } from '../../ui/column-panel.tsx';
import { LoadError, Note } from '../../ui/notes.tsx';
import { Counters } from './counters.tsx';
import { freshPreview, isStarted, keepDraft, useDraft } from './draft.ts';
import { DraftList } from './draft-list.tsx';
import { FilePanel } from './file-panel.tsx';

type Options = OutputOf<'send.options'>;

const reshape = async (header: boolean, numberColumn: number) =>
  keepDraft({ summary: await askBook('shape', { header, numberColumn }) });

export function RecipientTabs() {
  const draft = useDraft();
  return (
    <SegmentedControl
      aria-label={t.send.stepRecipients}
      value={draft.tab}
      onChange={tab => keepDraft({ tab: tab as 'type' | 'file' })}
      data={[
        { value: 'type', label: t.send.typeTab },
        { value: 'file', label: t.send.fileTab },
      ]}
    />
  );
}

export function RecipientsStep({ options }: { options: Options }) {
  const draft = useDraft();
  const count = draft.summary?.count ?? 0;
  const orders = freshPreview(draft)?.orders ?? Math.ceil(count / options.recipientsMax);
  return (
    <>
      {!isStarted(draft) && <DraftList />}
      {draft.tab === 'type' ? (
        <Textarea
          label={t.send.numbers}
          description={t.send.numbersHint}
          placeholder={t.send.numbersPlaceholder}
          autosize
          minRows={3}
          maxRows={14}
          inputMode="tel"
          value={draft.fileName ? '' : draft.typed}
          onChange={event => keepDraft({ typed: event.currentTarget.value, fileName: null })}
        />
      ) : (
        <FilePanel perOrder={options.recipientsMax} />
      )}
      {draft.summary && draft.summary.names.length > 1 && (
        <ColumnPanel
          table={draft.summary}
          damage={draft.summary.damage}
          gaps={draft.summary.gaps}
          onReshape={reshape}
        />
      )}
      {orders > 1 && draft.perHour === null && <Note>{t.send.split(orders)}</Note>}
      {draft.failure ? (
        <LoadError error={draft.failure} retry={() => keepDraft({ summary: draft.summary && { ...draft.summary } })} />
      ) : null}
      {count > 0 && <Counters commercial={draft.commercial} label={number(count)} />}
    </>
  );
}
