// Builds orders from the rows of a list. A number gets one message per send, whichever row repeats it and whatever its text
// would be; the rest is cut into orders of limited size. Memory holds one piece, one order and the numbers already seen (16
// bytes each).

import { NumberSet } from '../numbers/number-set.ts';
import { badNumberText, formatNumber, parseNumbers } from '../numbers/phone.ts';
import { fieldsIn, fillFields, foldField, valueOrFallback } from '../text/fields.ts';
import { wholeNumber } from '../text/number-cell.ts';
import type { ListShape } from './drafts.ts';

/** `rows`: the row of each recipient in the list, from 0, without the header. */
export type DraftText = {
  text: string;
  recipients: string[];
  rows: number[] /** Of the whole row. */;
  cells: string[][];
};
export type Slice = { texts: DraftText[]; recipients: number };
type RowSample = { row: number; number: string };
type Message = { text: string; fallbacks: Record<string, string> };

const samplesMax = 1_000;

export class ListWalk {
  given = 0;
  duplicate = 0;
  readonly duplicates: RowSample[] = [];
  readonly emptyFields = new Map<string, number>();
  readonly unknownFields = new Set<string>();
  readonly #message: Message;
  readonly #columns: Map<string, number>;
  readonly #fallbacks: Map<string, string>;
  readonly #personal: boolean;
  readonly #numberColumn: number;
  readonly #abroad: boolean;
  readonly #perOrder: number;
  readonly #seen: NumberSet;
  readonly #seenBad = new Set<string>();
  #slice = new Map<string, DraftText>();
  #inSlice = 0;

  constructor(message: Message, shape: ListShape, rowCount: number, abroad: boolean, perOrder: number) {
    this.#message = message;
    // Of two columns with one name the first counts.
    this.#columns = new Map(shape.names.map((name, at) => [foldField(name), at] as const).reverse());
    this.#fallbacks = new Map(Object.entries(message.fallbacks).map(([name, value]) => [foldField(name), value]));
    this.#personal = shape.names.length > 0 && fieldsIn(message.text).length > 0;
    this.#numberColumn = shape.numberColumn;
    this.#abroad = abroad;
    this.#perOrder = perOrder;
    this.#seen = new NumberSet(Math.max(1, rowCount));
  }

  /** Yields each order as soon as it is full. */
  async *slices(pieces: AsyncIterable<string[][]> | Iterable<string[][]>): AsyncGenerator<Slice> {
    for await (const cells of pieces) {
      const given = cells.map(row => wholeNumber(row[this.#numberColumn] ?? ''));
      const numbers = new Float64Array(given.length);
      parseNumbers(given, this.#abroad, numbers);
      for (let i = 0; i < given.length; i++) {
        if (this.#isNew(given[i]!, numbers[i]!)) this.#add(given[i]!, cells[i]!, numbers[i]! > 0);
        this.given++;
        if (this.#inSlice === this.#perOrder) yield this.#take();
      }
    }
    if (this.#inSlice > 0) yield this.#take();
  }

  #isNew(given: string, number: number): boolean {
    if (number > 0 ? this.#seen.add(number) : this.#isNewBad(badNumberText(given))) return true;
    this.duplicate++;
    if (this.duplicates.length < samplesMax)
      this.duplicates.push({ row: this.given, number: number > 0 ? formatNumber(number) : badNumberText(given) });
    return false;
  }

  #isNewBad(name: string): boolean {
    if (this.#seenBad.has(name)) return false;
    this.#seenBad.add(name);
    return true;
  }

  #add(number: string, cells: string[], isNumber: boolean): void {
    const text = this.#personal ? this.#fill(cells, isNumber) : this.#message.text;
    const known = this.#slice.get(text);
    if (known) {
      known.recipients.push(number);
      known.rows.push(this.given);
      known.cells.push(cells);
    } else this.#slice.set(text, { text, recipients: [number], rows: [this.given], cells: [cells] });
    this.#inSlice++;
  }

  /** Counts empty fields only in rows that may be sent. */
  #fill(cells: string[], isNumber: boolean): string {
    return fillFields(this.#message.text, (field, written) => {
      const at = this.#columns.get(field);
      if (at === undefined) {
        this.unknownFields.add(written);
        return undefined;
      }
      const value = cells[at] ?? '';
      if (value.trim() === '' && isNumber) this.emptyFields.set(written, (this.emptyFields.get(written) ?? 0) + 1);
      return valueOrFallback(value, this.#fallbacks.get(field));
    });
  }

  #take(): Slice {
    const slice = { texts: [...this.#slice.values()], recipients: this.#inSlice };
    this.#slice = new Map();
    this.#inSlice = 0;
    return slice;
  }
}
