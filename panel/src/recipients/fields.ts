// {ad} in a text: which names it uses and what a row makes of it. One pass, so that a value with braces stays as it is.
// The server fills the texts that are sent; this is for the counter and the preview.
const placeholder = /\{([\p{L}\p{N}_]{1,40})\}/gu;

/** The text cut at its placeholders, which stand alone at the odd places. */
export function cutAtFields(template: string): string[] {
  return template.split(/(\{[\p{L}\p{N}_]{1,40}\})/u);
}

export function fieldsIn(template: string): string[] {
  return [...new Set([...template.matchAll(placeholder)].map(match => match[1] ?? ''))];
}

export function fillFields(template: string, fields: Record<string, string>): string {
  return template.replace(placeholder, (whole, name: string) => fields[name] ?? whole);
}
