// Staff open an account for a customer; key, hash and invitation are shown once.
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { placeFault } from '../../forms/form-faults.ts';
import { fullAddress, paths } from '../../paths.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Note } from '../../ui/notes.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';

export function OpenAccount(props: { opened: boolean; onClose: () => void }) {
  const [failure, setFailure] = useState<string | null>(null);
  const [made, setMade] = useState<OutputOf<'staff.openAccount'> | null>(null);
  const form = useForm({
    initialValues: { name: '', ownerEmail: '' },
    validate: { name: value => (value.trim() === '' ? t.signUp.needName : null) },
  });
  const open = useChange('staff.openAccount', {
    ownErrors: true,
    onDone: account => {
      setMade(account);
      form.reset();
      props.onClose();
    },
  });
  const submit = form.onSubmit(values => {
    setFailure(null);
    const input = { name: values.name.trim(), ownerEmail: values.ownerEmail.trim() || undefined };
    open.mutate(input, { onError: error => setFailure(placeFault(form, error)) });
  });
  const secrets: [string, string][] | null = made && [
    [t.accounts.id, String(made.id)],
    [t.apiAccess.key, made.key],
    [t.apiAccess.hash, made.hash],
    [t.apiAccess.secret, made.secret],
    ...(made.invite ? [[t.accounts.invite, fullAddress(paths.invite(made.invite.token))] as [string, string]] : []),
  ];
  return (
    <>
      <Modal
        opened={props.opened}
        onClose={props.onClose}
        title={t.accounts.openTitle}
        closeButtonProps={{ 'aria-label': t.common.close }}
      >
        <form onSubmit={submit} noValidate>
          <Stack gap="sm">
            {failure && <Note kind="bad">{failure}</Note>}
            <TextInput label={t.accounts.name} data-autofocus {...form.getInputProps('name')} />
            <TextInput
              label={`${t.accounts.ownerEmail} (${t.common.optional})`}
              description={t.accounts.ownerHint}
              type="email"
              {...form.getInputProps('ownerEmail')}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={props.onClose}>
                {t.common.cancel}
              </Button>
              <Button type="submit" loading={open.isPending}>
                {t.accounts.openAction}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      <SecretDialog
        title={t.accounts.opened}
        body={t.apiAccess.newBody}
        secrets={secrets}
        onClose={() => setMade(null)}
      />
    </>
  );
}
