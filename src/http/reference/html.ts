// HTML templates. Values are escaped unless they were made by these templates.
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | Html[];

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((whole, piece, i) => whole + rendered(parts[i - 1]!) + piece));
}

function rendered(part: Part): string {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(one => one.text).join('');
  return escaped(String(part));
}

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, mark => marks[mark]!);
}

/** A note of the contract: text between backticks is shown as code. */
export function marked(note: string): Html[] {
  return note.split('`').map((piece, i) => (i % 2 === 0 ? html`${piece}` : html`<code>${piece}</code>`));
}
