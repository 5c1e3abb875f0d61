// What Peyk posts to a customer's address: bodies, headers, and which answers count as delivered.
import { List, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { verifySnippet } from '../../../../src/api/snippets.ts';
import { webhookEvents } from '../../../../src/webhooks/events.ts';
import { exampleBody } from '../../../../src/webhooks/payload.ts';
import { paths } from '../../paths.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';

export function WebhookReference() {
  const headers = [
    'Content-Type: application/json',
    'User-Agent: Peyk/1',
    'X-Peyk-Delivery: 1000000001-1',
    'X-Peyk-Timestamp: 1767387845',
    'X-Peyk-Signature: v1=<hex HMAC-SHA256>',
  ];
  const names = [...webhookEvents, 'test'] as const;
  return (
    <Stack gap="md" style={{ minWidth: 0 }}>
      <Card title={t.docs.webhookTitle} hint={t.docs.webhookLead}>
        <Stack gap="sm">
          {names.map(name => (
            <div key={name}>
              <Text size="sm" fw="var(--fw-strong)" mb={4}>
                {t.webhook.events[name]}
              </Text>
              <CodeBlock code={JSON.stringify(exampleBody(name), null, 2)} label={t.webhook.events[name]} />
            </div>
          ))}
          <Text size="sm">{t.docs.webhookFields}</Text>
          <Link to={paths.webhook()} className="link">
            {t.webhook.title}
          </Link>
        </Stack>
      </Card>
      <Card title={t.docs.headers}>
        <Stack gap="sm">
          <CodeBlock code={headers.join('\n')} label={t.docs.headers} />
          <List size="sm" spacing={2}>
            {t.docs.webhookRules.map(rule => (
              <List.Item key={rule}>{rule}</List.Item>
            ))}
          </List>
        </Stack>
      </Card>
      <Card title={t.webhook.verify} hint={t.webhook.verifyLead}>
        <CodeBlock code={verifySnippet} label={t.webhook.verify} />
      </Card>
    </Stack>
  );
}
