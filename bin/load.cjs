// Brings the built program (dist/src/program), a few large files, with what V8 made of each when it was built (NAME.code): without
// that each of the processes of a start compiles them anew, half of its CPU until it is ready. Code that does not fit (another
// Node, other flags, another file) is left alone, and V8 compiles as it always did.
'use strict';
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { createRequire, wrap } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

const folder = join(__dirname, '..', 'dist', 'src', 'program');
/** Of a file's content and of who compiled it: V8 itself looks at its length alone, and not at the kind of machine. */
const nameBytes = 20;
const compiler = `${process.version} ${process.arch}`;
const loaded = new Map();

function load(name) {
  const known = loaded.get(name);
  if (known) return known.module.exports;
  const path = join(folder, name);
  const bytes = readFileSync(path);
  const source = wrap(bytes.toString());
  const script = new Script(source, { filename: path, cachedData: codeOf(path, bytes) });
  const module = { exports: {} };
  loaded.set(name, { module, script, path });
  const elsewhere = createRequire(path);
  const here = wanted => (wanted.startsWith('./') ? load(wanted.slice(2)) : elsewhere(wanted));
  script.runInThisContext()(module.exports, here, module, path, folder);
  return module.exports;
}

function codeOf(path, bytes) {
  try {
    const code = readFileSync(`${path}.code`);
    return code.subarray(0, nameBytes).equals(nameOf(bytes)) ? code.subarray(nameBytes) : undefined;
  } catch {
    // A program that was not built here has none.
    return undefined;
  }
}

function nameOf(bytes) {
  return createHash('sha1').update(compiler).update(bytes).digest();
}

module.exports = { load, loaded, nameOf, folder };
