// Fields like {ad} in a text: which ones it names, and the text of one row. The server and the browser's counter both fill
// through here, so that their counts agree. One pass: braces inside a value are not expanded.
const name = '[^{}\\r\\n]{1,60}';
const placeholder = new RegExp(`\\{(${name})\\}`, 'g');

/** Column names differ in case and blanks from what people write between braces. */
export function foldField(given: string): string {
  return given.trim().toLocaleLowerCase('tr');
}

/** The names in a text, folded, each once. */
export function fieldsIn(template: string): string[] {
  return [...new Set([...template.matchAll(placeholder)].map(match => foldField(match[1]!)))];
}

/** Splits the text at its placeholders, which are at the odd positions. */
export function cutAtFields(template: string): string[] {
  return template.split(new RegExp(`(\\{${name}\\})`));
}

/** `lookup` gets the folded and the original name; undefined leaves the placeholder unchanged. */
export function fillFields(template: string, lookup: (field: string, written: string) => string | undefined): string {
  return template.replace(placeholder, (whole, written: string) => lookup(foldField(written), written) ?? whole);
}

/** A value of blanks counts as empty and gets the fallback. */
export function valueOrFallback(value: string | undefined, fallback: string | undefined): string {
  return value?.trim() || (fallback ?? '');
}
