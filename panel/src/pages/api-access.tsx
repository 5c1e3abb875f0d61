// Key and hash: the key is visible, the hash is shown once, the last use is here, and a tester says what is wrong.

import { DataList, Group, Skeleton, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { OutputOf } from '../../../src/panel-api/contract.ts';
import { number } from '../format.ts';
import { serverAddress } from '../paths.ts';
import { useChange, useRead } from '../queries.ts';
import { inOurs, t } from '../text/language.ts';
import { Card } from '../ui/card.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { LoadError, Note } from '../ui/notes.tsx';
import { Page } from '../ui/page.tsx';
import { RoleButton } from '../ui/role-button.tsx';
import { Time } from '../ui/time.tsx';
import { callSnippet, exampleBody } from './developers/snippets.ts';
import { NewKeyButton } from './settings/new-key.tsx';
import { OldLoginCard } from './settings/old-login.tsx';

type Settings = OutputOf<'settings.read'>;
const refreshMs = 10_000;

export default function ApiAccessPage() {
  const read = useRead('settings.read', {}, { refetchMs: refreshMs });
  const settings = read.data;
  return (
    <Page title={t.apiAccess.title}>
      {read.error ? (
        <LoadError error={read.error} since={settings && read.dataUpdatedAt} retry={() => void read.refetch()} />
      ) : null}
      {!settings && read.isPending && <Skeleton height={200} />}
      {settings && (
        <>
          <KeyCard settings={settings} />
          <Tester />
          <OldLoginCard login={settings.oldLogin} />
          <Card title={t.apiAccess.balanceSnippet}>
            <CodeBlock
              code={callSnippet(
                'curl',
                `${serverAddress()}/v1/get-balance/json`,
                exampleBody('get-balance', { key: settings.key?.key ?? null }),
              )}
            />
          </Card>
          {settings.oldKeys.length > 0 && <OldKeys settings={settings} />}
        </>
      )}
    </Page>
  );
}

function KeyCard({ settings }: { settings: Settings }) {
  const { key } = settings;
  return (
    <Card>
      <Stack gap="md">
        {key === null ? (
          <Note>{t.apiAccess.noKey}</Note>
        ) : (
          <DataList labelWidth={120}>
            <DataList.Item>
              <DataList.ItemLabel>{t.apiAccess.key}</DataList.ItemLabel>
              <DataList.ItemValue>
                <Group gap={2} wrap="nowrap">
                  <code className="mono" style={{ overflowWrap: 'anywhere' }} data-testid="api-key">
                    {key.key}
                  </code>
                  <CopyButton value={key.key} />
                </Group>
              </DataList.ItemValue>
            </DataList.Item>
            <DataList.Item>
              <DataList.ItemLabel>{t.apiAccess.created}</DataList.ItemLabel>
              <DataList.ItemValue>
                <Time at={key.createdAt} exact />
              </DataList.ItemValue>
            </DataList.Item>
            <DataList.Item>
              <DataList.ItemLabel>{t.apiAccess.lastUse}</DataList.ItemLabel>
              <DataList.ItemValue>
                {key.lastUse ? (
                  <>
                    <Time at={key.lastUse.at} /> {t.apiAccess.lastUseOf(key.lastUse.address, key.lastUse.operation)}
                  </>
                ) : (
                  t.apiAccess.never
                )}
              </DataList.ItemValue>
            </DataList.Item>
          </DataList>
        )}
        <Group>
          <NewKeyButton hasKey={key !== null} />
        </Group>
      </Stack>
    </Card>
  );
}

/** What was pasted is sent once to be judged and kept nowhere; the fields are emptied with the page. */
function Tester() {
  const [key, setKey] = useState('');
  const [hash, setHash] = useState('');
  const test = useChange('settings.testCredentials');
  const right = test.data?.verdict === 'right';
  return (
    <Card title={t.apiAccess.tester} hint={t.apiAccess.testerLead}>
      <Stack gap="sm">
        <TextInput
          label={t.apiAccess.key}
          className="mono-input"
          autoComplete="off"
          value={key}
          onChange={event => setKey(event.currentTarget.value)}
        />
        <TextInput
          label={t.apiAccess.hash}
          className="mono-input"
          autoComplete="off"
          value={hash}
          onChange={event => setHash(event.currentTarget.value)}
        />
        <Group>
          <RoleButton
            need="sender"
            variant="default"
            loading={test.isPending}
            onClick={() => test.mutate({ key, hash })}
          >
            {t.apiAccess.test}
          </RoleButton>
        </Group>
        {test.data && <Note kind={right ? 'good' : 'warn'}>{inOurs(test.data)}</Note>}
      </Stack>
    </Card>
  );
}

function OldKeys({ settings }: { settings: Settings }) {
  return (
    <Card title={t.apiAccess.oldKeys} flush>
      <table className="grid">
        <thead>
          <tr>
            <th scope="col">{t.apiAccess.key}</th>
            <th scope="col">{t.apiAccess.disabled}</th>
            <th scope="col" className="wide-only">
              {t.common.reason}
            </th>
            <th scope="col" className="right">
              {t.apiAccess.refused}
            </th>
          </tr>
        </thead>
        <tbody>
          {settings.oldKeys.map(old => (
            <tr key={old.keyStart + old.disabledAt}>
              <td className="mono">{old.keyStart}…</td>
              <td>
                <Time at={old.disabledAt} />
              </td>
              <td className="wide-only">{endOfKey(old.reason)}</td>
              <td className="right">{number(old.refusedCalls)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

/** The reason as stored: "rotated by" somebody here, "rotated" by the operator, or what was typed. */
function endOfKey(reason: string | null): string {
  const [, by] = /^rotated(?: by (.+))?$/.exec(reason ?? '') ?? [];
  if (by) return inOurs({ tr: `${by} yeniledi`, en: `Rotated by ${by}` });
  if (reason === 'rotated') return inOurs({ tr: 'Yenilendi', en: 'Rotated' });
  return reason ?? '–';
}
