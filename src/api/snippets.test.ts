import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { callSnippet, exampleBody, snippetLanguages, verifySnippet } from './snippets.ts';

test('every snippet carries the address and the key and never a real hash', () => {
  for (const language of snippetLanguages) {
    const snippet = callSnippet(
      language,
      'http://127.0.0.1:8080/v1/get-balance/json',
      exampleBody('get-balance', { key: 'abc123' }),
    );
    expect(snippet).toContain('http://127.0.0.1:8080/v1/get-balance/json');
    expect(snippet).toContain('abc123');
    expect(snippet).toContain('<API_HASH>');
  }
});

test('the shown snippet accepts what is signed as documented and refuses another body', async () => {
  const module = (await import(`data:text/javascript,${encodeURIComponent(verifySnippet)}`)) as {
    isFromPeyk: (body: string, headers: Record<string, string>, secret: string) => boolean;
  };
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = `v1=${createHmac('sha256', 'gizli').update(`${timestamp}.{"a":1}`).digest('hex')}`;
  const headers = { 'x-peyk-timestamp': timestamp, 'x-peyk-signature': `v1=00,${signature}` };
  expect(module.isFromPeyk('{"a":1}', headers, 'gizli')).toBe(true);
  expect(module.isFromPeyk('{"a":2}', headers, 'gizli')).toBe(false);
});
