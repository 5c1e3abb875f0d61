// Keywords in replies: folded so that case and Turkish letters do not matter, and the opt-out words.

/** `iptal`, `İPTAL` and `IPTAL` are one word: upper case by Turkish rules, then all marks removed. */
export function foldKeyword(word: string): string {
  return word.trim().toLocaleUpperCase('tr').normalize('NFKD').replace(/\p{M}/gu, '');
}

/** The legal opt-out words; an account may add words but not remove these. */
export const legalOptOutWords: readonly string[] = ['RET', 'IPTAL', 'DUR', 'STOP'];

/** Each word once, the legal ones first. */
export function withLegalWords(added: readonly string[]): string[] {
  return [...new Set([...legalOptOutWords, ...added])];
}

/**
 * Returns the opt-out word of a reply, or null. Surrounding quotation marks do not count, because notices print the word in
 * them.
 */
export function optOutWord(said: string, added: readonly string[]): string | null {
  const word = foldKeyword(said.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}]+$/gu, ''));
  return legalOptOutWords.includes(word) || added.includes(word) ? word : null;
}
