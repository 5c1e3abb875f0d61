// One address: off, healthy, failing (since when, how often, next attempt) or paused, and the possible actions.
import { Group, Stack, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { date, dateMinute, dayMonth, hourMinute, number } from '../../format.ts';
import { useChange, useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { ask } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Note } from '../../ui/notes.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { medianMs } from './attempt-figures.ts';
import { AttemptStrip, answerTime, useAttempts } from './attempts.tsx';
import { DeliveryBody } from './delivery-body.tsx';
import { WebhookForm } from './webhook-form.tsx';

type Webhook = OutputOf<'webhook.list'>['webhooks'][number];
export const webhookLooks = {
  off: { tone: 'gray', icon: 'pause' },
  healthy: { tone: 'teal', icon: 'check' },
  failing: { tone: 'red', icon: 'cross' },
  paused: { tone: 'orange', icon: 'pause' },
} as const;
export const webhookGlyphs = {
  off: 'cancelled',
  healthy: 'delivered',
  failing: 'failed',
  paused: 'paused',
} as const;
const testMs = 1_000;

type Props = {
  webhook: Webhook;
  /** Delivery id of the last test of this address. */
  testId: string | null;
  isTesting: boolean;
  onTest: () => void;
  onSecret: (secret: string) => void;
};

/** Posts a sample event; `onSent` gets the delivery to watch. */
export const useWebhookTest = (onSent: (deliveryId: string) => void) =>
  useChange('webhook.test', { onDone: ({ deliveryId }) => onSent(deliveryId) });

export function WebhookState({ webhook, testId, isTesting, onTest, onSecret }: Props) {
  const attempts = useAttempts(webhook.id);
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
  return (
    <section id="adres" className="stack" aria-label={webhook.url}>
      <div className="answer">
        <div>
          <p className="answer-head mid-head">{headline(webhook, medianMs(attempts))}</p>
          <p className="answer-rest">
            {webhook.reason && (webhook.state === 'failing' || webhook.state === 'paused') && (
              <>
                <b className="bad">{inOurs(webhook.reason)}</b>, {t.webhook.failures(number(webhook.failures))}.{' '}
              </>
            )}
            {isOff ? t.webhook.offBody : waits(webhook)}{' '}
            {webhook.nextProbeAt && (
              <>
                {t.webhook.nextProbe}: <Time at={webhook.nextProbeAt} />.
              </>
            )}
          </p>
        </div>
        <div className="page-actions">
          <RoleButton
            need="sender"
            variant="default"
            leftSection={<IconPlayerPlay size={16} />}
            reason={isOff ? t.webhook.testOff : null}
            loading={isTesting}
            aria-keyshortcuts="t"
            onClick={onTest}
          >
            {t.webhook.test}
          </RoleButton>
          <RoleButton need="owner" variant="default" onClick={() => setEditing(true)}>
            {t.webhook.edit}
          </RoleButton>
        </div>
      </div>
      <div className="url-line">
        <span className="soft">POST</span>
        <span className="mono">{webhook.url}</span>
        <Tone {...webhookLooks[webhook.state]}>{t.webhook[webhook.state]}</Tone>
        <CopyButton value={webhook.url} label={`${t.copy.label}: ${t.webhook.url}`} />
      </div>
      <AttemptStrip attempts={attempts} />
      {webhook.previousSecretUntil && <Note>{t.webhook.previousUntil(dateMinute(webhook.previousSecretUntil))}</Note>}
      <div className="share-words">
        <span>
          {t.webhook.chosen}: <b>{webhook.events.map(one => t.webhook.events[one]).join(', ')}</b>
        </span>
        <span>
          {t.webhook.lastSuccess}:{' '}
          <b>
            <Time at={webhook.lastSuccessAt} />
          </b>
        </span>
      </div>
      {testId && <TestResult id={testId} />}
      <div className="page-actions">
        <RoleButton
          need="owner"
          size="xs"
          variant="default"
          loading={toggle.isPending}
          onClick={() => toggle.mutate({ id, enabled: isOff })}
        >
          {isOff ? t.webhook.turnOn : t.webhook.turnOff}
        </RoleButton>
        <RoleButton
          need="owner"
          size="xs"
          variant="default"
          loading={rotate.isPending}
          onClick={() => void startRotation()}
        >
          {t.webhook.rotate}
        </RoleButton>
        <RoleButton
          need="owner"
          size="xs"
          variant="subtle"
          color="red"
          loading={remove.isPending}
          onClick={() => void startRemoval()}
        >
          {t.webhook.removeUrl}
        </RoleButton>
      </div>
      {editing && <WebhookForm webhook={webhook} onClose={() => setEditing(false)} />}
    </section>
  );
}

const waits = ({ waiting, givenUp }: Webhook): string =>
  waiting === 0 && givenUp === 0
    ? t.webhook.nothingWaits
    : t.webhook.waits(number(waiting), givenUp > 0 ? number(givenUp) : null);

/** "14:09", or "18 Kas 14:09" of another day. */
function sinceWords(at: string): string {
  const isToday = date(at) === date(new Date());
  return isToday ? hourMinute(at) : `${dayMonth(at)} ${hourMinute(at)}`;
}

/** One sentence: does the address answer? */
function headline(webhook: Webhook, median: number | null): string {
  if (webhook.state === 'off') return t.webhook.headOff;
  if (webhook.state === 'healthy') {
    if (!webhook.lastSuccessAt) return t.webhook.headNew;
    return median === null ? t.webhook.headHealthy : t.webhook.headMedian(answerTime(median));
  }
  return webhook.failingSince ? t.webhook.headFailing(sinceWords(webhook.failingSince)) : t.webhook.headPaused;
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
      <ReadState of={read} height={20} />
      {!delivery || delivery.attempts === 0 ? (
        !read.error && <Text size="sm">{t.webhook.testing}</Text>
      ) : (
        <Stack gap="sm">
          <Group gap="sm">
            <Tone
              tone={delivery.state === 'delivered' ? 'teal' : 'red'}
              icon={delivery.state === 'delivered' ? 'check' : 'cross'}
            >
              {delivery.answerStatus ? `HTTP ${delivery.answerStatus}` : t.webhook.noAnswer}
            </Tone>
            {delivery.answerMs !== null && <Text size="sm">{answerTime(delivery.answerMs)}</Text>}
          </Group>
          <DeliveryBody delivery={delivery} />
        </Stack>
      )}
    </section>
  );
}
