// Searches sealed texts. The database cannot, so the newest 5,000 are opened and searched here, in some 40 ms. Older sealed
// texts are not found (docs/security.md).
import { shownText } from '../../sealing/content.ts';
import { foldTurkish } from '../../text/fold-turkish.ts';

/** Rows to search, beginning with the newest that pass the other filters. */
export const sealedSearchRows = 5_000;

export function idsWithText(found: { id: number; text: string }[], piece: string): number[] {
  const wanted = foldTurkish(piece);
  return found.filter(one => foldTurkish(shownText(one.text)).includes(wanted)).map(one => one.id);
}
