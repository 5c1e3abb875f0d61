// The program records deeds by name; the console shows them in words.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deeds } from './audit-words.ts';

const sources = ['src/panel-api', 'src/accounts', 'src/cli'];

test('every deed that the program records has words in both languages', () => {
  const recorded = new Set(sources.flatMap(recordedIn));
  expect(recorded.size).toBeGreaterThan(25);
  expect([...recorded].filter(name => !deeds[name])).toEqual([]);
});

function recordedIn(folder: string): string[] {
  const files = readdirSync(folder).filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return files.flatMap(file => {
    const text = readFileSync(join(folder, file), 'utf8');
    // A deed is named in the call that records it, or as the action of its record.
    const calls = text.matchAll(/(?:deed|Deed)\((?:[^()]|\([^()]*\))*?\)|action: '[^']+'/g);
    return [...calls].flatMap(([call]) => [...call.matchAll(/'([a-z]+\.[a-z-]+)'/g)].map(([, name]) => name!));
  });
}
