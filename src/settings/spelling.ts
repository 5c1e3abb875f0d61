// "Did you mean …?": the known word closest to a mistyped one.

/** Returns the closest known word if it is within a third of the letters (at least two). */
function nearest(given: string, known: Iterable<string>): string | undefined {
  const most = Math.max(2, Math.floor(given.length / 3));
  let best: string | undefined;
  let bestDistance = most + 1;
  for (const word of known) {
    const distance = editDistance(given, word);
    if (distance < bestDistance) [best, bestDistance] = [word, distance];
  }
  return best;
}

export function didYouMean(given: string, known: Iterable<string>): string {
  const word = nearest(given, known);
  return word === undefined ? '' : `; did you mean ${word}?`;
}

/** Letters to insert, delete, replace or swap with their neighbour to get from one word to the other. */
function editDistance(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
