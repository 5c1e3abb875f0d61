// One consent record of a client or a file: what is taken, how it is stored, and which rules a wrong one breaks.
import { expect, test } from 'vitest';
import { type ConsentRule, consentRules, type GivenConsent, readConsentRow, readRecipient } from './read-row.ts';
import { consentSources, consentStatuses, consentTypes, recipientTypes } from './record.ts';

const now = new Date('2026-03-10T12:00:00Z');
const good: GivenConsent = {
  recipient: '0555 000 00 00',
  recipientType: 'BIREYSEL',
  type: 'MESAJ',
  status: 'ONAY',
  source: 'HS_WEB',
  consentDate: '2026-03-10 14:59:59',
};

function read(members: Partial<GivenConsent> = {}, abroad = false) {
  const rules: ConsentRule[] = [];
  const draft = readConsentRow({ ...good, ...members }, abroad, now, rule => rules.push(rule));
  return { draft, rules };
}

test('a record is stored with its number in international form and its Turkish time as a moment', () => {
  expect(read()).toEqual({
    rules: [],
    draft: { ...good, recipient: '+905550000000', consentDate: new Date('2026-03-10T11:59:59Z') },
  });
});

test('every value that the registry knows is taken, with blanks around it or without', () => {
  const values = {
    recipientType: recipientTypes,
    type: ['MESAJ', 'ARAMA'],
    status: consentStatuses,
    source: consentSources,
  };
  for (const [field, list] of Object.entries(values))
    for (const value of list)
      for (const given of [value, ` ${value}\t`])
        expect(read({ [field]: given }).draft).toMatchObject({ [field]: value });
  expect(consentTypes).toEqual(['MESAJ', 'EPOSTA', 'ARAMA']);
});

test.each<[ConsentRule, keyof GivenConsent, string[]]>([
  ['recipient', 'recipient', ['', '123', '0212 000 00 00', '+4915112345678', 'ornek@example.com']],
  ['recipientType', 'recipientType', ['', 'bireysel', 'KURUMSAL']],
  ['type', 'type', ['', 'SMS', 'mesaj']],
  ['status', 'status', ['', 'onay', 'BELKI']],
  ['source', 'source', ['', 'hs_web', 'IYS_WEB']],
  [
    'date-form',
    'consentDate',
    ['', '2026-03-10', '10/03/2026 10:00:00', '2026-02-30 10:00:00', '2026-03-10T10:00:00', 'x2026-03-10 10:00:00'],
  ],
  ['date-future', 'consentDate', ['2026-03-10 15:00:01', '2027-03-10 10:00:00']],
  ['date-old', 'consentDate', ['2026-03-07 14:59:59', '2026-03-06 15:00:00']],
])('a record that breaks only the rule “%s” is refused with that rule', (rule, field, values) => {
  for (const value of values) expect(read({ [field]: value })).toEqual({ draft: null, rules: [rule] });
  expect(consentRules[rule].isBlocking).toBe(true);
});

test('a record that breaks several rules is refused with each of them', () => {
  const { draft, rules } = read({
    recipient: '',
    recipientType: '',
    type: '',
    status: '',
    source: '',
    consentDate: '',
  });
  expect(draft).toBeNull();
  expect(rules.sort()).toEqual(['date-form', 'recipient', 'recipientType', 'source', 'status', 'type']);
});

test('a date is taken from this second back to 72 hours ago, blanks around it or not', () => {
  for (const consentDate of ['2026-03-10 15:00:00', '2026-03-07 15:00:00', ' 2026-03-10 10:00:00 '])
    expect(read({ consentDate })).toMatchObject({ rules: [], draft: { type: 'MESAJ' } });
});

test('an address is stored in lower case, for the type EPOSTA alone', () => {
  expect(read({ type: 'EPOSTA', recipient: ' Ornek@Example.COM ' }).draft!.recipient).toBe('ornek@example.com');
  expect(read({ type: 'EPOSTA' })).toEqual({ draft: null, rules: ['recipient'] });
  expect(readRecipient('ornek@example.com', null, false)).toBeNull();
  expect(readRecipient('5550000000', null, false)).toBe('+905550000000');
});

test('an address has six to 265 characters and a domain with a dot', () => {
  const long = `${'a'.repeat(64)}@${'b'.repeat(196)}.com`;
  for (const good of ['a@b.co', long]) expect(readRecipient(good, 'EPOSTA', false)).toBe(good);
  const wrong = [
    'a@b.c',
    `${long}m`,
    `a${long}`,
    'ornek',
    'ornek@example',
    '@example.com',
    'a b@example.com',
    'a@b..co',
  ];
  for (const one of wrong) expect(readRecipient(one, 'EPOSTA', false)).toBeNull();
});

test('a number abroad is taken where the account may send abroad', () => {
  expect(read({ recipient: '+4915112345678' }, true).draft!.recipient).toBe('+4915112345678');
  expect(readRecipient('+4915112345678', 'ARAMA', false)).toBeNull();
});
