// Numbers as peers write them: with or without the plus, the zeros and the country code. By their last ten digits they are found, by what
// they mean they are compared.
import { parseNumber } from './phone.ts';

const shortDigits = 10;

export function lastDigits(number: number): string {
  return String(number).slice(-shortDigits);
}

export function isWritten(number: number, written: string): boolean {
  if (parseNumber(written, true) === number) return true;
  return /^\d{11,15}$/.test(written) && parseNumber(`+${written}`, true) === number;
}
