// Joining an account by the link that its owner shared.
import '../../mantine-more.css';
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { placeFault } from '../../forms/form-faults.ts';
import { PasswordField, passwordProblem } from '../../forms/password-field.tsx';
import { paths } from '../../paths.ts';
import { queryClient, useChange, useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Note } from '../../ui/notes.tsx';
import { PublicFrame, TextLink } from '../../ui/public-frame.tsx';
import { ReadState } from '../../ui/read-state.tsx';

export default function InvitePage() {
  const { token = '' } = useParams({ strict: false }) as { token?: string };
  const offer = useRead('session.invite', { token });
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string | null>(null);
  const known = offer.data?.isKnownUser ?? false;
  const form = useForm({
    initialValues: { name: '', mobile: '', password: '', code: '' },
    validate: known ? {} : { password: passwordProblem },
  });
  const accept = useChange('session.acceptInvite', { ownErrors: true });
  const submit = form.onSubmit(values => {
    setFailure(null);
    const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
    accept.mutate(
      { ...filled, token, password: values.password },
      {
        onSuccess: me => {
          queryClient.setQueryData(['session.me', {}], me);
          void navigate({ to: paths.overview() });
        },
        onError: error => setFailure(placeFault(form, error)),
      },
    );
  });
  if (!offer.data) {
    return (
      <PublicFrame title={t.invite.title} below={<TextLink to={paths.signIn()}>{t.reset.back}</TextLink>}>
        <ReadState of={offer} />
      </PublicFrame>
    );
  }
  const { accountName, role, email } = offer.data;
  return (
    <PublicFrame title={t.invite.title} lead={t.invite.lead(accountName, t.roles[role])}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {failure && <Note kind="bad">{failure}</Note>}
          {known && <Note>{t.invite.known}</Note>}
          <TextInput label={t.signIn.email} value={email} readOnly />
          {!known && <TextInput label={t.signUp.yourName} autoComplete="name" {...form.getInputProps('name')} />}
          {!known && (
            <TextInput
              label={t.signUp.mobile}
              description={t.signUp.mobileHint}
              type="tel"
              autoComplete="tel"
              {...form.getInputProps('mobile')}
            />
          )}
          {known ? (
            <PasswordInput
              label={t.signIn.password}
              autoComplete="current-password"
              {...form.getInputProps('password')}
            />
          ) : (
            <PasswordField label={t.signIn.password} {...form.getInputProps('password')} />
          )}
          {known && (
            <TextInput
              label={t.signIn.code}
              description={t.common.optional}
              autoComplete="one-time-code"
              {...form.getInputProps('code')}
            />
          )}
          <Button type="submit" loading={accept.isPending}>
            {t.invite.submit}
          </Button>
        </Stack>
      </form>
    </PublicFrame>
  );
}
