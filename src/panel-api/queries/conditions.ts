// Filters of lists: collects conditions and their values, so that the statement contains only the requested ones. Condition
// texts come from our own files; values always travel as parameters.
export class Conditions {
  readonly #texts: string[] = [];
  readonly values: unknown[] = [];

  /** `?` in the text stands for the value, wherever it occurs. Undefined and null mean "no filter". */
  add(text: string, value: unknown): this {
    if (value === undefined || value === null) return this;
    this.values.push(value);
    this.#texts.push(text.replaceAll('?', `$${this.values.length}`));
    return this;
  }

  /** A condition without a value. */
  plain(text: string): this {
    this.#texts.push(text);
    return this;
  }

  /** The placeholder of a further value that is not a condition (a limit). */
  place(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  get where(): string {
    return this.#texts.length ? `where ${this.#texts.join(' and ')}` : '';
  }
}

/** The piece of a `like` pattern that matches the text literally. */
export function likePiece(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

export function pageOf<T, R>(
  found: T[],
  size: number,
  cursor: (last: T) => string,
  show: (one: T) => R,
): { rows: R[]; next: string | null } {
  const page = found.slice(0, size);
  return { rows: page.map(show), next: found.length > size ? cursor(page.at(-1)!) : null };
}

/** Cursors are ids, or several integers separated by dots; anything else starts from the beginning. */
export function cursorParts(cursor: string | undefined, count: number): number[] | null {
  const parts = cursor?.split('.').map(Number) ?? [];
  return parts.length === count && parts.every(Number.isSafeInteger) ? parts : null;
}
