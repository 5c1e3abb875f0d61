// Credit and rate of a customer's account: both need a reason.
import { NumberInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { randomKey } from '../../api.ts';
import { number } from '../../format.ts';
import { placeFault } from '../../forms/form-faults.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

type Props = { account: { id: number; name: string; rate: number }; opened: boolean; onClose: () => void };

const needed = (value: string) => (value.trim() === '' ? t.signUp.needName : null);

export function GrantCredit({ account, opened, onClose }: Props) {
  const [failure, setFailure] = useState<string | null>(null);
  // One per opened form: sent again after a lost answer, the grant counts once.
  const [key, setKey] = useState(randomKey);
  const close = () => {
    setKey(randomKey());
    onClose();
  };
  const form = useForm({
    initialValues: { sms: 0, reason: '' },
    validate: { reason: needed, sms: value => (Number.isInteger(value) && value !== 0 ? null : t.signUp.needName) },
  });
  const grant = useChange('staff.grantCredit', {
    ownErrors: true,
    done: ({ sms }) => t.account.granted(number(sms)),
    onDone: () => {
      form.reset();
      close();
    },
  });
  const submit = form.onSubmit(values => {
    setFailure(null);
    grant.mutate(
      { id: account.id, sms: Number(values.sms), reason: values.reason.trim(), key },
      { onError: error => setFailure(placeFault(form, error)) },
    );
  });
  return (
    <FormDialog
      opened={opened}
      title={t.account.grantTitle(account.name)}
      failure={failure}
      onClose={close}
      onSubmit={submit}
      action={t.account.grant}
      busy={grant.isPending}
    >
      <NumberInput
        label={t.account.grantSms}
        allowDecimal={false}
        thousandSeparator="."
        decimalSeparator=","
        data-autofocus
        hideControls
        {...form.getInputProps('sms')}
      />
      <TextInput label={t.account.grantReason} maxLength={200} {...form.getInputProps('reason')} />
    </FormDialog>
  );
}

export function SetRate({ account, opened, onClose }: Props) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ initialValues: { rate: account.rate, reason: '' }, validate: { reason: needed } });
  const set = useChange('staff.setAccount', { ownErrors: true, done: t.common.saved, onDone: onClose });
  const submit = form.onSubmit(values => {
    setFailure(null);
    set.mutate(
      { id: account.id, rate: Number(values.rate), reason: values.reason.trim() },
      { onError: error => setFailure(placeFault(form, error)) },
    );
  });
  return (
    <FormDialog
      opened={opened}
      title={t.account.rateTitle}
      failure={failure}
      onClose={onClose}
      onSubmit={submit}
      action={t.common.save}
      busy={set.isPending}
    >
      <NumberInput
        label={t.account.rateLabel}
        min={1}
        max={1_000_000}
        allowDecimal={false}
        data-autofocus
        hideControls
        {...form.getInputProps('rate')}
      />
      <TextInput label={t.common.reason} maxLength={200} {...form.getInputProps('reason')} />
    </FormDialog>
  );
}
