// A webhook address: its URL and the events that are posted to it. Adds one, or changes the one that is given.
import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { defaultEvents, webhookEvents } from '../../../../src/webhooks/events.ts';
import { placeFault } from '../../forms/form-faults.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { RoleButton } from '../../ui/role-button.tsx';

type Webhook = OutputOf<'webhook.list'>['webhooks'][number];
type Props = {
  webhook?: Webhook;
  onClose: () => void;
  onAdded?: (added: OutputOf<'webhook.add'>) => void;
};

export function WebhookForm({ webhook, onClose, onAdded }: Props) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    initialValues: { url: webhook?.url ?? '', events: (webhook?.events as string[]) ?? [...defaultEvents] },
    validate: { events: chosen => (chosen.length === 0 ? t.webhook.chooseOne : null) },
  });
  const add = useChange('webhook.add', { ownErrors: true, onDone: added => onAdded?.(added) });
  const save = useChange('webhook.save', { ownErrors: true, done: t.common.saved, onDone: onClose });
  const submit = form.onSubmit(values => {
    setFailure(null);
    const given = { url: values.url.trim(), events: webhookEvents.filter(one => values.events.includes(one)) };
    const onError = (error: unknown) => setFailure(placeFault(form, error));
    if (webhook) save.mutate({ id: webhook.id, ...given }, { onError });
    else add.mutate(given, { onError });
  });
  return (
    <FormDialog
      opened
      title={webhook ? t.webhook.edit : t.webhook.add}
      failure={failure}
      onClose={onClose}
      onSubmit={submit}
      button={
        <RoleButton need="owner" type="submit" loading={add.isPending || save.isPending}>
          {t.webhook.save}
        </RoleButton>
      }
    >
      <TextInput
        label={t.webhook.url}
        description={t.webhook.urlHint}
        placeholder="https://ornek.com.tr/sms-bildirim"
        data-autofocus
        {...form.getInputProps('url')}
      />
      <Checkbox.Group label={t.webhook.choose} {...form.getInputProps('events')}>
        <Stack gap={8} mt={6}>
          {webhookEvents.map(name => (
            <Checkbox key={name} value={name} label={t.webhook.events[name]} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}
