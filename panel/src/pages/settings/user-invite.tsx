// An invitation: address and role, then a link to hand over, shown once.
import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { MemberRole } from '../../../../src/panel-api/contract/facts.ts';
import { placeFault } from '../../forms/form-faults.ts';
import { fullAddress, paths } from '../../paths.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { roleOptions } from './role-options.ts';

export function UserInvite(props: { opened: boolean; onClose: () => void }) {
  const [failure, setFailure] = useState<string | null>(null);
  const [link, setLink] = useState<string | null>(null);
  const form = useForm({
    initialValues: { email: '', role: 'sender' as MemberRole },
    validate: { email: value => (/^\S+@\S+\.\S+$/.test(value.trim()) ? null : t.signUp.needEmail) },
  });
  const invite = useChange('users.invite', {
    ownErrors: true,
    onDone: ({ token }) => {
      setLink(fullAddress(paths.invite(token)));
      form.reset();
      props.onClose();
    },
  });
  const submit = form.onSubmit(values => {
    setFailure(null);
    invite.mutate({ ...values, email: values.email.trim() }, { onError: error => setFailure(placeFault(form, error)) });
  });
  return (
    <>
      <FormDialog
        opened={props.opened}
        title={t.users.inviteTitle}
        failure={failure}
        onClose={props.onClose}
        onSubmit={submit}
        action={t.users.inviteAction}
        busy={invite.isPending}
      >
        <TextInput label={t.users.email} type="email" data-autofocus {...form.getInputProps('email')} />
        <NativeSelect label={t.users.role} data={roleOptions()} {...form.getInputProps('role')} />
      </FormDialog>
      <SecretDialog
        title={t.users.inviteLink}
        body={t.users.inviteLinkNote}
        secrets={link ? [[t.users.inviteLink, link]] : null}
        onClose={() => setLink(null)}
      />
    </>
  );
}
