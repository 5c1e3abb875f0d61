// The words of the audit log in the language of the page.
import { actionName, auditActions, detailLine } from '../../../src/panel-api/audit/audit-words.ts';
import { inOurs, languageCode } from '../text/language.ts';

// Customers read this word instead of the name of a staff member.
const operator = { tr: 'işletmeci', en: 'operator' };

export const actorName = (actor: string): string => (actor === operator.tr ? inOurs(operator) : actor);
export const actionWords = (action: string): string => actionName(action, languageCode());
export const detailWords = (detail: Record<string, unknown>): string => detailLine(detail, languageCode());

/** Every action as a choice of the filter, in the order of its words. */
export function actionChoices(): { value: string; label: string }[] {
  const order = new Intl.Collator(languageCode());
  return Object.keys(auditActions)
    .map(value => ({ value, label: actionWords(value) }))
    .sort((a, b) => order.compare(a.label, b.label));
}
