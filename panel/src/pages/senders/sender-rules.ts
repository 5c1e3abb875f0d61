// Rules for a sender ID, checked while typing; the server and the reviewer check for generic words.
import { t } from '../../text/language.ts';

export function senderRules(): { sentence: string; holds: (name: string) => boolean }[] {
  return [
    { sentence: t.senderApply.ruleLength, holds: name => name.trim().length >= 3 && name.length <= 11 },
    { sentence: t.senderApply.ruleLetters, holds: name => /^[A-Za-z0-9 ]+$/.test(name) },
    { sentence: t.senderApply.ruleNotOnlyDigits, holds: name => /[A-Za-z]/.test(name) },
  ];
}
