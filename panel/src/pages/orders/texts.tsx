// The texts of an order as they were sent.
import { Text } from '@mantine/core';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number } from '../../format.ts';
import { t } from '../../text/language.ts';
import { CopyButton } from '../../ui/copy.tsx';

export function OrderTexts({ order }: { order: OutputOf<'orders.read'> }) {
  return (
    <section className="block" aria-label={t.order.texts}>
      <h2>{t.order.texts}</h2>
      <div className="texts">
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
      </div>
    </section>
  );
}
