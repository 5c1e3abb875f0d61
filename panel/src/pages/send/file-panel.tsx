// A CSV or XLSX file, dropped or chosen; read in the worker. Every way a file can be wrong has its own sentence.
import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconFileSpreadsheet, IconTrash } from '@tabler/icons-react';
import { type DragEvent, useRef, useState } from 'react';
import { number } from '../../format.ts';
import { askBook } from '../../recipients/client.ts';
import { nothingRead } from '../../recipients/messages.ts';
import { t } from '../../text/language.ts';
import { acceptedFiles, FileProblem, FileReading, SheetChoice } from '../../ui/file-reading.tsx';
import { keepDraft, useDraft } from './draft.ts';

// Kept for choosing another sheet of the same file.
let lastFile: File | null = null;
let turn = 0;

async function load(file: File, sheet: number): Promise<void> {
  lastFile = file;
  turn += 1;
  const mine = turn;
  // What the file before it held is no longer shown.
  keepDraft({ isReading: true, readShare: 0, fileName: file.name, summary: null, preview: null, failure: null });
  const onShare = (readShare: number) => mine === turn && keepDraft({ readShare });
  const summary = await askBook('file', { file, sheet }, onShare).catch(() => null);
  if (mine === turn && summary?.problem !== 'stopped')
    keepDraft({ summary: summary ?? { ...nothingRead, problem: 'too-slow' }, isReading: false });
}

/** Also of a file that is still being read. */
async function removeFile(): Promise<void> {
  turn += 1;
  lastFile = null;
  keepDraft({ isReading: false, fileName: null, preview: null, summary: await askBook('clear', {}) });
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
  const remove = () => {
    reset.current?.();
    void removeFile();
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
        <Stack align="center" gap="sm">
          <IconFileSpreadsheet size={28} aria-hidden />
          <Text>{t.send.drop}</Text>
          <Text size="sm" c="dimmed">
            {t.send.dropLimit(number(perOrder))}
          </Text>
          <FileButton resetRef={reset} accept={acceptedFiles} onChange={file => file && void load(file, 0)}>
            {props => (
              <Button {...props} variant="default">
                {t.send.choose}
              </Button>
            )}
          </FileButton>
        </Stack>
      </div>
      {draft.isReading && <FileReading share={draft.readShare} onStop={remove} />}
      {draft.fileName && summary && !draft.isReading && (
        <Group justify="space-between">
          <Text size="sm">
            {t.send.fileRead(draft.fileName, number(summary.rowCount))}
            {summary.encoding &&
              summary.delimiter &&
              ` · ${t.send.encodingRead(summary.encoding, delimiterName(summary.delimiter))}`}
          </Text>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconTrash size={14} />}
            onClick={remove}
          >
            {t.send.removeFile}
          </Button>
        </Group>
      )}
      {draft.fileName && <FileProblem problem={summary?.problem} />}
      {summary && (
        <SheetChoice
          sheets={summary.sheets}
          sheet={summary.sheet}
          onChange={sheet => lastFile && void load(lastFile, sheet)}
        />
      )}
    </Stack>
  );
}

const delimiterName = (delimiter: string): string => (delimiter === '\t' ? 'tab' : `“${delimiter}”`);
