import { expect, test } from 'vitest';
import { readAnswer } from './progress-post.ts';

test('an answer of something between us and the server is taken for no answer', () => {
  expect(readAnswer('<html>413 Request Entity Too Large</html>')).toBeNull();
  expect(readAnswer('null')).toBeNull();
  expect(readAnswer('[]')).toBeNull();
  expect(readAnswer('{"ok":false,"error":{"code":"document-size"}}')).toMatchObject({ ok: false });
});
