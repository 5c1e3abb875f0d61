// Reads the receipts in a carrier's post, or in its answer to our poll, by the carrier's description.

import type { CallShape, ReceiptShape } from '../../carriers/http/definition.ts';
import type { ReceiptState } from '../../smpp/receipt.ts';
import type { Said } from '../carrier-reports.ts';
import { holds, type Reading, readAs } from './read-answer.ts';

const wordMax = 20;

/** The items that the description selects; null if the text could not be read. */
export function itemsOf({ read, list, only = [] }: CallShape, text: string): Reading[] | null {
  const reading = readAs(read, text);
  const items = list === undefined ? [reading] : reading.list(list);
  if (items.length === 0) return /^\s*\[\s*\]\s*$/.test(text) ? [] : null;
  return items.filter(one => only.every(test => holds(test, one)));
}

/** `asked`: the id of our poll, used if the answer does not repeat it. */
export function saidOf(shape: ReceiptShape, item: Reading, asked = ''): Said & { number: string } {
  const word = (item.at(shape.state) ?? '').trim();
  const state = Object.hasOwn(shape.states, word) ? (shape.states[word] as ReceiptState) : 'UNKNOWN';
  return {
    messageId: shape.id === undefined ? asked : (item.at(shape.id) ?? ''),
    state,
    word: word.replace(/[^\x21-\x7e]/g, '?').slice(0, wordMax),
    error: shape.error === undefined ? '' : (item.at(shape.error) ?? ''),
    number: shape.number === undefined ? '' : (item.at(shape.number) ?? ''),
  };
}
