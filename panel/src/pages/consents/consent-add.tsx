// One consent record by hand. The date starts at now; the server checks every rule.
import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { lazy, Suspense, useEffect, useState } from 'react';
import { sentenceOf } from '../../api.ts';
import { number, toTurkeyTime } from '../../format.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { optionsOf } from '../../ui/options.ts';

const DateTimeField = lazy(() => import('../../ui/date-time-field.tsx'));
// Older ones are refused.
const daysBack = 3;

type Props = { opened: boolean; onClose: () => void; brands: number[] };

export function ConsentAdd({ opened, onClose, brands }: Props) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    initialValues: {
      brand: '',
      recipient: '',
      recipientType: 'BIREYSEL',
      type: 'MESAJ',
      status: 'ONAY',
      source: 'HS_WEB',
      consentDate: '',
    },
    validate: { recipient: value => (value.trim() === '' ? t.signUp.needName : null) },
  });
  const { setFieldValue } = form;
  useEffect(() => {
    if (opened) setFieldValue('consentDate', toTurkeyTime(new Date()));
  }, [opened, setFieldValue]);
  const add = useChange('consent.add', {
    ownErrors: true,
    done: ({ stored }) => t.consents.added(number(stored)),
    onDone: onClose,
  });
  const submit = form.onSubmit(({ brand, consentDate, ...values }) => {
    setFailure(null);
    const row = { ...values, recipient: values.recipient.trim(), consentDate };
    add.mutate({ brand: Number(brand || brands[0]), rows: [row] }, { onError: error => setFailure(sentenceOf(error)) });
  });
  return (
    <FormDialog
      opened={opened}
      title={t.consents.add}
      failure={failure}
      onClose={onClose}
      onSubmit={submit}
      action={t.consents.addAction}
      busy={add.isPending}
    >
      {brands.length > 1 && (
        <NativeSelect label={t.consents.brand} data={brands.map(String)} {...form.getInputProps('brand')} />
      )}
      <TextInput label={t.consents.recipient} data-autofocus {...form.getInputProps('recipient')} />
      <NativeSelect
        label={t.consents.recipientType}
        data={optionsOf(t.recipientTypes)}
        {...form.getInputProps('recipientType')}
      />
      <NativeSelect label={t.consents.type} data={optionsOf(t.consentTypes)} {...form.getInputProps('type')} />
      <NativeSelect label={t.consents.status} data={optionsOf(t.consentStatuses)} {...form.getInputProps('status')} />
      <NativeSelect label={t.consents.source} data={optionsOf(t.consentSources)} {...form.getInputProps('source')} />
      <Suspense fallback={null}>
        <DateTimeField
          label={t.consents.date}
          description={t.consents.dateHint}
          daysBack={daysBack}
          value={form.values.consentDate || null}
          onChange={value => setFieldValue('consentDate', value ?? '')}
        />
      </Suspense>
    </FormDialog>
  );
}
