// Names of figures in queries, and the figures of a running program.
import { type FigureName, figures } from '../../../src/metrics/table.ts';

/** The figures a text of queries asks for; those of a histogram by its own name. */
export function queriedIn(text: string): Set<string> {
  const names = text.match(/\bpeyk_[a-z_]+\b/g) ?? [];
  return new Set(names.map(name => (isFigure(name) ? name : name.replace(/_(bucket|sum|count)$/, ''))));
}

function isFigure(name: string): name is FigureName {
  return Object.hasOwn(figures, name);
}

/** The value of a figure in the text of /metrics; `labels` as they stand between the braces. */
export function valueIn(text: string, name: string, labels = ''): number | undefined {
  const wanted = `${name}${labels && `{${labels}}`} `;
  const line = text.split('\n').find(one => one.startsWith(wanted));
  return line === undefined ? undefined : Number(line.slice(wanted.length));
}

/** Whether a figure has a value: a histogram at least one observation's line. */
export function hasValue(text: string, name: string): boolean {
  return new RegExp(`^${name}(_bucket)?(\\{[^}]*\\})? [0-9.e+-]+$`, 'm').test(text);
}
