// A new password by a code that arrives as SMS through the platform itself.
import '../../mantine-more.css';
import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { placeFault } from '../../forms/form-faults.ts';
import { PasswordField, passwordProblem } from '../../forms/password-field.tsx';
import { paths } from '../../paths.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Note } from '../../ui/notes.tsx';
import { PublicFrame, TextLink } from '../../ui/public-frame.tsx';

export default function ResetPage() {
  const navigate = useNavigate();
  const [sent, setSent] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    initialValues: { email: '', code: '', password: '' },
    validate: {
      email: value => (/^\S+@\S+\.\S+$/.test(value.trim()) ? null : t.signUp.needEmail),
      password: value => (sent ? passwordProblem(value) : null),
    },
  });
  const start = useChange('session.resetStart', { ownErrors: true, onDone: () => setSent(true) });
  const done = () => void navigate({ to: paths.signIn() });
  const finish = useChange('session.resetFinish', { ownErrors: true, done: t.reset.done, onDone: done });
  const onError = (error: unknown) => setFailure(placeFault(form, error));
  const submit = form.onSubmit(values => {
    setFailure(null);
    const email = values.email.trim();
    if (!sent) start.mutate({ email }, { onError });
    else finish.mutate({ email, code: values.code.replace(/\s/g, ''), password: values.password }, { onError });
  });
  return (
    <PublicFrame
      title={t.reset.title}
      lead={t.reset.lead}
      below={<TextLink to={paths.signIn()}>{t.reset.back}</TextLink>}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {failure && <Note kind="bad">{failure}</Note>}
          <TextInput
            label={t.signIn.email}
            type="email"
            autoComplete="username"
            required
            readOnly={sent}
            {...form.getInputProps('email')}
          />
          {sent && <Note kind="good">{t.reset.sent}</Note>}
          {sent && (
            <TextInput
              label={t.reset.code}
              inputMode="numeric"
              autoComplete="one-time-code"
              className="mono-input"
              autoFocus
              {...form.getInputProps('code')}
            />
          )}
          {sent && <PasswordField label={t.reset.password} {...form.getInputProps('password')} />}
          <Button type="submit" loading={start.isPending || finish.isPending}>
            {sent ? t.reset.submit : t.reset.send}
          </Button>
        </Stack>
      </form>
    </PublicFrame>
  );
}
