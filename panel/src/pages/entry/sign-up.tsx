// Opening an account: one screen, a code that proves the mobile number, then straight to the first SMS.
import '../../mantine-more.css';
import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { faultOf } from '../../api.ts';
import { asTurkishMobile } from '../../format.ts';
import { placeFault } from '../../forms/form-faults.ts';
import { PasswordField, passwordProblem } from '../../forms/password-field.tsx';
import { paths } from '../../paths.ts';
import { queryClient, useChange, useRead } from '../../queries.ts';
import { languageCode, t } from '../../text/language.ts';
import { announce } from '../../ui/announce.tsx';
import { LegalLinks, versionsOf } from '../../ui/legal-text.tsx';
import { Note } from '../../ui/notes.tsx';
import { PublicFrame, TextLink } from '../../ui/public-frame.tsx';
import { ReadState } from '../../ui/read-state.tsx';

export default function SignUpPage() {
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string | null>(null);
  const [isSent, setSent] = useState(false);
  const form = useForm({
    initialValues: { accountName: '', email: '', mobile: '', password: '', terms: false, code: '' },
    validate: {
      accountName: value => (value.trim() === '' ? t.signUp.needName : null),
      email: value => (/^\S+@\S+\.\S+$/.test(value.trim()) ? null : t.signUp.needEmail),
      mobile: value => (asTurkishMobile(value) ? null : t.signUp.needMobile),
      password: passwordProblem,
      terms: value => (value ? null : t.signUp.needTerms),
      code: value => (isSent && value.trim() === '' ? t.signUp.needCode : null),
    },
  });
  const legal = useRead('legal.current', {});
  const texts = legal.data?.texts ?? [];
  const start = useChange('session.signUpStart', {
    ownErrors: true,
    onDone: () => {
      setSent(true);
      announce(t.signUp.sent(form.values.mobile));
    },
  });
  const signUp = useChange('session.signUp', { ownErrors: true });
  const onError = (error: unknown) => {
    // Nobody accepts an unread text: the new version is shown and the box is cleared.
    if (faultOf(error)?.code === 'terms-changed') {
      form.setFieldValue('terms', false);
      void legal.refetch();
    }
    setFailure(placeFault(form, error));
  };
  const submit = form.onSubmit(({ terms: _, code, ...values }) => {
    setFailure(null);
    const input = { ...values, email: values.email.trim(), language: languageCode() };
    if (!isSent) return start.mutate(input, { onError });
    signUp.mutate(
      { ...input, ...versionsOf(texts), code: code.replace(/\s/g, '') },
      {
        onSuccess: me => {
          queryClient.setQueryData(['session.me', {}], me);
          void navigate({ to: paths.start() });
        },
        onError,
      },
    );
  });
  // The same button corrects a wrong number and requests a lost code again.
  const change = () => {
    form.setFieldValue('code', '');
    setSent(false);
  };
  const below = (
    <>
      {t.signUp.have} <TextLink to={paths.signIn()}>{t.signIn.submit}</TextLink>
    </>
  );
  return (
    <PublicFrame title={t.signUp.title} lead={t.signUp.lead} below={below}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {failure && <Note kind="bad">{failure}</Note>}
          <TextInput
            label={t.signUp.accountName}
            autoComplete="organization"
            required
            {...form.getInputProps('accountName')}
          />
          <TextInput
            label={t.signIn.email}
            type="email"
            autoComplete="email"
            required
            readOnly={isSent}
            {...form.getInputProps('email')}
          />
          <TextInput
            label={t.signUp.mobile}
            description={t.signUp.mobileHint}
            placeholder="5XX XXX XX XX"
            type="tel"
            autoComplete="tel"
            required
            readOnly={isSent}
            {...form.getInputProps('mobile')}
          />
          <PasswordField label={t.signIn.password} required {...form.getInputProps('password')} />
          <Checkbox label={t.signUp.terms} {...form.getInputProps('terms', { type: 'checkbox' })} />
          <ReadState of={legal} height={20} />
          <LegalLinks texts={texts} />
          {isSent && (
            <>
              <Note kind="good">{t.signUp.sent(form.values.mobile)}</Note>
              <TextInput
                label={t.signUp.code}
                inputMode="numeric"
                autoComplete="one-time-code"
                className="mono-input"
                autoFocus
                required
                {...form.getInputProps('code')}
              />
            </>
          )}
          <Button type="submit" loading={start.isPending || signUp.isPending} mt={4}>
            {isSent ? t.signUp.submit : t.signUp.sendCode}
          </Button>
          {isSent && (
            <Button variant="subtle" onClick={change}>
              {t.signUp.change}
            </Button>
          )}
        </Stack>
      </form>
    </PublicFrame>
  );
}
