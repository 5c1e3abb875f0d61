// A CSV or XLSX file, dropped or chosen; read in the worker. Every way a file can be wrong has its own sentence.
import { Button, FileButton, Group, Loader, NativeSelect, Stack, Text } from '@mantine/core';
import { IconFileSpreadsheet, IconTrash } from '@tabler/icons-react';
import { type DragEvent, useRef, useState } from 'react';
import { number } from '../../format.ts';
import { rowsMax } from '../../recipients/book.ts';
import { askBook } from '../../recipients/client.ts';
import type { Problem } from '../../recipients/messages.ts';
import { t } from '../../text/language.ts';
import { Note } from '../../ui/notes.tsx';
import { keepDraft, useDraft } from './draft.ts';

// Kept for choosing another sheet of the same file.
let lastFile: File | null = null;

async function load(file: File, sheet: number): Promise<void> {
  lastFile = file;
  keepDraft({ isReading: true, fileName: file.name, preview: null });
  const summary = await askBook('file', { file, sheet });
  keepDraft({ summary, isReading: false });
}

export function FilePanel({ perOrder }: { perOrder: number }) {
  const draft = useDraft();
  const [over, setOver] = useState(false);
  const reset = useRef<() => void>(null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) void load(file, 0);
  };
  const remove = async () => {
    reset.current?.();
    lastFile = null;
    keepDraft({ fileName: null, summary: await askBook('clear', {}), preview: null });
  };
  const { summary } = draft;
  return (
    <Stack gap="sm">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button inside is the first */}
      <div
        className={`drop ${over ? 'over' : ''}`}
        onDragOver={event => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Stack align="center" gap="xs">
          <IconFileSpreadsheet size={28} aria-hidden />
          <Text>{t.send.drop}</Text>
          <Text size="sm" c="dimmed">
            {t.send.dropLimit(number(perOrder))}
          </Text>
          <FileButton resetRef={reset} accept=".csv,.txt,.tsv,.xlsx" onChange={file => file && void load(file, 0)}>
            {props => (
              <Button {...props} variant="default">
                {t.send.choose}
              </Button>
            )}
          </FileButton>
        </Stack>
      </div>
      {draft.isReading && (
        <Group gap="xs" role="status">
          <Loader size="xs" />
          <Text size="sm">{t.send.reading}</Text>
        </Group>
      )}
      {draft.fileName && summary && !draft.isReading && (
        <Group justify="space-between">
          <Text size="sm">
            {t.send.fileRead(draft.fileName, number(summary.count))}
            {summary.encoding &&
              summary.delimiter &&
              ` · ${t.send.encodingRead(summary.encoding, delimiterName(summary.delimiter))}`}
          </Text>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconTrash size={14} />}
            onClick={() => void remove()}
          >
            {t.send.removeFile}
          </Button>
        </Group>
      )}
      {draft.fileName && summary?.problem && <Note kind="bad">{problemSentence(summary.problem)}</Note>}
      {summary && summary.sheets.length > 1 && (
        <NativeSelect
          label={t.send.sheet}
          description={t.send.sheetsNote(summary.sheets.length)}
          value={String(summary.sheet)}
          data={summary.sheets.map((name, at) => ({ value: String(at), label: name }))}
          onChange={event => lastFile && void load(lastFile, Number(event.currentTarget.value))}
        />
      )}
    </Stack>
  );
}

const delimiterName = (delimiter: string): string => (delimiter === '\t' ? 'tab' : `“${delimiter}”`);

function problemSentence(problem: Problem): string {
  const sentences: Record<Problem, string> = {
    empty: t.send.problemEmpty,
    'no-numbers': t.send.problemNoNumbers,
    'too-large': t.send.problemTooLarge,
    unreadable: t.send.problemUnreadable,
    'too-many': t.send.problemTooMany(number(rowsMax)),
  };
  return sentences[problem];
}
