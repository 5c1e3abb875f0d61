// Keys by name with their last use; hashes are shown once; a tester says what is wrong with a pair.

import { Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { callSnippet, exampleBody } from '../../../../src/api/snippets.ts';
import { serverAddress } from '../../paths.ts';
import { useChange, useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { KeysCard, OldKeys } from './keys-card.tsx';
import { OldLoginCard } from './old-login.tsx';

const refreshMs = 10_000;

export default function ApiAccessPage() {
  const read = useRead('settings.read', {}, { refetchMs: refreshMs });
  const settings = read.data;
  return (
    <Page title={t.apiAccess.title}>
      <ReadState of={read} height={200} />
      {settings && (
        <>
          <KeysCard settings={settings} />
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

/** Checks a pasted pair once. It is not stored, and leaving the page clears the fields. */
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
