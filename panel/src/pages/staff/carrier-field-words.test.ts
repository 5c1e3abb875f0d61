import { expect, test } from 'vitest';
import { loadLanguage } from '../../text/language.ts';
import { carrierField, carrierFieldNames } from './carrier-field-words.ts';

test('the form of a carrier has words of its own for every setting, and none of the command line', async () => {
  for (const language of ['tr', 'en'] as const) {
    await loadLanguage(language);
    for (const name of carrierFieldNames) {
      const { label, description } = carrierField(name);
      expect(label, name).not.toBe(name);
      expect(description, name).not.toBe('');
      expect(description ?? '', name).not.toMatch(new RegExp(`\\(${name}\\)`));
    }
  }
});
