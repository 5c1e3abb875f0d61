// Tests import the built program if it matches the sources.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../../src/db/version.ts';
import { builtFile, builtSources, fromBuild } from './built-sources.ts';

const root = projectRoot();
const here = join(root, 'src', 'accept', 'accept.test.ts');

test('files of the program come from the build; tests, their fixtures and what supports them do not', () => {
  expect(builtFile('../time/clock.ts', here)).toBe(join(root, 'dist/src/time/clock.js'));
  expect(builtFile('../../simulators/smsc/main.ts', here)).toBe(join(root, 'dist/simulators/smsc/main.js'));
  expect(builtFile('../time/clock.ts', here)).toMatch(fromBuild);
  for (const other of ['./accept.test.ts', '../cells/move/move-fixture.ts', '../../test/support/run/wait.ts', 'vitest'])
    expect(builtFile(other, here), other).toBeNull();
});

test('a build that is older than a source is not used, nor any by a run that watches', () => {
  expect(builtSources(['node', 'vitest', 'run'], () => false)).toHaveLength(1);
  expect(builtSources(['node', 'vitest', 'run'], () => true)).toEqual([]);
  expect(builtSources(['node', 'vitest'], () => false)).toEqual([]);
});
