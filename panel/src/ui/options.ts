// What a table of words offers to choose from.

export type Option = { value: string; label: string };

export const optionsOf = (words: Record<string, string>): Option[] =>
  Object.entries(words).map(([value, label]) => ({ value, label }));
