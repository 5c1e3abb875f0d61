// The log of a program names no text, no whole number and no secret of what was sent to it: looked at whenever a program of a
// test ends, for everything that the test sent.

const textMin = 6;
const kept = 20_000;

export class Sent {
  readonly #numbers = new Set<string>();
  readonly #texts = new Set<string>();

  /** Whatever stands in a request: numbers by their last ten digits, texts as they are. */
  note(value: unknown, name = ''): void {
    if (Array.isArray(value)) for (const one of value) this.note(one, name);
    else if (value !== null && typeof value === 'object')
      for (const [member, one] of Object.entries(value)) this.note(one, member);
    else if (typeof value === 'string' || typeof value === 'number') this.#one(String(value), name);
  }

  #one(value: string, name: string): void {
    const digits = value.replace(/[\s+()-]/g, '');
    // An order of another cell has a number as long as a phone's.
    if (name !== 'id' && /^\d{10,15}$/.test(digits)) put(this.#numbers, digits.slice(-10));
    else if (['text', 'hash', 'password'].includes(name) && value.length >= textMin) put(this.#texts, value);
  }

  /** What of it stands in these lines, with the line. */
  foundIn(lines: string[]): string[] {
    const texts = [...this.#texts].map(one => JSON.stringify(one).slice(1, -1));
    return lines.flatMap(line => {
      const number = (line.match(/\d{10,}/g) ?? []).find(one => this.#numbers.has(one.slice(-10)));
      const found = number ?? texts.find(one => line.includes(one));
      return found === undefined ? [] : [`${found} in ${line}`];
    });
  }
}

function put(set: Set<string>, value: string): void {
  if (set.size < kept) set.add(value);
}
