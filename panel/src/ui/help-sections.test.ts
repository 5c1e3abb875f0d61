// Help links lead to existing sections of the guide.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { guideAddress, sections } from './help-sections.ts';

test('every page of a customer that has help leads to a heading of the guide, in the reader’s language', () => {
  const guide = readFileSync(new URL('../../../docs/guide.md', import.meta.url), 'utf8');
  const anchors = [...guide.matchAll(/^## (.*)$/gm)].map(one =>
    one[1]!.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll(' ', '-'),
  );
  for (const [, anchor] of sections) expect(anchors).toContain(anchor);
  expect(guideAddress('/panel/kara-liste', 'tr')).toBe('/docs/guide#blacklist');
  expect(guideAddress('/siparisler/100', 'en')).toBe('/docs/en/guide#first-message');
  expect(guideAddress('/panel/isletmeci', 'tr')).toBeNull();
});
