// Encoding, characters, parts and credits under the text, and what the character mode changes in it.
import { Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { creditsFor, type Mode, prepareText } from '../../../../src/text/prepare.ts';
import { number } from '../../format.ts';
import type { Measured } from '../../recipients/messages.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { conversionOf } from './conversion.ts';

type Props = { text: string; options: OutputOf<'send.options'>; measured: Measured | null };

export function TextCounter({ text, options, measured }: Props) {
  const own = useMemo(() => prepareText(text, options.mode), [text, options.mode]);
  const counted = measured?.worst ?? own;
  const { encoding, units, parts } = counted;
  const leftUnits = unitsLeft(units, encoding);
  const tooLong = parts > options.partsMax;
  return (
    <Group justify="space-between" gap="xs" id="sayac" data-testid="text-counter">
      <Text size="sm" fw="var(--fw-strong)" c={tooLong ? 'var(--bad-text)' : undefined}>
        {tooLong
          ? t.send.tooLong(options.partsMax)
          : t.send.counter(t.encodings[encoding], number(units), number(parts), number(parts))}
      </Text>
      <Text size="sm" c="dimmed">
        {measured?.worst ? `${t.send.counterWorst(number(measured.worst.line))} · ` : ''}
        {units > 0 && !tooLong && t.send.left(number(leftUnits))}
      </Text>
    </Group>
  );
}

/** Room until the next part begins, by the same table as the price. */
function unitsLeft(units: number, encoding: Parameters<typeof creditsFor>[1]): number {
  const parts = Math.max(1, creditsFor(units, encoding));
  let room = 0;
  while (room < 160 && creditsFor(units + room + 1, encoding) === parts) room += 1;
  return room;
}

export function ConversionNote({ text, mode }: { text: string; mode: Mode }) {
  const conversion = useMemo(() => conversionOf(text, mode), [text, mode]);
  if (!conversion || conversion.changed + conversion.dropped === 0) return null;
  return (
    <Card title={t.send.diffTitle} hint={t.send.diffNote(conversion.changed, conversion.dropped)}>
      <div style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} data-testid="conversion">
        {conversion.pieces.map((piece, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no name but their place
          <span key={at} className={piece.kind === 'same' ? undefined : `diff-${piece.kind}`}>
            {piece.text}
          </span>
        ))}
      </div>
    </Card>
  );
}
