// The client knows exactly what the server's table says.
import { expect, test } from 'vitest';
import { wireText } from './wire-text.ts';

test('paths, codes, limits and types of the client are those of the operation table', async () => {
  await expect(wireText(), 'npx vitest run packages/client/generate -u').toMatchFileSnapshot('../src/wire.ts');
});
