// E-mail, password and, when the server asks for it, the second factor. Used by the page and by the dialog over a page.
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { call, faultOf, sentenceOf } from '../api.ts';
import { queryClient } from '../queries.ts';
import type { Me } from '../session.tsx';
import { t } from '../text/language.ts';
import { Note } from '../ui/notes.tsx';

export function SignInForm(props: { email?: string; forgot?: ReactNode; onDone: (me: Me) => void }) {
  const form = useForm({ initialValues: { email: props.email ?? '', password: '', code: '' } });
  const [needsCode, setNeedsCode] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = form.onSubmit(async ({ email, password, code }) => {
    setBusy(true);
    setFailure(null);
    try {
      const given = code.replace(/\s/g, '');
      const me = await call('session.signIn', { email: email.trim(), password, code: given || undefined });
      queryClient.setQueryData(['session.me', {}], me);
      props.onDone(me);
    } catch (error) {
      const asks = faultOf(error)?.code === 'totp-required';
      if (asks) setNeedsCode(true);
      if (!asks || needsCode) setFailure(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        {failure && <Note kind="bad">{failure}</Note>}
        <TextInput
          label={t.signIn.email}
          type="email"
          autoComplete="username"
          required
          data-autofocus
          autoFocus={!props.email}
          {...form.getInputProps('email')}
        />
        <div className="with-forgot">
          <PasswordInput
            label={t.signIn.password}
            autoComplete="current-password"
            required
            {...form.getInputProps('password')}
          />
          {props.forgot}
        </div>
        {needsCode && (
          <TextInput
            label={t.signIn.code}
            description={t.signIn.codeHint}
            autoComplete="one-time-code"
            inputMode="text"
            className="mono-input"
            data-autofocus
            autoFocus
            {...form.getInputProps('code')}
          />
        )}
        <Button type="submit" size="lg" loading={busy} mt={8}>
          {t.signIn.submit}
        </Button>
      </Stack>
    </form>
  );
}
