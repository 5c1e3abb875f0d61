// What the account's character mode does to a text, letter by letter, for showing before anything is sent. The text
// itself is prepared by the same function as on the server.
import { type Mode, prepareText } from '../../../../src/text/prepare.ts';

export type Piece = { kind: 'same' | 'changed' | 'dropped'; text: string };

const shownMax = 3_000;
const segmenter = new Intl.Segmenter('tr', { granularity: 'grapheme' });

/** null where nothing changes. */
export function conversionOf(given: string, mode: Mode): { pieces: Piece[]; changed: number; dropped: number } | null {
  const sent = prepareText(given, mode).text;
  if (sent === given) return null;
  const pieces: Piece[] = [];
  const count = { changed: 0, dropped: 0 };
  for (const { segment } of segmenter.segment(given.slice(0, shownMax))) {
    const made = prepareText(segment, mode).text;
    const kind = made === segment ? 'same' : made === '' ? 'dropped' : 'changed';
    if (kind !== 'same') count[kind] += 1;
    const last = pieces.at(-1);
    const text = kind === 'dropped' ? segment : made;
    if (last?.kind === kind) last.text += text;
    else pieces.push({ kind, text });
  }
  return { pieces, ...count };
}
