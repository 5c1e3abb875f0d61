// The words of the audit log in the language of the page.
import { actionName, auditActions, detailLine } from '../../../src/panel-api/audit/audit-words.ts';
import { languageCode } from '../text/language.ts';

export const actionWords = (action: string): string => actionName(action, languageCode());
export const detailWords = (detail: Record<string, unknown>): string => detailLine(detail, languageCode());

/** Every action as a choice of the filter, in the order of its words. */
export function actionChoices(): { value: string; label: string }[] {
  const order = new Intl.Collator(languageCode());
  return Object.keys(auditActions)
    .map(value => ({ value, label: actionWords(value) }))
    .sort((a, b) => order.compare(a.label, b.label));
}
