// Health of the address: healthy, failing (since when, how often, when next) or paused; test and secret beside it.
import { DataList, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { dateMinute, duration, number } from '../../format.ts';
import { useChange, useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { ask } from '../../ui/confirm.tsx';
import { Empty, Note } from '../../ui/notes.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { DeliveryBody } from './delivery-body.tsx';

type Webhook = OutputOf<'webhook.read'>;
const looks = {
  healthy: { tone: 'teal', icon: 'check' },
  failing: { tone: 'red', icon: 'cross' },
  paused: { tone: 'orange', icon: 'pause' },
} as const;
const testMs = 1_000;

export function WebhookState({ webhook, onSecret }: { webhook: Webhook; onSecret: (secret: string) => void }) {
  const [testId, setTestId] = useState<string | null>(null);
  const test = useChange('webhook.test', { onDone: ({ deliveryId }) => setTestId(deliveryId) });
  const rotate = useChange('webhook.rotateSecret', { onDone: ({ secret }) => onSecret(secret) });
  if (webhook.state === 'none') {
    return (
      <div className="panel-card">
        <Empty title={t.webhook.none}>{t.webhook.noneBody}</Empty>
      </div>
    );
  }
  const look = looks[webhook.state];
  const startRotation = async () => {
    const question = { title: t.webhook.rotateTitle, body: t.webhook.rotateBody, action: t.webhook.rotate };
    if ((await ask(question)) !== null) rotate.mutate({});
  };
  const actions = (
    <>
      <RoleButton need="sender" variant="default" loading={test.isPending} onClick={() => test.mutate({})}>
        {t.webhook.test}
      </RoleButton>
      <RoleButton need="owner" variant="default" loading={rotate.isPending} onClick={() => void startRotation()}>
        {t.webhook.rotate}
      </RoleButton>
    </>
  );
  return (
    <Card title={<Tone {...look}>{t.webhook[webhook.state]}</Tone>} actions={actions}>
      <Stack gap="sm">
        {webhook.reason && webhook.state !== 'healthy' && (
          <Note kind="bad" title={inOurs(webhook.reason)}>
            {t.webhook.failures(number(webhook.failures))}
          </Note>
        )}
        {webhook.previousSecretUntil && <Note>{t.webhook.previousUntil(dateMinute(webhook.previousSecretUntil))}</Note>}
        <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing={8}>
          <DataList labelWidth={130}>
            <Fact label={t.webhook.waiting}>{number(webhook.waiting)}</Fact>
            <Fact label={t.webhook.givenUp}>{number(webhook.givenUp)}</Fact>
          </DataList>
          <DataList labelWidth={130}>
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
    </Card>
  );
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

function Fact(props: { label: string; children: React.ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{props.label}</DataList.ItemLabel>
      <DataList.ItemValue>{props.children}</DataList.ItemValue>
    </DataList.Item>
  );
}
