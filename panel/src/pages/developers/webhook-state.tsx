// One address: off, healthy, failing (since when, how often, when next) or paused, and what can be done with it.
import { DataList, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { dateMinute, duration, number } from '../../format.ts';
import { useChange, useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { ask } from '../../ui/confirm.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Note } from '../../ui/notes.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { DeliveryBody } from './delivery-body.tsx';
import { WebhookForm } from './webhook-form.tsx';

type Webhook = OutputOf<'webhook.list'>['webhooks'][number];
export const webhookLooks = {
  off: { tone: 'gray', icon: 'pause' },
  healthy: { tone: 'teal', icon: 'check' },
  failing: { tone: 'red', icon: 'cross' },
  paused: { tone: 'orange', icon: 'pause' },
} as const;
const testMs = 1_000;

export function WebhookState({ webhook, onSecret }: { webhook: Webhook; onSecret: (secret: string) => void }) {
  const [testId, setTestId] = useState<string | null>(null);
  const test = useChange('webhook.test', { onDone: ({ deliveryId }) => setTestId(deliveryId) });
  const rotate = useChange('webhook.rotateSecret', { onDone: ({ secret }) => onSecret(secret) });
  const [editing, setEditing] = useState(false);
  const toggle = useChange('webhook.save', { done: t.common.saved });
  const remove = useChange('webhook.remove', { done: t.webhook.removed });
  const { id } = webhook;
  const isOff = webhook.state === 'off';
  const startRotation = async () => {
    const question = { title: t.webhook.rotateTitle, body: t.webhook.rotateBody, action: t.webhook.rotate };
    if ((await ask(question)) !== null) rotate.mutate({ id });
  };
  const startRemoval = async () => {
    const question = {
      title: t.webhook.removeTitle,
      body: t.webhook.removeBody(webhook.url, number(webhook.waiting)),
      action: t.webhook.removeUrl,
      danger: true,
    };
    if ((await ask(question)) !== null) remove.mutate({ id });
  };
  const actions = (
    <>
      <RoleButton
        need="sender"
        variant="default"
        reason={isOff ? t.webhook.testOff : null}
        loading={test.isPending}
        onClick={() => test.mutate({ id })}
      >
        {t.webhook.test}
      </RoleButton>
      <RoleButton need="owner" variant="default" onClick={() => setEditing(true)}>
        {t.webhook.edit}
      </RoleButton>
      <RoleButton
        need="owner"
        variant="default"
        loading={toggle.isPending}
        onClick={() => toggle.mutate({ id, enabled: isOff })}
      >
        {isOff ? t.webhook.turnOn : t.webhook.turnOff}
      </RoleButton>
      <RoleButton need="owner" variant="default" loading={rotate.isPending} onClick={() => void startRotation()}>
        {t.webhook.rotate}
      </RoleButton>
      <RoleButton
        need="owner"
        variant="subtle"
        color="red"
        loading={remove.isPending}
        onClick={() => void startRemoval()}
      >
        {t.webhook.removeUrl}
      </RoleButton>
    </>
  );
  return (
    <Card id="adres" title={<Tone {...webhookLooks[webhook.state]}>{t.webhook[webhook.state]}</Tone>} actions={actions}>
      <Stack gap="sm">
        <p className="answer-head small-head">{headline(webhook)}</p>
        <Text className="mono" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {webhook.url}
        </Text>
        {isOff && <Note>{t.webhook.offBody}</Note>}
        {webhook.reason && (webhook.state === 'failing' || webhook.state === 'paused') && (
          <Note kind="bad" title={inOurs(webhook.reason)}>
            {t.webhook.failures(number(webhook.failures))}
          </Note>
        )}
        {webhook.previousSecretUntil && <Note>{t.webhook.previousUntil(dateMinute(webhook.previousSecretUntil))}</Note>}
        <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing={8}>
          <DataList labelWidth={150}>
            <Fact label={t.webhook.chosen}>{webhook.events.map(one => t.webhook.events[one]).join(', ')}</Fact>
            <Fact label={t.webhook.waiting}>{number(webhook.waiting)}</Fact>
            <Fact label={t.webhook.givenUp}>{number(webhook.givenUp)}</Fact>
          </DataList>
          <DataList labelWidth={150}>
            <Fact label={t.webhook.lastSuccess}>
              <Time at={webhook.lastSuccessAt} />
            </Fact>
            {webhook.failingSince && (
              <Fact label={t.webhook.since}>
                <Time at={webhook.failingSince} />
              </Fact>
            )}
            {webhook.nextProbeAt && (
              <Fact label={t.webhook.nextProbe}>
                <Time at={webhook.nextProbeAt} />
              </Fact>
            )}
          </DataList>
        </SimpleGrid>
        {testId && <TestResult id={testId} />}
      </Stack>
      {editing && <WebhookForm webhook={webhook} onClose={() => setEditing(false)} />}
    </Card>
  );
}

/** Whether the address answers, in words. */
function headline(webhook: Webhook): string {
  if (webhook.state === 'off') return t.webhook.headOff;
  if (webhook.state === 'healthy') return webhook.lastSuccessAt ? t.webhook.headHealthy : t.webhook.headNew;
  return webhook.failingSince ? t.webhook.headFailing(dateMinute(webhook.failingSince)) : t.webhook.headPaused;
}

function TestResult({ id }: { id: string }) {
  const read = useRead(
    'webhook.delivery',
    { id },
    { keep: false, refetchMs: data => (data && data.attempts > 0 ? false : testMs) },
  );
  const delivery = read.data;
  return (
    <section aria-label={t.webhook.testResult} role="status" data-testid="webhook-test" data-state={delivery?.state}>
      {!delivery || delivery.attempts === 0 ? (
        <Text size="sm">{t.webhook.testing}</Text>
      ) : (
        <Stack gap="xs">
          <Group gap="xs">
            <Tone
              tone={delivery.state === 'delivered' ? 'teal' : 'red'}
              icon={delivery.state === 'delivered' ? 'check' : 'cross'}
            >
              {delivery.answerStatus ? `HTTP ${delivery.answerStatus}` : t.webhook.noAnswer}
            </Tone>
            {delivery.answerMs !== null && <Text size="sm">{duration(delivery.answerMs)}</Text>}
          </Group>
          <DeliveryBody delivery={delivery} />
        </Stack>
      )}
    </section>
  );
}
