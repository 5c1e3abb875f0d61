// The length of each function of a formatted source, without functions inside it, which are counted by themselves. Formatted
// code closes a function with a brace at the indentation of its first line, so lines are enough; nothing is parsed.

type FunctionLength = { name: string; line: number; lines: number };

const words = '(?:export |default |static |private |public |override |readonly |async |get |set |\\*)*';
const notNames = '(?!(?:if|for|while|switch|catch|return|await|new|throw|super|yield)\\b)';
const start = new RegExp(
  `^( *)${words}(?:function\\*? ?([\\w$]*)|(?:const|let) (\\w+)(?:: [^=]+)? = (?:async )?(?:\\(|\\w+ =>|<)|${notNames}([#\\w$]+)(?:<[^>]*>)?\\()`,
);

type Span = { name: string; from: number; to: number };

export function functionLengths(text: string): FunctionLength[] {
  const lines = text.split('\n');
  const spans = lines.map((_line, at) => spanFrom(lines, at)).filter(one => one !== null);
  return spans.map(span => ({ name: span.name, line: span.from + 1, lines: ownLines(span, spans) }));
}

function spanFrom(lines: string[], from: number): Span | null {
  const match = start.exec(lines[from]!);
  if (!match) return null;
  const indent = match[1]!;
  const opening = openingFrom(lines, from, indent);
  if (opening < 0) return null;
  const to = lines.findIndex((line, at) => at > opening && line.startsWith(`${indent}}`));
  return to < 0 ? null : { name: match[2] || match[3] || match[4] || 'nameless', from, to };
}

/** The line that opens the body: the first one, or the one that ends a parameter list over several lines. */
function openingFrom(lines: string[], from: number, indent: string): number {
  if (lines[from]!.endsWith('{')) return from;
  const next = lines.findIndex(
    (line, at) => at > from && line.startsWith(indent) && /^\S/.test(line.slice(indent.length)),
  );
  return next > 0 && /^[)}].*\{$/.test(lines[next]!.slice(indent.length)) ? next : -1;
}

function ownLines(span: Span, all: Span[]): number {
  const inside = all.filter(one => one.from > span.from && one.to < span.to);
  const direct = inside.filter(one => !inside.some(outer => outer.from < one.from && outer.to > one.to));
  return span.to - span.from + 1 - direct.reduce((sum, one) => sum + one.to - one.from + 1, 0);
}
