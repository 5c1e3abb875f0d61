// What was sent, as it was sent, and the movements of credit that belong to the order.
import { SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { number } from '../../format.ts';
import { paths } from '../../paths.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Time } from '../../ui/time.tsx';

type View = OutputOf<'orders.read'>;

export function OrderTexts({ order }: { order: View }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Card title={t.order.texts}>
        <Stack gap="md">
          {order.textList.map(text => (
            <div key={text.no}>
              <div className="bubble">{text.text}</div>
              <Text size="sm" c="dimmed" mt={2} component="div">
                {t.encodings[text.encoding]} · {t.order.parts(text.parts)} ·{' '}
                {t.order.recipientsOf(number(text.recipients))}
                <CopyButton value={text.text} />
              </Text>
            </div>
          ))}
        </Stack>
      </Card>
      <Stack gap="md">
        <Card title={t.order.ledger} flush>
          <table className="grid">
            <tbody>
              {order.ledger.map(entry => (
                <tr key={`${entry.at}${entry.kind}`}>
                  <td>
                    <Time at={entry.at} />
                  </td>
                  <td>{t.ledgerKinds[entry.kind as keyof typeof t.ledgerKinds] ?? entry.kind}</td>
                  <td className="right">{number(entry.sms)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Card>
        <Card title={t.order.webhook}>
          <Link to={paths.webhook()} className="link">
            {t.order.webhookState(number(order.webhook.pending), number(order.webhook.givenUp))}
          </Link>
        </Card>
      </Stack>
    </SimpleGrid>
  );
}
