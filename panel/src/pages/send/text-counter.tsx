// Encoding, characters, parts and credits under the text, and what the character mode changes in it.
import { Box, Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
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
    <Group gap="sm" align="flex-start" id="sayac" data-testid="text-counter">
      <PartMeter parts={parts} filled={units / Math.max(1, units + leftUnits)} most={options.partsMax} />
      <Box flex={1} miw={220}>
        <Text size="sm" fw="var(--fw-strong)" c={tooLong ? 'var(--bad-text)' : undefined}>
          {tooLong
            ? t.send.tooLong(options.partsMax)
            : t.send.counter(t.encodings[encoding], number(units), number(parts), number(parts))}
        </Text>
        <Text size="sm" c="dimmed">
          {measured?.worst ? `${t.send.counterWorst(number(measured.worst.line))} · ` : ''}
          {units > 0 && !tooLong && t.send.left(number(leftUnits))}
        </Text>
      </Box>
    </Group>
  );
}

const metersMin = 4;

/** Leaning segments: one for each part, the last one as full as it is. */
function PartMeter({ parts, filled, most }: { parts: number; filled: number; most: number }) {
  const shown = Math.min(most, Math.max(metersMin, parts));
  const full = filled * parts;
  return (
    <svg viewBox={`0 0 ${shown * 38} 10`} width={shown * 36} height={10} className="part-meter" aria-hidden="true">
      {Array.from({ length: shown }, (_, at) => {
        const share = Math.max(0, Math.min(1, full - at));
        const segment = (width: number) => `M${at * 38 + 2.5} 0h${width}l-2.5 10h-${width}z`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a segment has no name but its place
          <g key={at}>
            <path d={segment(33)} fill="var(--chart-queued)" />
            {share > 0 && <path d={segment(33 * share)} fill={parts > most ? 'var(--bad-fill)' : 'var(--ok-fill)'} />}
          </g>
        );
      })}
    </svg>
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
