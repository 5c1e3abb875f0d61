// Words that people write back: folded so that casing and Turkish letters do not matter, and those that end further messages.

/** `iptal`, `İPTAL` and `IPTAL` are one word: upper case by Turkish rules, then all marks dropped, however they were written. */
export function foldKeyword(word: string): string {
  return word.trim().toLocaleUpperCase('tr').normalize('NFKD').replace(/\p{M}/gu, '');
}

/** What the law and every notice say; an account may add words of its own and take none of these away. */
export const legalOptOutWords: readonly string[] = ['RET', 'IPTAL', 'DUR', 'STOP'];

/** Each once, those of the law first. */
export function withLegalWords(added: readonly string[]): string[] {
  return [...new Set([...legalOptOutWords, ...added])];
}

/** The opt-out word that this is, or null. Marks around it do not count: notices print the word in quotation marks. */
export function optOutWord(said: string, added: readonly string[]): string | null {
  const word = foldKeyword(said.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}]+$/gu, ''));
  return legalOptOutWords.includes(word) || added.includes(word) ? word : null;
}
