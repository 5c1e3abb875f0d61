// A set with some keys put in or taken out.
export function toggled(keys: ReadonlySet<string>, names: string[], isOn: boolean): ReadonlySet<string> {
  const next = new Set(keys);
  for (const name of names) {
    if (isOn) next.add(name);
    else next.delete(name);
  }
  return next;
}

/** What is chosen among the rows at hand: a row that left the page is not dealt with unseen. */
export function chosenAmong(keys: ReadonlySet<string>, names: string[]): string[] {
  return names.filter(name => keys.has(name));
}
