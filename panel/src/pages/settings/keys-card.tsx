// The keys of the account: name, age, last use; each is rotated, renamed or ended alone. Ended ones stay listed, so that calls
// with them can be explained, until they are deleted.
import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { dateMinute, number } from '../../format.ts';
import { useChange } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { ask } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Note } from '../../ui/notes.tsx';
import { PlainTable } from '../../ui/plain-table.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { LimitKey, limitsOf } from './limit-key.tsx';
import { CreateKeyButton, type Issued, NewPair, RotateKeyButton } from './new-key.tsx';

type Settings = OutputOf<'settings.read'>;
type Key = Settings['keys'][number];

export function KeysCard({ settings }: { settings: Settings }) {
  const { keys } = settings;
  const [shown, setShown] = useState<Issued | null>(null);
  const create = <CreateKeyButton filled={keys.length === 0} onIssued={setShown} />;
  return (
    <Card title={t.keys.title} hint={t.keys.lead} actions={create}>
      <NewPair shown={shown} onClose={() => setShown(null)} />
      {keys.length === 0 ? (
        <Note>{t.apiAccess.noKey}</Note>
      ) : (
        <table className="grid stacked">
          <caption className="visually-hidden">{t.keys.title}</caption>
          <tbody>
            {keys.map(key => (
              <KeyRow key={key.key} line={key} onIssued={setShown} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

type RowProps = { line: Key; onIssued: (issued: Issued) => void };

function KeyRow({ line, onIssued }: RowProps) {
  return (
    <tr data-key={line.key}>
      <td>
        <Stack gap={2}>
          <Text fw="var(--fw-strong)" size="sm">
            {line.name || t.keys.unnamed}
          </Text>
          <Group gap={2} wrap="nowrap">
            <code className="mono" style={{ overflowWrap: 'anywhere' }} data-testid="api-key">
              {line.key}
            </code>
            <CopyButton value={line.key} />
          </Group>
          {limitsOf(line) && (
            <Text size="sm" c="dimmed">
              {limitsOf(line)}
            </Text>
          )}
          {line.endsAt && <Tone tone="orange">{t.keys.endsAt(dateMinute(line.endsAt))}</Tone>}
        </Stack>
      </td>
      <td>
        <Text size="sm" component="div">
          {t.apiAccess.created}: <Time at={line.createdAt} />
        </Text>
        <Text size="sm" component="div">
          {t.apiAccess.lastUse}:{' '}
          {line.lastUse ? (
            <>
              <Time at={line.lastUse.at} /> {t.apiAccess.lastUseOf(line.lastUse.address, line.lastUse.operation)}
            </>
          ) : (
            t.apiAccess.never
          )}
        </Text>
      </td>
      <td>
        <KeyActions line={line} onIssued={onIssued} />
      </td>
    </tr>
  );
}

function KeyActions({ line, onIssued }: RowProps) {
  const rename = useChange('settings.renameKey', { done: t.common.saved });
  const end = useChange('settings.endKey', { done: t.keys.ended });
  const [isLimiting, setLimiting] = useState(false);
  const shown = line.name || `${line.key.slice(0, 8)}…`;
  const startRename = async () => {
    const question = { title: t.keys.renameTitle(shown), body: '', action: t.keys.rename, reason: t.keys.name };
    const name = await ask(question);
    if (name !== null) rename.mutate({ key: line.key, name });
  };
  const startEnd = async () => {
    const question = { title: t.keys.endTitle(shown), body: t.keys.endBody, action: t.keys.end, danger: true };
    if ((await ask(question)) !== null) end.mutate({ key: line.key });
  };
  return (
    <Group gap="sm">
      {!line.endsAt && <RotateKeyButton apiKey={line.key} size="xs" onIssued={onIssued} />}
      <RoleButton need="owner" size="xs" variant="default" onClick={() => setLimiting(true)}>
        {t.keys.limit}
      </RoleButton>
      {isLimiting && <LimitKey line={line} name={shown} onClose={() => setLimiting(false)} />}
      <RoleButton need="owner" size="xs" variant="default" onClick={() => void startRename()}>
        {t.keys.rename}
      </RoleButton>
      <RoleButton need="owner" size="xs" variant="default" onClick={() => void startEnd()}>
        {t.keys.end}
      </RoleButton>
    </Group>
  );
}

export function OldKeys({ settings }: { settings: Settings }) {
  const remove = useChange('settings.deleteKey', { done: t.keys.deleted });
  const startDelete = async (key: string) => {
    const question = { title: t.keys.deleteTitle(key.slice(0, 8)), body: t.keys.deleteBody, action: t.keys.delete };
    if ((await ask({ ...question, danger: true })) !== null) remove.mutate({ key });
  };
  return (
    <Card title={t.apiAccess.oldKeys} flush>
      <PlainTable
        rows={settings.oldKeys}
        rowKey={old => old.keyStart + old.disabledAt}
        columns={[
          {
            header: t.apiAccess.key,
            cell: old => (
              <>
                <span className="mono">{old.keyStart}…</span> {old.name}
              </>
            ),
          },
          { header: t.apiAccess.disabled, cell: old => <Time at={old.disabledAt} /> },
          { header: t.common.reason, cell: old => endOfKey(old.reason), className: 'wide-only' },
          { header: t.apiAccess.refused, cell: old => number(old.refusedCalls), className: 'right' },
          {
            header: <span className="visually-hidden">{t.keys.delete}</span>,
            className: 'right',
            cell: old => (
              <RoleButton
                need="owner"
                size="compact-xs"
                variant="default"
                onClick={() => old.key && void startDelete(old.key)}
              >
                {t.keys.delete}
              </RoleButton>
            ),
          },
        ]}
      />
    </Card>
  );
}

/** The reason as stored: "rotated by" or "disabled by" somebody here, "rotated" by the operator, or what was typed. */
function endOfKey(reason: string | null): string {
  const [, how, by] = /^(rotated|disabled)(?: by (.+))?$/.exec(reason ?? '') ?? [];
  if (how === 'rotated')
    return inOurs(by ? { tr: `${by} yeniledi`, en: `Rotated by ${by}` } : { tr: 'Yenilendi', en: 'Rotated' });
  if (how === 'disabled')
    return inOurs(by ? { tr: `${by} kapattı`, en: `Disabled by ${by}` } : { tr: 'Kapatıldı', en: 'Disabled' });
  return reason ?? '–';
}
