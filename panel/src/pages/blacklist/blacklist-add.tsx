// Adds to the blacklist: one number, a pasted list or a file, with a report of each row's result.
import { Button, FileButton, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { sentenceOf } from '../../api.ts';
import { number } from '../../format.ts';
import { queryClient } from '../../queries.ts';
import { readTyped } from '../../recipients/typed.ts';
import { useImportFile } from '../../recipients/use-import-file.ts';
import { t } from '../../text/language.ts';
import { ColumnPanel } from '../../ui/column-panel.tsx';
import { acceptedFiles, FileProblem, FileReading, SheetChoice } from '../../ui/file-reading.tsx';
import { Note } from '../../ui/notes.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { UploadShare } from '../../ui/upload-share.tsx';
import { addTyped, type BlacklistOutcome, importBlacklist } from './blacklist-import.ts';
import { BlacklistReport } from './blacklist-report.tsx';

export function BlacklistAdd(props: { opened: boolean; onClose: () => void }) {
  const [text, setText] = useState('');
  const [note, setNote] = useState('');
  const [share, setShare] = useState<number | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [outcome, setOutcome] = useState<BlacklistOutcome | null>(null);
  const file = useImportFile('shown');
  const close = () => {
    setText('');
    setNote('');
    setOutcome(null);
    setFailure(null);
    file.clear();
    props.onClose();
  };
  const add = async (): Promise<BlacklistOutcome> => {
    const said = note.trim() || undefined;
    if (file.view) {
      setShare(0);
      return importBlacklist({ count: file.view.count, column: file.view.numberColumn, note: said }, setShare);
    }
    const typed = readTyped(text);
    return addTyped(typed.values, typed.lines, said);
  };
  const submit = async () => {
    setBusy(true);
    setFailure(null);
    try {
      setOutcome(await add());
      void queryClient.invalidateQueries();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
      setShare(null);
    }
  };
  const { view } = file;
  const lacksColumn = view !== null && view.numberColumn < 0;
  return (
    <Modal
      opened={props.opened}
      onClose={close}
      size={view ? 'lg' : undefined}
      title={t.blacklist.addTitle}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <Stack gap="sm">
        {outcome ? (
          <BlacklistReport outcome={outcome} />
        ) : (
          <>
            {view ? (
              <ChosenFile file={file} />
            ) : (
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
            )}
            <FileButton accept={acceptedFiles} onChange={given => given && void file.read(given)}>
              {button => (
                <Button {...button} variant="default" size="xs" style={{ alignSelf: 'flex-start' }}>
                  {t.blacklist.fromFile}
                </Button>
              )}
            </FileButton>
            {file.share !== null && <FileReading share={file.share} onStop={file.clear} />}
            <FileProblem problem={file.problem} />
            <TextInput
              label={`${t.blacklist.note} (${t.common.optional})`}
              maxLength={200}
              value={note}
              onChange={event => setNote(event.currentTarget.value)}
            />
            {share !== null && <UploadShare label={t.blacklist.adding} share={share} />}
            {failure ? <Note kind="bad">{sentenceOf(failure)}</Note> : null}
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {outcome ? t.common.close : t.common.cancel}
          </Button>
          {!outcome && (
            <RoleButton
              need="sender"
              loading={isBusy}
              reason={lacksColumn ? t.blacklist.chooseColumn : null}
              onClick={() => void submit()}
            >
              {view ? t.blacklist.addMany(number(view.count)) : t.blacklist.addAction}
            </RoleButton>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

function ChosenFile({ file }: { file: ReturnType<typeof useImportFile> }) {
  if (!file.view) return null;
  return (
    <>
      <Group justify="space-between">
        <Text size="sm">{t.send.fileRead(file.name ?? '', number(file.view.count))}</Text>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconTrash size={14} />}
          onClick={file.clear}
        >
          {t.send.removeFile}
        </Button>
      </Group>
      <SheetChoice sheets={file.view.sheets} sheet={file.view.sheet} onChange={sheet => void file.chooseSheet(sheet)} />
      <ColumnPanel table={file.view} onReshape={(header, numberColumn) => void file.reshape(header, numberColumn)} />
    </>
  );
}
