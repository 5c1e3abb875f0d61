// Adding to the blacklist: one number, a pasted list or a file, with a report of what became of each.
import { Button, FileButton, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { OutputOf } from '../../../src/panel-api/contract.ts';
import { sentenceOf } from '../api.ts';
import { number } from '../format.ts';
import { useChange } from '../queries.ts';
import { decodeFile } from '../recipients/decode-file.ts';
import { splitTyped } from '../recipients/typed.ts';
import { t } from '../text/language.ts';
import { Note } from '../ui/notes.tsx';

type Report = OutputOf<'blacklist.add'>;

export function BlacklistAdd(props: { opened: boolean; onClose: () => void }) {
  const [text, setText] = useState('');
  const [note, setNote] = useState('');
  const [fromFile, setFromFile] = useState(false);
  const [report, setReport] = useState<Report | null>(null);
  const add = useChange('blacklist.add', { ownErrors: true, onDone: setReport });
  const close = () => {
    setText('');
    setNote('');
    setReport(null);
    add.reset();
    props.onClose();
  };
  const readFile = async (file: File | null) => {
    if (!file) return;
    setText(decodeFile(new Uint8Array(await file.arrayBuffer())).text);
    setFromFile(true);
  };
  const submit = () =>
    add.mutate({ numbers: splitTyped(text), note: note.trim() || undefined, isImport: fromFile || undefined });
  return (
    <Modal
      opened={props.opened}
      onClose={close}
      title={t.blacklist.addTitle}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <Stack gap="sm">
        {report ? (
          <ReportView report={report} />
        ) : (
          <>
            <Textarea
              label={t.order.number}
              description={t.blacklist.addHint}
              autosize
              minRows={3}
              maxRows={10}
              value={text}
              onChange={event => setText(event.currentTarget.value)}
              placeholder="0555 000 00 00"
              data-autofocus
            />
            <FileButton accept=".csv,.txt" onChange={file => void readFile(file)}>
              {button => (
                <Button {...button} variant="default" size="xs" style={{ alignSelf: 'flex-start' }}>
                  {t.blacklist.fromFile}
                </Button>
              )}
            </FileButton>
            <TextInput
              label={`${t.blacklist.note} (${t.common.optional})`}
              maxLength={200}
              value={note}
              onChange={event => setNote(event.currentTarget.value)}
            />
            {add.error ? <Note kind="bad">{sentenceOf(add.error)}</Note> : null}
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {report ? t.common.close : t.common.cancel}
          </Button>
          {!report && (
            <Button loading={add.isPending} onClick={submit}>
              {t.blacklist.addAction}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

function ReportView({ report }: { report: Report }) {
  return (
    <Stack gap="xs">
      <Note kind={report.invalidCount > 0 ? 'warn' : 'good'}>
        {t.blacklist.report(number(report.added), number(report.existing), number(report.invalidCount))}
      </Note>
      {report.invalid.length > 0 && (
        <Text size="sm" className="mono">
          {t.blacklist.invalidRows}: {report.invalid.map(row => `${row.row + 1}: ${row.number}`).join(', ')}
        </Text>
      )}
    </Stack>
  );
}
