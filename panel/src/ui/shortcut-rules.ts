// When a single key is a shortcut: not while typing, with a modifier or under an open dialog, and not when they are switched
// off. event.key, never event.code: "/" is Shift+7 on a Turkish keyboard.
import { preferenceKeys, readPreference } from '../preferences.ts';

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
