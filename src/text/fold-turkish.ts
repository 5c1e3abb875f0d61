// Folds a word for searching: `istanbul`, `ISTANBUL`, `İSTANBUL` and `ıstanbul` become equal. The database folds the same way
// (fold_turkish).
const [from, to] = ['İIıÇĞÖŞÜçğöşüÂâÎîÛû', 'iiicgosucgosuaaiiuu'];
const folded = new Map(Array.from(from, (letter, i) => [letter, to[i]!]));

export function foldTurkish(text: string): string {
  return text.replace(/[İIıÇĞÖŞÜçğöşüÂâÎîÛû]/g, letter => folded.get(letter)!).toLowerCase();
}
