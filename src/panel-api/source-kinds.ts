// Where an order came from, as the panel names it. Stored are 'api', 'smpp', 'panel:<user>' and words of the program itself.
export const sourceKinds = ['api', 'smpp', 'panel', 'other'] as const;
export type SourceKind = (typeof sourceKinds)[number];

export function sourceKind(stored: string): SourceKind {
  const kind = stored.split(':', 1)[0];
  return sourceKinds.find(one => one === kind) ?? 'other';
}
