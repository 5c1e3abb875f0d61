import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { status, statusName } from '../../../../src/smpp/status.ts';
import { loadLanguage, t, withTexts } from '../../text/language.ts';
import { errorSentence } from './carrier-error-words.ts';

beforeAll(() => withTexts(['staff'], () => loadLanguage('tr')));

test('whatever a carrier may answer has a sentence, also a code of its own', () => {
  for (const code of [...Object.values(status), 0x400].filter(value => value !== 0))
    for (const what of ['bind', 'submit'])
      expect(errorSentence(`${what} refused: ${statusName(code)}`), statusName(code)).not.toBeNull();
  expect(errorSentence('bind refused: ESME_RINVPASWD')).toBe(t.carrierErrors.password);
  expect(errorSentence('submit refused: ESME_RTHROTTLED')).toBe(t.carrierErrors.throttled);
  expect(errorSentence('submit refused: 0x00000400')).toBe(t.carrierErrors.submitRefused);
});

test('every reason for which the program ends a bind has a sentence', () => {
  const files = ['smpp/client.ts', 'smpp/session.ts', 'sending/links/carrier-link.ts'];
  const sources = files.map(file => readFileSync(new URL(`../../../../src/${file}`, import.meta.url), 'utf8')).join('');
  const pattern =
    /(?:SmppError\('(?:closed|timeout)', |destroy\(|#shut\(|#drop\(|#error \|\| |\? Error\()['`]([^'`]+)['`]/g;
  // Ends that this side chose, or that only a stranger sees.
  const own = /^(unbind timed out|unbound|closed before a bind|bind refused|no bind)$/;
  const reasons = [...sources.matchAll(pattern)].map(([, reason]) => reason!).filter(reason => !own.test(reason));
  expect(reasons.length).toBeGreaterThan(5);
  expect(reasons.filter(reason => errorSentence(reason) === null)).toEqual([]);
});

test('an error of the system is described by its cause', () => {
  expect(errorSentence('connect ECONNREFUSED 127.0.0.1:2775')).toBe(t.carrierErrors.connectionRefused);
  expect(errorSentence('getaddrinfo ENOTFOUND smsc.ornek.com')).toBe(t.carrierErrors.unknownHost);
  expect(errorSentence('read ECONNRESET')).toBe(t.carrierErrors.closed);
  expect(errorSentence('self-signed certificate')).toBe(t.carrierErrors.certificate);
  expect(errorSentence('something new')).toBeNull();
});
