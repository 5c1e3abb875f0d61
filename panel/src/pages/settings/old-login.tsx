// User name and password for clients that do not support keys: off by default, with a warning; the password is shown
// once.
import { Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { sentenceOf } from '../../api.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { ask } from '../../ui/confirm.tsx';
import { Note } from '../../ui/notes.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { Time } from '../../ui/time.tsx';

export function OldLoginCard({ login }: { login: OutputOf<'settings.read'>['oldLogin'] }) {
  const [username, setUsername] = useState('');
  const [shown, setShown] = useState<{ username: string; password: string } | null>(null);
  const change = useChange('settings.setOldLogin', { ownErrors: true, onDone: ({ login: made }) => setShown(made) });
  const turnOff = async () => {
    const question = { title: t.oldLogin.offTitle, body: t.oldLogin.offBody, action: t.oldLogin.off, danger: true };
    if ((await ask(question)) !== null) change.mutate({ enabled: false });
  };
  const close = () => {
    setShown(null);
    change.reset();
  };
  const wanted = username.trim() || login?.username;
  return (
    <Card title={t.oldLogin.title} hint={t.oldLogin.lead}>
      <Stack gap="sm">
        <Note kind="warn">{t.oldLogin.warning}</Note>
        {login && (
          <Text size="sm">
            {t.oldLogin.isOn(login.username)} <Time at={login.since} />
          </Text>
        )}
        <TextInput
          label={`${t.oldLogin.username} (${t.common.optional})`}
          description={t.oldLogin.usernameHint}
          className="mono-input"
          autoComplete="off"
          value={username}
          error={change.error ? sentenceOf(change.error) : null}
          onChange={event => setUsername(event.currentTarget.value)}
        />
        <Group>
          <RoleButton
            need="owner"
            variant="default"
            loading={change.isPending}
            onClick={() => change.mutate({ enabled: true, ...(wanted ? { username: wanted } : {}) })}
          >
            {login ? t.oldLogin.renew : t.oldLogin.on}
          </RoleButton>
          {login && (
            <RoleButton need="owner" variant="default" onClick={() => void turnOff()}>
              {t.oldLogin.off}
            </RoleButton>
          )}
        </Group>
      </Stack>
      <SecretDialog
        title={t.oldLogin.newTitle}
        body={t.oldLogin.newBody}
        secrets={
          shown && [
            [t.oldLogin.username, shown.username],
            [t.oldLogin.password, shown.password],
          ]
        }
        onClose={close}
      />
    </Card>
  );
}
