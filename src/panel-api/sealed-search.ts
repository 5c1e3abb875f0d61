// Looking for a piece of text where texts are sealed: the database cannot, so the newest ones are opened and searched here, 5,000 of
// which take some 40 ms. Older sealed ones are not found by their text (docs/security.md).
import { shownText } from '../sealing/content.ts';
import { foldTurkish } from '../text/fold-turkish.ts';

/** Rows that are looked at, beginning with the newest that the other filters leave. */
export const sealedSearchRows = 5_000;

export function idsWithText(found: { id: number; text: string }[], piece: string): number[] {
  const wanted = foldTurkish(piece);
  return found.filter(one => foldTurkish(shownText(one.text)).includes(wanted)).map(one => one.id);
}
