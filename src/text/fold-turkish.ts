// One word to a search: `istanbul`, `ISTANBUL`, `İSTANBUL`, `ıstanbul`. As the database folds (fold_turkish).
const [from, to] = ['İIıÇĞÖŞÜçğöşüÂâÎîÛû', 'iiicgosucgosuaaiiuu'];
const folded = new Map(Array.from(from, (letter, i) => [letter, to[i]!]));

export function foldTurkish(text: string): string {
  return text.replace(/[İIıÇĞÖŞÜçğöşüÂâÎîÛû]/g, letter => folded.get(letter)!).toLowerCase();
}
