// Staff open an account for a customer; key, hash and invitation are shown once.
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { placeFault } from '../../forms/form-faults.ts';
import { fullAddress, paths } from '../../paths.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
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
      <FormDialog
        opened={props.opened}
        title={t.accounts.openTitle}
        failure={failure}
        onClose={props.onClose}
        onSubmit={submit}
        action={t.accounts.openAction}
        busy={open.isPending}
      >
        <TextInput label={t.accounts.name} data-autofocus {...form.getInputProps('name')} />
        <TextInput
          label={`${t.accounts.ownerEmail} (${t.common.optional})`}
          description={t.accounts.ownerHint}
          type="email"
          {...form.getInputProps('ownerEmail')}
        />
      </FormDialog>
      <SecretDialog
        title={t.accounts.opened}
        body={t.apiAccess.newBody}
        secrets={secrets}
        onClose={() => setMade(null)}
      />
    </>
  );
}
