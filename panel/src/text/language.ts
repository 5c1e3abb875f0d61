// Which dictionary is loaded. One language is fetched at a time; `t` is a live binding, so components read it while
// rendering (never at the top of a module) and the whole tree is drawn anew when the language changes.
import { preferenceKeys, readPreference, writePreference } from '../preferences.ts';
import type { Text } from './tr.ts';

export type Language = 'tr' | 'en';

const dictionaries: Record<Language, () => Promise<Text>> = {
  tr: async () => (await import('./tr.ts')).tr,
  en: async () => (await import('./en.ts')).en,
};

export let t: Text;
let code: Language = 'tr';
const listeners = new Set<() => void>();

export const languageCode = (): Language => code;

/** The server sends sentences in both languages; this picks ours. */
export function inOurs(sentence: { tr: string; en: string }): string {
  return sentence[code];
}

export async function loadLanguage(wanted: Language): Promise<void> {
  t = await dictionaries[wanted]();
  code = wanted;
  if (typeof document !== 'undefined') document.documentElement.lang = wanted;
}

/** What was chosen here, or else the first of the browser's languages that we speak. */
export function firstLanguage(browserSpeaks: readonly string[]): Language {
  const remembered = readPreference(preferenceKeys.language);
  if (remembered === 'tr' || remembered === 'en') return remembered;
  const known = browserSpeaks.map(one => one.slice(0, 2).toLowerCase()).find(one => one === 'tr' || one === 'en');
  return known === 'en' ? 'en' : 'tr';
}

export async function switchLanguage(wanted: Language): Promise<void> {
  writePreference(preferenceKeys.language, wanted);
  await loadLanguage(wanted);
  for (const listener of listeners) listener();
}

export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
