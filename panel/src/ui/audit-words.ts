// The words of the audit log in the language of the page.
import { deedName, deeds, detailLine } from '../../../src/panel-api/audit-words.ts';
import { inOurs, languageCode } from '../text/language.ts';

// Whoever acted in the operator's name is told to customers by this word only.
const operator = { tr: 'işletmeci', en: 'operator' };

export const actorName = (actor: string): string => (actor === operator.tr ? inOurs(operator) : actor);
export const deedWords = (action: string): string => deedName(action, languageCode());
export const detailWords = (detail: Record<string, unknown>): string => detailLine(detail, languageCode());

/** Every deed as a choice of the filter, in the order of its words. */
export function deedChoices(): { value: string; label: string }[] {
  const order = new Intl.Collator(languageCode());
  return Object.keys(deeds)
    .map(value => ({ value, label: deedWords(value) }))
    .sort((a, b) => order.compare(a.label, b.label));
}
