// What the program prints to be copied works as the program was started.
import { expect, test } from 'vitest';
import { commandName } from './command-name.ts';

test.each([
  ['npx peyk', '/home/a/.npm/_npx/1/node_modules/.bin/peyk'],
  ['npx peyk', '/home/a/peyk/node_modules/.bin/peyk'],
  ['peyk', '/usr/local/bin/peyk'],
  ['peyk', '/opt/peyk/bin/peyk'],
  ['bin/peyk', '/home/a/peyk/bin/peyk'],
])('commands that are printed begin with %s when the program was started as %s', (name, script) => {
  expect(commandName(script, '/home/a/peyk')).toBe(name);
});
