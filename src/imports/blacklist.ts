// Imports a blacklist: one number per row; other columns are ignored.
import { addManyToBlacklist } from '../blacklist/bulk.ts';
import { type NumberFault, numberFault } from '../numbers/number-fault.ts';
import { parseNumber } from '../numbers/phone.ts';
import { wholeNumber } from '../text/number-cell.ts';
import { kindOf, numberHeadings, sorted } from './kinds.ts';

const reasons: Record<NumberFault, string> = {
  empty: 'numara boş / no number',
  damaged: 'Excel rakamları yuvarlamış / Excel has rounded the digits away',
  'not-digits': 'numara değil / not a number',
  'too-short': 'numara kısa / too short',
  'too-long': 'numara uzun / too long',
  landline: 'sabit hat / a landline',
  'abroad-off': 'yurt dışı numarası, hesapta kapalı / a number abroad, which the account may not write to',
  'not-in-use': 'kullanılmayan numara bloğu / a block that is not in use',
};

/** Returns the number, or why it is not valid. */
function readNumber(cell: string, abroad: boolean): number | string {
  const text = wholeNumber(cell.trim());
  const number = parseNumber(text, abroad);
  return number > 0 ? number : reasons[numberFault(text, abroad) ?? 'not-digits'];
}

export const blacklistKind = kindOf<'number'>({
  fields: { number: numberHeadings },
  fits: cell => typeof readNumber(cell, true) === 'number',
  async take(tx, { accountId, abroad, fileName }, rows) {
    const { good, refused } = sorted(rows, row => readNumber(row.number, abroad));
    const added = await addManyToBlacklist(tx, accountId, [...new Set(good)], 'import', fileName);
    return { added, known: good.length - added, refused };
  },
});
