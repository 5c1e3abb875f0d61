// What the account's character mode does to a text, letter by letter, for showing before anything is sent. The text
// itself is prepared by the same function as on the server.
import { cutAtFields } from '../../../../src/text/fields.ts';
import { type Mode, prepareText } from '../../../../src/text/prepare.ts';

type Piece = { kind: 'same' | 'changed' | 'dropped'; text: string };

const shownMax = 3_000;
const segmenter = new Intl.Segmenter('tr', { granularity: 'grapheme' });

/** null where nothing changes. */
export function conversionOf(given: string, mode: Mode): { pieces: Piece[]; changed: number; dropped: number } | null {
  const sent = prepareText(given, mode).text;
  if (sent === given) return null;
  const pieces: Piece[] = [];
  const count = { changed: 0, dropped: 0 };
  const add = (kind: Piece['kind'], text: string) => {
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += text;
    else if (text !== '') pieces.push({ kind, text });
  };
  for (const [at, cut] of cutAtFields(given.slice(0, shownMax)).entries()) {
    // A placeholder is replaced before anything is converted.
    if (at % 2 === 1) add('same', cut);
    else
      for (const piece of piecesOf(cut, mode)) {
        if (piece.kind !== 'same') count[piece.kind] += 1;
        add(piece.kind, piece.text);
      }
  }
  return { pieces, ...count };
}

function* piecesOf(text: string, mode: Mode): Generator<Piece> {
  for (const { segment } of segmenter.segment(text)) {
    const made = prepareText(segment, mode).text;
    if (made === segment) yield { kind: 'same', text: segment };
    else yield made === '' ? { kind: 'dropped', text: segment } : { kind: 'changed', text: made };
  }
}
