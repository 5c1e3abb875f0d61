// After a build: loads the whole program once and stores V8's compiled code beside it (bin/load.cjs). It runs in a
// process of its own, because the building process has other flags than the program.
'use strict';
const { readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { folder, load, loaded, nameOf } = require('../bin/load.cjs');

for (const name of readdirSync(folder)) if (name.endsWith('.cjs')) load(name);
for (const { script, path } of loaded.values())
  writeFileSync(`${path}.code`, Buffer.concat([nameOf(readFileSync(path)), script.createCachedData()]));
