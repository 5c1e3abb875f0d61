// How the program was started, for commands that it prints to be copied: `npx peyk`, `bin/peyk` or `peyk`.
import { basename, dirname, relative } from 'node:path';

/** `script`: the path that Node.js was given; `cwd`: the folder of the shell. npx runs a package from a folder named `.bin`. */
export function commandName(script: string, cwd: string): string {
  if (basename(dirname(script)) === '.bin') return 'npx peyk';
  return relative(cwd, script) === 'bin/peyk' ? 'bin/peyk' : 'peyk';
}

export const command = commandName(process.argv[1] ?? '', process.cwd());
