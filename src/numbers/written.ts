// Numbers as peers write them: with or without plus, zeros and country code. They are found by their last ten digits and
// compared by their meaning.
import { parseNumber } from './phone.ts';

const shortDigits = 10;

export function lastDigits(number: number): string {
  return String(number).slice(-shortDigits);
}

export function isWritten(number: number, written: string): boolean {
  if (parseNumber(written, true) === number) return true;
  return /^\d{11,15}$/.test(written) && parseNumber(`+${written}`, true) === number;
}
