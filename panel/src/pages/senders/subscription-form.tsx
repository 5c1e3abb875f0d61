// The form of the subscription, on its own page and among the first steps.
import { NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import type { UploadedDocument } from '../../../../src/panel-api/contract/shapes.ts';
import type { ApplicantKind } from '../../../../src/panel-api/senders/contract.ts';
import { placeFault } from '../../forms/form-faults.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Note } from '../../ui/notes.tsx';
import { optionsOf } from '../../ui/options.ts';
import { useUnsaved } from '../../ui/unsaved.ts';
import { ApplyButton } from './apply-button.tsx';
import { DocumentField } from './document-field.tsx';

type View = OutputOf<'subscription.read'>;

const required = (value: string) => (value.trim() === '' ? t.signUp.needName : null);

export default function SubscriptionForm({ view }: { view: View }) {
  const before = view.current?.form ?? {};
  const [failure, setFailure] = useState<string | null>(null);
  const [documents, setDocuments] = useState<UploadedDocument[]>(view.current?.documents ?? []);
  const form = useForm({
    initialValues: {
      applicantKind: (before['applicantKind'] ?? 'company') as ApplicantKind,
      title: before['title'] ?? '',
      taxOffice: before['taxOffice'] ?? '',
      taxNumber: before['taxNumber'] ?? '',
      mersis: before['mersis'] ?? '',
      address: before['address'] ?? '',
      contactName: before['contactName'] ?? '',
      contactMobile: before['contactMobile'] ?? '',
      kep: before['kep'] ?? '',
    },
    validate: {
      title: required,
      taxOffice: required,
      taxNumber: value => (/^\d{10,11}$/.test(value.replace(/\s/g, '')) ? null : t.subscription.taxHint),
      address: required,
      contactName: required,
      contactMobile: required,
    },
  });
  const release = useUnsaved(form.isDirty());
  const apply = useChange('subscription.apply', {
    ownErrors: true,
    done: one => t.senderApply.done(String(one.id)),
    onDone: release,
  });
  const submit = form.onSubmit(values => {
    setFailure(null);
    const input = {
      ...values,
      taxNumber: values.taxNumber.replace(/\s/g, ''),
      documents: documents.map(document => document.id),
    };
    apply.mutate(input, { onError: error => setFailure(placeFault(form, error)) });
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {failure && <Note kind="bad">{failure}</Note>}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NativeSelect
            label={t.senderApply.kind}
            data={optionsOf(t.applicantKinds)}
            {...form.getInputProps('applicantKind')}
          />
          <TextInput label={t.subscription.legalTitle} required {...form.getInputProps('title')} />
          <TextInput label={t.subscription.taxOffice} required {...form.getInputProps('taxOffice')} />
          <TextInput
            label={t.subscription.taxNumber}
            description={t.subscription.taxHint}
            inputMode="numeric"
            required
            {...form.getInputProps('taxNumber')}
          />
          <TextInput
            label={`${t.subscription.mersis} (${t.common.optional})`}
            inputMode="numeric"
            {...form.getInputProps('mersis')}
          />
          <TextInput label={`${t.subscription.kep} (${t.common.optional})`} {...form.getInputProps('kep')} />
          <TextInput label={t.subscription.contactName} required {...form.getInputProps('contactName')} />
          <TextInput
            label={t.subscription.contactMobile}
            type="tel"
            required
            {...form.getInputProps('contactMobile')}
          />
        </SimpleGrid>
        <Textarea label={t.subscription.address} required {...form.getInputProps('address')} />
        <DocumentField
          needed={view.documentsNeeded[form.values.applicantKind]}
          documents={documents}
          onChange={setDocuments}
        />
        <ApplyButton need="owner" isPending={apply.isPending} />
      </Stack>
    </form>
  );
}
