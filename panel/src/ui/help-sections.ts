// The section of the guide for each page. Anchors are the English ones, which both languages of the guide have.
import { base, paths } from '../paths.ts';

/** The first entry that is a prefix of the address wins. */
export const sections: [path: string, anchor: string][] = [
  [paths.start(), 'first-message'],
  [paths.send(), 'first-message'],
  [paths.orders(), 'first-message'],
  [paths.scheduled(), 'schedules'],
  [paths.reports(), 'reports'],
  [paths.inbox(), 'blacklist'],
  [paths.blacklist(), 'blacklist'],
  [paths.consents(), 'consent-and-iys'],
  [paths.senders(), 'sender-ids'],
  [paths.balance(), 'credit'],
  [paths.users(), 'users-and-roles'],
  [paths.audit(), 'users-and-roles'],
];

export function guideAddress(path: string, inLanguage: string): string | null {
  const own = path.startsWith(base) ? path.slice(base.length) : path;
  const found = sections.find(([start]) => own === start || own.startsWith(`${start}/`));
  return found ? `/docs/${inLanguage === 'en' ? 'en/' : ''}guide#${found[1]}` : null;
}
