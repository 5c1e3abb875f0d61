// Which dictionary is loaded. One language is fetched at a time, and of it the parts that the pages opened so far need; `t` is a
// live binding, so components read it while rendering (never at the top of a module) and the whole tree is drawn anew when
// the language changes. parts.test.ts proves that a page loads every part it reads.
import { preferenceKeys, readPreference, writePreference } from '../preferences.ts';
import type { Text } from './tr.ts';

export type Language = 'tr' | 'en';
export type Part = keyof typeof parts;

const parts = {
  entry: {
    tr: async () => (await import('./tr/entry.ts')).entry,
    en: async () => (await import('./en/entry.ts')).entry,
  },
  frame: {
    tr: async () => (await import('./tr/frame.ts')).frame,
    en: async () => (await import('./en/frame.ts')).frame,
  },
  messages: {
    tr: async () => (await import('./tr/messages.ts')).messages,
    en: async () => (await import('./en/messages.ts')).messages,
  },
  recipients: {
    tr: async () => (await import('./tr/recipients.ts')).recipients,
    en: async () => (await import('./en/recipients.ts')).recipients,
  },
  account: {
    tr: async () => (await import('./tr/account.ts')).account,
    en: async () => (await import('./en/account.ts')).account,
  },
  developers: {
    tr: async () => (await import('./tr/developers.ts')).developers,
    en: async () => (await import('./en/developers.ts')).developers,
  },
  settings: {
    tr: async () => (await import('./tr/settings.ts')).settings,
    en: async () => (await import('./en/settings.ts')).settings,
  },
  staff: {
    tr: async () => (await import('./tr/staff.ts')).staff,
    en: async () => (await import('./en/staff.ts')).staff,
  },
} satisfies Record<string, Record<Language, () => Promise<Partial<Text>>>>;

export let t = {} as Text;
let code: Language = 'tr';
let wantedCode: Language = 'tr';
const wantedParts = new Set<Part>(['entry']);
const listeners = new Set<() => void>();

export const languageCode = (): Language => code;

/** The server sends sentences in both languages; this picks ours. */
export function inOurs(sentence: { tr: string; en: string }): string {
  return sentence[code];
}

export async function loadLanguage(wanted: Language): Promise<void> {
  wantedCode = wanted;
  await loadWanted();
}

/** A module together with the parts of the dictionary that it reads. */
export async function withTexts<T>(texts: Part[], module: () => Promise<T>): Promise<T> {
  for (const part of texts) wantedParts.add(part);
  const [loaded] = await Promise.all([module(), loadWanted()]);
  return loaded;
}

async function loadWanted(): Promise<void> {
  const [language, names] = [wantedCode, [...wantedParts]];
  const texts = await Promise.all(names.map(part => parts[part][language]()));
  // Another language or more parts may be wanted by now; the browser keeps what it has loaded.
  if (language !== wantedCode || names.length !== wantedParts.size) return loadWanted();
  t = Object.assign({}, ...texts);
  code = language;
  if (typeof document !== 'undefined') document.documentElement.lang = language;
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
