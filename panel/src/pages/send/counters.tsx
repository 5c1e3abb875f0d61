// Valid, invalid, duplicate, blacklisted, without consent: as the server counts them. Each opens its rows and gives
// them as a file.
import { Button, Group, Modal, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { numberFaultWords } from '../../../../src/text/number-fault-words.ts';
import { number } from '../../format.ts';
import type { LineSample } from '../../recipients/messages.ts';
import { useMay } from '../../session.tsx';
import { inOurs, t } from '../../text/language.ts';
import { downloadText, toCsv } from '../../ui/download.ts';
import { PlainTable } from '../../ui/plain-table.tsx';
import { UploadShare } from '../../ui/upload-share.tsx';
import { useDraft } from './draft.ts';

type Kind = 'invalid' | 'duplicate' | 'blacklisted' | 'nonConsented';
const kinds: Kind[] = ['invalid', 'duplicate', 'blacklisted', 'nonConsented'];

export function Counters(props: { commercial: boolean; label: string }) {
  const { preview, isChecking, share } = useDraft();
  const [opened, setOpened] = useState<Kind | null>(null);
  // The server counts only for those who may send.
  const maySend = useMay('sender');
  if (!maySend) return null;
  const leaving = share !== null && share < 1 && <UploadShare label={t.send.uploading} share={share} />;
  if (!preview)
    return (
      <>
        <Skeleton height={70} aria-label={t.send.checking} />
        {leaving}
      </>
    );
  const shown = kinds.filter(kind => kind !== 'nonConsented' || props.commercial || preview.nonConsented > 0);
  return (
    <>
      <div
        className="counts"
        aria-busy={isChecking}
        style={{ opacity: isChecking ? 0.6 : 1 }}
        data-testid="send-counters"
      >
        <Counter label={t.send.sendable} value={preview.sendable} strong />
        {shown.map(kind => (
          <UnstyledButton key={kind} onClick={() => setOpened(kind)} disabled={preview[kind] === 0} data-kind={kind}>
            <Counter label={t.send[kind]} value={preview[kind]} />
          </UnstyledButton>
        ))}
      </div>
      {leaving}
      <Modal
        opened={opened !== null}
        onClose={() => setOpened(null)}
        title={opened ? t.send.rowsTitle(t.send[opened]) : ''}
        closeButtonProps={{ 'aria-label': t.common.close }}
      >
        {opened && <RowList kind={opened} rows={preview.rows[opened]} total={preview[opened]} />}
      </Modal>
    </>
  );
}

function Counter(props: { label: string; value: number; strong?: boolean }) {
  return (
    <span className="count" data-strong={props.strong}>
      <b>{number(props.value)}</b>
      <span>{props.label}</span>
    </span>
  );
}

const listedMax = 200;
const faultSentence = (row: LineSample): string => (row.fault ? inOurs(numberFaultWords[row.fault]) : '');

function RowList(props: { kind: Kind; rows: LineSample[]; total: number }) {
  const hasFaults = props.kind === 'invalid';
  const csv = () =>
    toCsv([
      [t.send.rowNo, t.order.number, ...(hasFaults ? [t.order.reasonColumn] : [])],
      ...props.rows.map(row => [row.line, row.number, ...(hasFaults ? [faultSentence(row)] : [])]),
    ]);
  return (
    <div style={{ display: 'grid', gap: 12 }}>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {props.total > props.rows.length ? t.send.firstOnly(number(props.rows.length)) : number(props.total)}
        </Text>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} />}
          onClick={() => downloadText(`${t.files[props.kind]}.csv`, csv())}
        >
          {t.send.downloadRows}
        </Button>
      </Group>
      <div style={{ maxHeight: 320, overflow: 'auto' }}>
        <PlainTable
          rows={props.rows.slice(0, listedMax)}
          rowKey={row => row.line + row.number}
          columns={[
            { header: t.send.rowNo, cell: row => number(row.line) },
            { header: t.order.number, cell: row => row.number, className: 'mono' },
            ...(hasFaults ? [{ header: t.order.reasonColumn, cell: faultSentence }] : []),
          ]}
        />
      </div>
    </div>
  );
}
