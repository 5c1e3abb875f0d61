// The sign-in dialog for a session that ended: over the open page, so nothing typed is lost.
import { Modal, Stack, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { finishSignIn, isSignInAsked, onSignInAsked } from '../api.ts';
import { SignInForm } from '../forms/sign-in-form.tsx';
import { useMe } from '../session.tsx';
import { t } from '../text/language.ts';

export function SignInAgain() {
  const asked = useSyncExternalStore(onSignInAsked, isSignInAsked);
  const me = useMe();
  const leave = () => {
    finishSignIn(false);
    window.location.assign('/panel/giris');
  };
  return (
    <Modal
      opened={asked}
      onClose={leave}
      closeOnClickOutside={false}
      title={t.shell.again}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <Stack gap="sm">
        <Text size="sm">{t.shell.againBody}</Text>
        <SignInForm email={me.user.email} onDone={() => finishSignIn(true)} />
      </Stack>
    </Modal>
  );
}
