// What this browser remembers for its user: language, colour scheme, shortcuts, the language of code examples. Storage
// may be switched off or full, and then a preference lasts as long as the page.
const memory = new Map<string, string>();

export const preferenceKeys = {
  scheme: 'peyk-scheme',
  language: 'peyk-language',
  shortcuts: 'peyk-shortcuts',
  snippet: 'peyk-snippet',
  columns: 'peyk-columns-',
  seenInbox: 'peyk-seen-inbox',
} as const;

export function readPreference(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

export function writePreference(key: string, value: string | null): void {
  if (value === null) memory.delete(key);
  else memory.set(key, value);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Kept in memory above.
  }
}
