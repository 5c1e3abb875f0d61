import { expect, test } from 'vitest';
import { operations } from '../../../../src/api/operations.ts';
import { turkishNotes } from './field-notes.ts';

test('every field of the API reference is explained in Turkish', () => {
  const notes = new Set(operations.flatMap(operation => Object.values(operation.fields)));
  expect([...notes].filter(note => !turkishNotes[note])).toEqual([]);
});
