// Numbers typed or pasted freely: one on a line, or several with commas, semicolons or tabs between them. Blanks stay
// inside a number ("0555 000 00 00"), unless the line is nothing but whole numbers side by side.
import { unguarded } from '../../../src/text/table-cell.ts';

const whole = /^(?:\+|00)?\d{10,15}$/;

type Typed = { values: string[] /** The line each one stands in, from 1. */; lines: number[] };

export function readTyped(text: string): Typed {
  const typed: Typed = { values: [], lines: [] };
  text.split(/\r\n|\n|\r/).forEach((line, at) => {
    for (const value of numbersIn(line)) {
      typed.values.push(value);
      typed.lines.push(at + 1);
    }
  });
  return typed;
}

function numbersIn(line: string): string[] {
  return line
    .split(/[,;\t]+/)
    .flatMap(piece => {
      const words = piece.trim().split(/\s+/);
      return words.length > 1 && words.every(word => whole.test(word)) ? words : [piece.trim()];
    })
    .filter(piece => piece !== '')
    .map(unguarded);
}

/** Pasted cells of a spreadsheet come with tabs between columns: then the text is a table, not a list. */
export function isTable(text: string): boolean {
  const lines = text.split(/\r\n|\n|\r/, 20).filter(line => line.trim() !== '');
  const letters = lines.filter(line => /\p{L}/u.test(line)).length;
  return lines.length > 0 && letters > 0 && lines.every(line => /[\t;,|]/.test(line));
}
