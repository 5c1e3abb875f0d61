// The options of a select, from a table of words.

type Option = { value: string; label: string };

export const optionsOf = (words: Record<string, string>): Option[] =>
  Object.entries(words).map(([value, label]) => ({ value, label }));
