// The name by which the program was started (`npx peyk`, `bin/peyk` or `peyk`), for commands that it prints.
import { basename, dirname, relative } from 'node:path';

/** `script`: the path given to Node.js; `cwd`: the folder of the shell. npx runs a package from a folder named `.bin`. */
export function commandName(script: string, cwd: string): string {
  if (basename(dirname(script)) === '.bin') return 'npx peyk';
  return relative(cwd, script) === 'bin/peyk' ? 'bin/peyk' : 'peyk';
}

export const command = commandName(process.argv[1] ?? '', process.cwd());
