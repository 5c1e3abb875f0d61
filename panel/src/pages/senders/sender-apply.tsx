// Applying for a sender ID: rules checked while typing, shown on a phone, with the documents this applicant needs.
import { Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import type { UploadedDocument } from '../../../../src/panel-api/contract/shapes.ts';
import type { ApplicantKind } from '../../../../src/panel-api/senders/contract.ts';
import { placeFault } from '../../forms/form-faults.ts';
import { paths } from '../../paths.ts';
import { useChange, useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Note } from '../../ui/notes.tsx';
import { optionsOf } from '../../ui/options.ts';
import { Page } from '../../ui/page.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { ApplyButton } from './apply-button.tsx';
import { DocumentField } from './document-field.tsx';
import { senderRules } from './sender-rules.ts';

export default function SenderApplyPage() {
  const read = useRead('senders.list', {});
  const { baslik } = useSearch({ strict: false });
  if (!read.data) {
    return (
      <Page title={t.senderApply.title}>
        <ReadState of={read} />
      </Page>
    );
  }
  const earlier = read.data.senders.find(sender => sender.name === baslik);
  return <ApplyForm list={read.data} name={baslik ?? ''} kept={earlier?.documents ?? []} />;
}

function ApplyForm(props: { list: OutputOf<'senders.list'>; name: string; kept: UploadedDocument[] }) {
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string | null>(null);
  const [documents, setDocuments] = useState(props.kept);
  const form = useForm({
    initialValues: { name: props.name, applicantKind: 'company' as ApplicantKind, note: '' },
    validate: { name: value => (senderRules().every(rule => rule.holds(value)) ? null : t.senderApply.needName) },
  });
  const release = useUnsaved(form.isDirty() || documents.length > props.kept.length);
  const apply = useChange('senders.apply', {
    ownErrors: true,
    done: application => t.senderApply.done(String(application.id)),
    onDone: () => {
      release();
      void navigate({ to: paths.senders() });
    },
  });
  const submit = form.onSubmit(values => {
    setFailure(null);
    const input = {
      ...values,
      note: values.note.trim() || undefined,
      documents: documents.map(document => document.id),
    };
    apply.mutate(input, { onError: error => setFailure(placeFault(form, error)) });
  });
  const { name, applicantKind } = form.values;
  return (
    <Page title={t.senderApply.title}>
      {!props.list.hasSubscription && <Note kind="warn">{t.senders.subscriptionFirst}</Note>}
      <div className="with-handset">
        <Card>
          <form onSubmit={submit} noValidate>
            <Stack gap="md">
              {failure && <Note kind="bad">{failure}</Note>}
              <TextInput
                label={t.senderApply.name}
                description={t.senderApply.nameHint}
                maxLength={11}
                className="mono-input"
                {...form.getInputProps('name')}
              />
              <Stack gap={2} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
                {senderRules().map(rule => (
                  <Rule key={rule.sentence} sentence={rule.sentence} holds={name === '' ? null : rule.holds(name)} />
                ))}
              </Stack>
              <NativeSelect
                label={t.senderApply.kind}
                data={optionsOf(t.applicantKinds)}
                {...form.getInputProps('applicantKind')}
              />
              {props.kept.length > 0 && <Note>{t.senderApply.kept}</Note>}
              <DocumentField
                needed={props.list.documentsNeeded[applicantKind]}
                documents={documents}
                onChange={setDocuments}
              />
              <Textarea
                label={`${t.senderApply.note} (${t.common.optional})`}
                maxLength={500}
                {...form.getInputProps('note')}
              />
              <ApplyButton need="owner" isPending={apply.isPending} />
            </Stack>
          </form>
        </Card>
        <div className="handset" style={{ justifySelf: 'center' }}>
          <div className="from">{name || '–'}</div>
          <div className="bubble">{t.senderApply.previewText}</div>
        </div>
      </div>
    </Page>
  );
}

/** `holds` is null before anything is typed. */
function Rule(props: { sentence: string; holds: boolean | null }) {
  return (
    <Group component="li" gap={6}>
      <Glyph name={props.holds === null ? 'queued' : props.holds ? 'delivered' : 'failed'} />
      {props.holds !== null && <span className="visually-hidden">{props.holds ? t.common.yes : t.common.no}: </span>}
      <Text size="sm">{props.sentence}</Text>
    </Group>
  );
}
