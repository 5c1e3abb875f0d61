// The same SMS from a program: allow API use, make a key and try it without leaving the page.

import { Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { callSnippet } from '../../../../src/api/snippets.ts';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { serverAddress } from '../../paths.ts';
import { useChange, useRead } from '../../queries.ts';
import { useMay } from '../../session.tsx';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Tone } from '../../ui/tone.tsx';
import { CreateKeyButton, type Issued, NewPair, RotateKeyButton } from '../settings/new-key.tsx';
import { BalanceTry } from './balance-try.tsx';

type Steps = OutputOf<'onboarding.read'>['steps'];

export function ApiCard({ steps }: { steps: Steps }) {
  const settings = useRead('settings.read', {}).data;
  const mayOwn = useMay('owner');
  const setApi = useChange('settings.setApi', { done: t.common.saved });
  const [issued, setIssued] = useState('');
  const [shown, setShown] = useState<Issued | null>(null);
  const take = (fresh: Issued) => {
    setShown(fresh);
    setIssued(fresh.hash);
  };
  const called = steps.find(step => step.key === 'balance')?.state === 'done';
  const body = { request: { authentication: { key: settings?.key?.key ?? '<API_KEY>', hash: '<API_HASH>' } } };
  return (
    <Card
      title={t.start.apiTitle}
      hint={t.start.apiLead}
      actions={
        called && (
          <Tone tone="teal" icon="check">
            {t.start.done}
          </Tone>
        )
      }
    >
      <Stack gap="sm">
        <Switch
          label={t.access.allow}
          description={mayOwn ? undefined : t.roles.needs(t.roles.owner)}
          checked={settings?.apiEnabled ?? false}
          disabled={!mayOwn || setApi.isPending}
          onChange={event => setApi.mutate({ enabled: event.currentTarget.checked })}
        />
        {settings?.key ? (
          <RotateKeyButton apiKey={settings.key.key} onIssued={take} />
        ) : (
          <CreateKeyButton filled onIssued={take} />
        )}
        <NewPair shown={shown} onClose={() => setShown(null)} />
        {/* A fresh hash takes the place of what was typed. */}
        <BalanceTry key={`${settings?.key?.key} ${issued}`} apiKey={settings?.key?.key ?? ''} issued={issued} />
        <CodeBlock code={callSnippet('curl', `${serverAddress()}/v1/get-balance/json`, body)} />
      </Stack>
    </Card>
  );
}
