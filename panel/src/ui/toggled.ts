// A set with some keys added or removed.
export function toggled(keys: ReadonlySet<string>, names: string[], isOn: boolean): ReadonlySet<string> {
  const next = new Set(keys);
  for (const name of names) {
    if (isOn) next.add(name);
    else next.delete(name);
  }
  return next;
}

/** The selected keys among the loaded rows: rows that left the page are not processed unseen. */
export function chosenAmong(keys: ReadonlySet<string>, names: string[]): string[] {
  return names.filter(name => keys.has(name));
}
