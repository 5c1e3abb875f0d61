// The log of a program contains no text, no whole number and no secret that was sent to it: checked whenever a test's program
// ends, for everything that the test sent.

const textMin = 6;
const kept = 20_000;

export class Sent {
  readonly #numbers = new Set<string>();
  readonly #texts = new Set<string>();

  /** Everything in a request: numbers by their last ten digits, texts unchanged. */
  note(value: unknown, name = ''): void {
    if (Array.isArray(value)) for (const one of value) this.note(one, name);
    else if (value !== null && typeof value === 'object')
      for (const [member, one] of Object.entries(value)) this.note(one, member);
    else if (typeof value === 'string' || typeof value === 'number') this.#one(String(value), name);
  }

  #one(value: string, name: string): void {
    const digits = value.replace(/[\s+()-]/g, '');
    // An order of another cell has an id as long as a phone number.
    if (name !== 'id' && /^\d{10,15}$/.test(digits)) put(this.#numbers, digits.slice(-10));
    else if (['text', 'hash', 'password'].includes(name) && value.length >= textMin) put(this.#texts, value);
  }

  /** What the lines contain of it, with the line. */
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
