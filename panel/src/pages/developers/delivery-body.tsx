// The exact bytes of one delivery and its answer, as they went over the wire.
import { Stack, Text } from '@mantine/core';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { inOurs, t } from '../../text/language.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Note } from '../../ui/notes.tsx';

type Delivery = OutputOf<'webhook.delivery'>;

export function DeliveryBody({ delivery }: { delivery: Delivery }) {
  const headers = [
    `POST ${delivery.url}`,
    'Content-Type: application/json',
    ...(delivery.timestamp === null ? [] : [`X-Peyk-Timestamp: ${delivery.timestamp}`]),
    ...(delivery.signature === null ? [] : [`X-Peyk-Signature: ${delivery.signature}`]),
    `X-Peyk-Delivery: ${delivery.id}`,
  ];
  return (
    <Stack gap="sm">
      {delivery.error && <Note kind="bad">{inOurs(delivery.error)}</Note>}
      <Text size="sm" fw="var(--fw-strong)">
        {t.webhook.response}
      </Text>
      <CodeBlock
        code={
          delivery.answerStatus === null
            ? t.webhook.noAnswer
            : `HTTP ${delivery.answerStatus}\n\n${delivery.answerBody ?? ''}`
        }
        wrap
        label={t.webhook.response}
      />
      <Text size="sm" fw="var(--fw-strong)">
        {t.webhook.request}
      </Text>
      <CodeBlock code={`${headers.join('\n')}\n\n${delivery.body ?? ''}`} wrap label={t.webhook.request} />
    </Stack>
  );
}
