// {ad} in a text: which fields it names and what one row makes of it. The server and the counter in the browser both
// fill through here, because a counter with rules of its own is off by a part exactly where it matters. One pass: a
// value that itself contains braces is not looked at again.
const name = '[^{}\\r\\n]{1,60}';
const placeholder = new RegExp(`\\{(${name})\\}`, 'g');

/** Column heads differ in case and blanks from what people write between braces. */
export function foldField(given: string): string {
  return given.trim().toLocaleLowerCase('tr');
}

/** The names in a text, folded, each once. */
export function fieldsIn(template: string): string[] {
  return [...new Set([...template.matchAll(placeholder)].map(match => foldField(match[1]!)))];
}

/** The text cut at its placeholders, which stand alone at the odd places. */
export function cutAtFields(template: string): string[] {
  return template.split(new RegExp(`(\\{${name}\\})`));
}

/** `lookup` gets the folded name and the name as written; undefined leaves the placeholder as it stands. */
export function fillFields(template: string, lookup: (field: string, written: string) => string | undefined): string {
  return template.replace(placeholder, (whole, written: string) => lookup(foldField(written), written) ?? whole);
}

/** A value of blanks counts as none, and then the fallback stands in. */
export function valueOrFallback(value: string | undefined, fallback: string | undefined): string {
  return value?.trim() || (fallback ?? '');
}
