// No address yet: one field, the events, and a test as soon as the address is added.
import { Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { defaultEvents, webhookEvents } from '../../../../src/webhooks/events.ts';
import { placeFault } from '../../forms/form-faults.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Note } from '../../ui/notes.tsx';
import { RoleButton } from '../../ui/role-button.tsx';

type Props = { onAdded: (added: OutputOf<'webhook.add'>) => void; onVerify: () => void };

export function WebhookFirst({ onAdded, onVerify }: Props) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    initialValues: { url: '', events: [...defaultEvents] as string[] },
    validate: { events: chosen => (chosen.length === 0 ? t.webhook.chooseOne : null) },
  });
  const add = useChange('webhook.add', { ownErrors: true, onDone: onAdded });
  const submit = form.onSubmit(values => {
    setFailure(null);
    const events = webhookEvents.filter(one => values.events.includes(one));
    add.mutate({ url: values.url.trim(), events }, { onError: error => setFailure(placeFault(form, error)) });
  });
  return (
    <section className="webhook-first" aria-label={t.webhook.first}>
      <div>
        <h2 className="first-head">{t.webhook.first}</h2>
        <p className="answer-rest">{t.webhook.firstBody}</p>
      </div>
      <form onSubmit={submit} noValidate>
        {failure && <Note kind="bad">{failure}</Note>}
        <div className="webhook-field">
          <TextInput
            aria-label={t.webhook.url}
            type="url"
            placeholder="https://api.ornekmagaza.example/peyk"
            {...form.getInputProps('url')}
          />
          <RoleButton need="owner" type="submit" loading={add.isPending}>
            {t.webhook.addAndTest}
          </RoleButton>
        </div>
        <Checkbox.Group aria-label={t.webhook.choose} {...form.getInputProps('events')}>
          <div className="check-row">
            {webhookEvents.map(name => (
              <Checkbox key={name} value={name} label={t.webhook.events[name]} />
            ))}
          </div>
        </Checkbox.Group>
      </form>
      <div>
        <button type="button" className="link-button" onClick={onVerify}>
          {t.webhook.verifyHow}
        </button>
      </div>
    </section>
  );
}
