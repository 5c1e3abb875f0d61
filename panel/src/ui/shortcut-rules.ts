// When a single key is a shortcut: not while typing, with a modifier or under an open dialog, and not when they are switched
// off. event.key, never event.code: "/" is Shift+7 on a Turkish keyboard.
import { useEffect } from 'react';
import { preferenceKeys, readPreference } from '../preferences.ts';

type PageKeys = Record<string, ((event: KeyboardEvent) => void) | undefined>;
const open = new Set<PageKeys>();

/** Single keys of a part of a page while it is shown. The frame runs them, so that "g w" is not also "w". */
export function useKeys(keys: PageKeys): void {
  useEffect(() => {
    open.add(keys);
    return () => void open.delete(keys);
  });
}

/** Presses the button or link that names the key (aria-keyshortcuts); where each row has one, that of the row with the focus. */
export function runPageKey(event: KeyboardEvent): void {
  const named = [...document.querySelectorAll<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(event.key)}"]`)];
  const shown = named.filter(one => one.checkVisibility());
  const row = document.activeElement?.closest('tr, li');
  const meant = shown.length === 1 ? shown[0] : shown.find(one => row?.contains(one));
  meant?.focus();
  meant?.click();
  for (const keys of [...open]) keys[event.key]?.(event);
}

export function shortcutsOn(): boolean {
  return readPreference(preferenceKeys.shortcuts) !== 'off';
}

export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('[role="dialog"]')) return true;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
