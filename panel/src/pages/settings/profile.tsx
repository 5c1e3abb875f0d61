// The person behind the session: name and number, password, second factor, open sessions.
import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { phone } from '../../format.ts';
import { placeFault } from '../../forms/form-faults.ts';
import { PasswordField, passwordProblem } from '../../forms/password-field.tsx';
import { useChange, useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { TwoFactorCard } from './two-factor-card.tsx';

type Profile = OutputOf<'profile.read'>;

export default function ProfilePage() {
  const read = useRead('profile.read', {});
  return (
    <Page title={t.profile.title} lead={read.data?.email}>
      <ReadState of={read} />
      {read.data && (
        <Stack gap="md">
          <div className="two-cards">
            <DetailsForm key={`${read.data.name}${read.data.mobile}`} profile={read.data} />
            <PasswordForm />
          </div>
          <TwoFactorCard profile={read.data} />
          <SessionsCard />
        </Stack>
      )}
    </Page>
  );
}

function DetailsForm({ profile }: { profile: Profile }) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    initialValues: { name: profile.name, mobile: profile.mobile ? phone(profile.mobile) : '', password: '' },
  });
  const save = useChange('profile.update', { ownErrors: true, done: t.common.saved });
  const newMobile = form.values.mobile !== form.getInitialValues().mobile;
  const submit = form.onSubmit(values => {
    setFailure(null);
    const input = newMobile
      ? { name: values.name, mobile: values.mobile, password: values.password }
      : { name: values.name };
    save.mutate(input, { onError: error => setFailure(placeFault(form, error)) });
  });
  return (
    <Card title={t.profile.details}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {failure && <Note kind="bad">{failure}</Note>}
          <TextInput label={t.profile.name} autoComplete="name" {...form.getInputProps('name')} />
          <TextInput
            label={t.profile.mobile}
            description={t.profile.mobileHint}
            type="tel"
            autoComplete="tel"
            {...form.getInputProps('mobile')}
          />
          {newMobile && (
            <PasswordInput
              label={t.profile.current}
              autoComplete="current-password"
              {...form.getInputProps('password')}
            />
          )}
          <Group>
            <Button type="submit" variant="default" loading={save.isPending}>
              {t.common.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

function PasswordForm() {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ initialValues: { current: '', password: '' }, validate: { password: passwordProblem } });
  const change = useChange('profile.changePassword', {
    ownErrors: true,
    done: t.profile.changed,
    onDone: () => form.reset(),
  });
  const submit = form.onSubmit(values => {
    setFailure(null);
    change.mutate(values, { onError: error => setFailure(placeFault(form, error)) });
  });
  return (
    <Card title={t.profile.passwordTitle}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {failure && <Note kind="bad">{failure}</Note>}
          <PasswordInput label={t.profile.current} autoComplete="current-password" {...form.getInputProps('current')} />
          <PasswordField label={t.profile.newPassword} {...form.getInputProps('password')} />
          <Group>
            <Button type="submit" variant="default" loading={change.isPending}>
              {t.profile.change}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
