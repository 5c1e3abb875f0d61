// Whether programs may use the account at all, and what the account is called.
import { Button, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange, useRead } from '../../queries.ts';
import { useMay } from '../../session.tsx';
import { t } from '../../text/language.ts';
import { ask } from '../../ui/confirm.tsx';
import { Page } from '../../ui/page.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { Setting } from './setting.tsx';

export default function AccessPage() {
  const read = useRead('settings.read', {});
  const mayOwn = useMay('owner');
  const setApi = useChange('settings.setApi', { done: t.common.saved });
  const rename = useChange('settings.setName', { done: t.common.saved });
  const [name, setName] = useState<string | null>(null);
  const toggle = async (enabled: boolean) => {
    const question = {
      title: t.access.turnOff,
      body: t.access.turnOffBody,
      action: t.access.turnOffAction,
      danger: true,
    };
    if (!enabled && (await ask(question)) === null) return;
    setApi.mutate({ enabled });
  };
  const settings = read.data;
  return (
    <Page title={t.access.title}>
      <ReadState of={read} />
      {settings && (
        <div className="settings-rows">
          <Setting
            label={t.access.allow}
            hint={mayOwn ? t.access.allowHint : `${t.access.allowHint} ${t.roles.needs(t.roles.owner)}`}
          >
            <Switch
              aria-label={t.access.allow}
              checked={settings.apiEnabled}
              disabled={!mayOwn || setApi.isPending}
              onChange={event => void toggle(event.currentTarget.checked)}
            />
          </Setting>
          <Setting label={t.access.name} hint={t.access.nameHint}>
            <TextInput
              aria-label={t.access.name}
              value={name ?? settings.name}
              readOnly={!mayOwn}
              maxLength={200}
              onChange={event => setName(event.currentTarget.value)}
            />
            <Button
              variant="default"
              disabled={!mayOwn || name === null || name.trim() === settings.name}
              loading={rename.isPending}
              onClick={() => rename.mutate({ name: (name ?? '').trim() })}
            >
              {t.common.save}
            </Button>
          </Setting>
        </div>
      )}
    </Page>
  );
}
