// The source of an order as the panel names it. Stored values are 'api', 'smpp', 'panel:<user>' and words of the program.
export const sourceKinds = ['api', 'smpp', 'panel', 'other'] as const;
type SourceKind = (typeof sourceKinds)[number];

export function sourceKind(stored: string): SourceKind {
  const kind = stored.split(':', 1)[0];
  return sourceKinds.find(one => one === kind) ?? 'other';
}
