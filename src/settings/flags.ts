// Flags and words of a command line in their order, parsed by Node's own parser. It accepts unknown flags; the caller decides
// about them.
import { parseArgs } from 'node:util';

/** A word is an argument that is not a flag; that includes `-5`, which is a number here. */
type Argument = { word: string } | { flag: string; value: string | undefined; written: string };

/** `flags`: name → whether a value follows. */
export function readArguments(args: string[], flags: ReadonlyMap<string, 'string' | 'boolean'>): Argument[] {
  const options = Object.fromEntries([...flags].map(([name, type]) => [name, { type }]));
  const { tokens } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true });
  const read: Argument[] = [];
  let last = -1;
  for (const token of tokens) {
    // Node returns letters behind one dash one by one.
    if (token.index === last) continue;
    last = token.index;
    const written = args[token.index]!;
    if (token.kind === 'option' && written.startsWith('--'))
      read.push({ flag: token.name, value: token.value, written });
    else read.push({ word: written });
  }
  return read;
}
