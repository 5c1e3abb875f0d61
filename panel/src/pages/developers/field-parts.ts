// A field as the contract describes it, "metin, zorunlu: onaylı bir başlık", in parts.
export type FieldParts = { type: string; isRequired: boolean; note: string };

export function fieldParts(about: string): FieldParts {
  const [, head = '', note = ''] = /^(.*?)(?:: (.*))?$/s.exec(about) ?? [];
  const words = head.split(', ');
  const type = words.filter(word => !/^(zorunlu|required)$/.test(word));
  return { type: type.join(', '), isRequired: type.length < words.length, note };
}
