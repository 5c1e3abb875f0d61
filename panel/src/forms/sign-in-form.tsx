// E-mail, password and, when the server asks for it, the second factor. Used by the page and by the dialog over a page.
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { call, faultOf, sentenceOf } from '../api.ts';
import { queryClient } from '../queries.ts';
import type { Me } from '../session.tsx';
import { t } from '../text/language.ts';
import { Note } from '../ui/notes.tsx';

export function SignInForm(props: { email?: string; forgot?: ReactNode; onDone: (me: Me) => void }) {
  const [needsCode, setNeedsCode] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Three fields need no form library, and nothing else on this page uses one.
    const given = new FormData(event.currentTarget);
    const word = (name: string) => String(given.get(name) ?? '');
    setBusy(true);
    setFailure(null);
    try {
      const code = word('code').replace(/\s/g, '') || undefined;
      const me = await call('session.signIn', { email: word('email').trim(), password: word('password'), code });
      queryClient.setQueryData(['session.me', {}], me);
      props.onDone(me);
    } catch (error) {
      const asks = faultOf(error)?.code === 'totp-required';
      if (asks) setNeedsCode(true);
      if (!asks || needsCode) setFailure(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={event => void submit(event)} noValidate>
      <Stack gap={16}>
        {failure && <Note kind="bad">{failure}</Note>}
        <TextInput
          label={t.signIn.email}
          type="email"
          autoComplete="username"
          required
          data-autofocus
          autoFocus={!props.email}
          name="email"
          defaultValue={props.email}
        />
        <div className="with-forgot">
          <PasswordInput label={t.signIn.password} autoComplete="current-password" required name="password" />
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
            name="code"
          />
        )}
        <Button type="submit" size="lg" loading={busy} mt={8}>
          {t.signIn.submit}
        </Button>
      </Stack>
    </form>
  );
}
