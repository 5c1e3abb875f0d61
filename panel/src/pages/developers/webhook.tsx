// The address that outcomes are posted to: its health in words, a test that shows the exact bytes, deliveries with
// resend, and how to verify a signature.
import { Button, Checkbox, Group, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { placeFault } from '../../forms/form-faults.ts';
import { useChange, useRead } from '../../queries.ts';
import { useMay } from '../../session.tsx';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { LoadError, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { Deliveries } from './deliveries.tsx';
import { verifySnippet } from './snippets.ts';
import { WebhookState } from './webhook-state.tsx';

type Webhook = OutputOf<'webhook.read'>;
const eventNames = ['accepted', 'delivered', 'undelivered'] as const;
const refreshMs = 5_000;

export default function WebhookPage() {
  const read = useRead('webhook.read', {}, { refetchMs: refreshMs });
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Page title={t.webhook.title} lead={t.webhook.lead}>
      {read.error ? (
        <LoadError error={read.error} since={read.data && read.dataUpdatedAt} retry={() => void read.refetch()} />
      ) : null}
      {read.data && <WebhookState webhook={read.data} onSecret={setSecret} />}
      {read.data && <AddressForm key={read.data.url} webhook={read.data} onSecret={setSecret} />}
      {read.data?.url && <Deliveries />}
      <Card title={t.webhook.verify} hint={t.webhook.verifyLead}>
        <CodeBlock code={verifySnippet} label={t.webhook.verify} />
      </Card>
      <SecretDialog
        title={t.webhook.secret}
        body={t.webhook.secretOnce}
        secrets={secret ? [[t.webhook.secret, secret]] : null}
        onClose={() => setSecret(null)}
      />
    </Page>
  );
}

function AddressForm({ webhook, onSecret }: { webhook: Webhook; onSecret: (secret: string) => void }) {
  const mayOwn = useMay('owner');
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    initialValues: { url: webhook.url, inbound: webhook.inbound, events: webhook.events as string[] },
  });
  const save = useChange('webhook.save', {
    ownErrors: true,
    done: t.common.saved,
    onDone: saved => saved.secret && onSecret(saved.secret),
  });
  const submit = form.onSubmit(values => {
    setFailure(null);
    save.mutate(
      {
        url: values.url.trim(),
        inbound: values.inbound,
        events: eventNames.filter(one => values.events.includes(one)),
      },
      { onError: error => setFailure(placeFault(form, error)) },
    );
  });
  return (
    <Card>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {failure && <Note kind="bad">{failure}</Note>}
          <TextInput
            label={t.webhook.url}
            description={t.webhook.urlHint}
            placeholder="https://ornek.com.tr/sms-bildirim"
            readOnly={!mayOwn}
            {...form.getInputProps('url')}
          />
          <Checkbox.Group label={t.webhook.choose} {...form.getInputProps('events')}>
            <Group mt={6}>
              {eventNames.map(name => (
                <Checkbox key={name} value={name} label={t.webhook.events[name]} disabled={!mayOwn} />
              ))}
            </Group>
          </Checkbox.Group>
          <Switch
            label={t.webhook.inbound}
            disabled={!mayOwn}
            {...form.getInputProps('inbound', { type: 'checkbox' })}
          />
          <Group>
            <RoleButton need="owner" type="submit" loading={save.isPending}>
              {t.webhook.save}
            </RoleButton>
            {webhook.url && mayOwn && (
              <Button variant="subtle" color="gray" onClick={() => save.mutate({ url: '' })}>
                {t.webhook.removeUrl}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
