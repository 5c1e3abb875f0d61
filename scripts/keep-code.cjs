// After a build: loads the whole program once, and keeps what V8 has compiled by then beside it (bin/load.cjs). A process of its
// own, because the flags of the building process are not those of the program.
'use strict';
const { readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { folder, load, loaded, nameOf } = require('../bin/load.cjs');

for (const name of readdirSync(folder)) if (name.endsWith('.cjs')) load(name);
for (const { script, path } of loaded.values())
  writeFileSync(`${path}.code`, Buffer.concat([nameOf(readFileSync(path)), script.createCachedData()]));
