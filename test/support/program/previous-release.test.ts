// Where the program of an earlier release comes from, and the message if it is unavailable.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { programVersion } from '../../../src/db/version.ts';
import { temporaryFolder } from '../run/temporary-folder.ts';
import { isInHistory, newestBefore, releases, takeFromHistory } from './previous-release.ts';

const clone = fileURLToPath(new URL('../../..', import.meta.url));

const isHere = isInHistory();

test.skipIf(!isHere)('every release that is listed is in the history under its version', () => {
  for (const { version, commit } of releases()) {
    const text = execFileSync('git', ['show', `${commit}:package.json`], { cwd: clone, encoding: 'utf8' });
    expect(JSON.parse(text).version).toBe(version);
  }
  expect(newestBefore(programVersion(), releases()).version).not.toBe(programVersion());
});

test('the release before is the newest of the earlier ones, by numbers', () => {
  const all = ['0.9.0', '0.10.0', '0.2.1'].map(version => ({ version, commit: version }));
  expect(newestBefore('0.11.0', all).version).toBe('0.10.0');
  expect(newestBefore('0.10.0', all).version).toBe('0.9.0');
  expect(() => newestBefore('0.2.1', all)).toThrow('names no release before 0.2.1');
});

test.skipIf(!isHere)('a copy without its history gets instructions', () => {
  const folder = temporaryFolder();
  const shallow = join(folder, 'shallow');
  execFileSync('git', ['clone', '--quiet', '--bare', '--depth', '1', `file://${clone}`, shallow]);
  expect(() => takeFromHistory(releases()[0]!, join(folder, 'release'), shallow)).toThrow(
    /release 0\.2\.0 .* is not in the history of this copy.*"git fetch --unshallow"/,
  );
  expect(existsSync(join(folder, 'release', 'package.json'))).toBe(false);
});
