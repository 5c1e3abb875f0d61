// What staff see of an account before they give a reason is decided for each member of the contract.
import { expect, test } from 'vitest';
import { Type } from '../../contract/type.ts';
import { type OperationName, operations } from '../contract/contract.ts';
import { schemas } from '../contract/schemas.ts';
import { freeTexts, masked, shownNames } from './masking.ts';

test('a member that is new in the contract is hidden from staff until it is declared', () => {
  const output = Type.Object({
    reference: Type.Nullable(Type.String()),
    rows: Type.Array(Type.Object({ nickname: Type.String(), state: Type.Enum(['on', 'off']), count: Type.Number() })),
  });
  const data = { reference: 'Fatura 17', rows: [{ nickname: 'Ayşe', state: 'on', count: 3 }] };
  expect(masked(data, output)).toEqual({ reference: '•••••••••', rows: [{ nickname: '••••', state: 'on', count: 3 }] });
});

test('every shown text is a member of an answer, and what people write, numbers and secrets are free texts', () => {
  const names = Object.keys(schemas) as OperationName[];
  const seen = names.filter(name => !['staff', 'public'].includes(operations[name].role) && name !== 'session.me');
  const members = new Set(seen.flatMap(name => [...freeTexts(schemas[name].output)]));
  expect([...shownNames].filter(name => !members.has(name))).toEqual([]);
  const hidden = [...members].filter(name => !shownNames.has(name));
  expect(hidden).toEqual(
    expect.arrayContaining([
      ...['answerBody', 'body', 'excerpt', 'fileName', 'note', 'signature', 'text', 'textStart'],
      ...['digits', 'mobile', 'number', 'numbers', 'ownMobile', 'recipient'],
      ...['fallbacks', 'rows'],
      ...['hash', 'password', 'recoveryCodes', 'secret', 'token', 'uri'],
    ]),
  );
});
