// One refused call: cause, remedy and origin. The hash of the call is never stored, so it is never shown.
import { DataList, Drawer, Stack } from '@mantine/core';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { inOurs, t } from '../../text/language.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Note } from '../../ui/notes.tsx';
import { Time } from '../../ui/time.tsx';
import { RemedyButton } from './remedy-button.tsx';

type Line = OutputOf<'apiLog.list'>['rows'][number];

export function RefusalDrawer({ line, onClose }: { line: Line | undefined; onClose: () => void }) {
  return (
    <Drawer
      opened={line !== undefined}
      onClose={onClose}
      title={t.apiLog.drawer}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      {line && (
        <Stack gap="md">
          <Note kind="bad" title={inOurs(line.sentence)} action={<RemedyButton remedy={line.remedy} />}>
            {inOurs(line.fix)}
          </Note>
          <DataList>
            <Fact label={t.common.time}>
              <Time at={line.at} exact />
            </Fact>
            <Fact label={t.apiLog.operation}>
              <span className="mono">{line.operation}</span>
            </Fact>
            <Fact label={t.apiLog.code}>{line.code}</Fact>
            <Fact label={t.apiLog.address}>
              <span className="mono">{line.address ?? '–'}</span>
            </Fact>
            <Fact label={t.apiLog.agent}>{line.agent || '–'}</Fact>
          </DataList>
          {line.errors && <CodeBlock label={t.apiLog.errors} code={JSON.stringify(line.errors, null, 2)} wrap />}
        </Stack>
      )}
    </Drawer>
  );
}
