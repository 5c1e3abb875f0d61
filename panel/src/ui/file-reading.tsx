// Reading a file: progress with a cancel button, its faults, and the choice of a sheet. Used wherever the panel takes a file.
import { Button, Group, NativeSelect } from '@mantine/core';
import { type Problem, rowsMax } from '../../../src/tables/limits.ts';
import { number } from '../format.ts';
import { t } from '../text/language.ts';
import { Note } from './notes.tsx';
import { UploadShare } from './upload-share.tsx';

export const acceptedFiles = '.csv,.txt,.tsv,.xlsx,.xlsm';

export function FileReading(props: { share: number; onStop: () => void }) {
  return (
    <Group gap="sm" role="status" align="flex-end" data-testid="file-reading">
      <div style={{ flex: 1 }}>
        <UploadShare label={t.send.reading} share={props.share} />
      </div>
      <Button variant="default" size="xs" onClick={props.onStop}>
        {t.common.cancel}
      </Button>
    </Group>
  );
}

export function FileProblem({ problem }: { problem: Problem | null | undefined }) {
  const sentence = problem && problemSentence(problem);
  return sentence ? <Note kind="bad">{sentence}</Note> : null;
}

/** null if there is nothing to show. */
function problemSentence(problem: Problem): string | null {
  const sentences: Record<Problem, string | null> = {
    empty: t.send.problemEmpty,
    'no-numbers': t.send.problemNoNumbers,
    'too-large': t.send.problemTooLarge,
    'too-many': t.send.problemTooMany(number(rowsMax)),
    'too-wide': t.send.problemTooWide,
    'too-full': t.send.problemTooFull,
    'too-slow': t.send.problemTooSlow,
    protected: t.send.problemProtected,
    unreadable: t.send.problemUnreadable,
    stopped: null,
  };
  return sentences[problem];
}

export function SheetChoice(props: { sheets: string[]; sheet: number; onChange: (sheet: number) => void }) {
  if (props.sheets.length < 2) return null;
  return (
    <NativeSelect
      label={t.send.sheet}
      description={t.send.sheetsNote(props.sheets.length)}
      value={String(props.sheet)}
      data={props.sheets.map((name, at) => ({ value: String(at), label: name }))}
      onChange={event => props.onChange(Number(event.currentTarget.value))}
    />
  );
}
