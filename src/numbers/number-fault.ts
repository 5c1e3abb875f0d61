// Why a text is not a number that can be sent to, in one word; the panel shows a sentence beside the row.
import { parseNumber, separators } from './phone.ts';

export type NumberFault =
  | 'empty'
  | 'damaged'
  | 'not-digits'
  | 'too-short'
  | 'too-long'
  | 'landline'
  | 'abroad-off'
  | 'not-in-use';

const nationalDigits = 10;
const exponent = /^\d(?:[.,]\d+)?E\+?\d{1,2}$/i;

/** null for a valid number. */
export function numberFault(given: string, abroad: boolean): NumberFault | null {
  if (parseNumber(given, abroad) > 0) return null;
  const text = given.trim();
  if (text === '') return 'empty';
  if (exponent.test(text)) return 'damaged';
  const compact = Array.from(text, char => (separators.includes(char) ? '' : char)).join('');
  if (!/^\+?\d+$/.test(compact)) return 'not-digits';
  const isForeign = /^(?:\+|00)/.test(compact) && !/^(?:\+|00)90/.test(compact);
  if (isForeign) return faultOfForeign(compact, abroad);
  return faultOfNational(compact.replace(/^(?:\+90|0090|90(?=\d{10}$)|0)/, ''));
}

function faultOfForeign(compact: string, abroad: boolean): NumberFault {
  if (!abroad && parseNumber(compact, true) > 0) return 'abroad-off';
  const digits = compact.replace(/^(?:\+|00)/, '').length;
  return digits < 8 ? 'too-short' : digits > 15 ? 'too-long' : 'not-in-use';
}

function faultOfNational(national: string): NumberFault {
  if (national.length < nationalDigits) return 'too-short';
  if (national.length > nationalDigits) return 'too-long';
  return national.startsWith('5') ? 'not-in-use' : 'landline';
}
