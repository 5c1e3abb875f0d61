// This build as a later release of its own line: another version, one more migration and a changed function, so that both can
// serve one database at the same time.
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programVersion } from '../../../src/db/version.ts';
import { temporaryFolder } from '../run/temporary-folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const whole = ['bin', 'dist', 'migrations', join('panel', 'dist')];

/** The folder of its program, built. */
export function nextRelease(): string {
  const folder = join(temporaryFolder(), 'next');
  for (const path of whole) cpSync(join(root, path), join(folder, path), { recursive: true });
  for (const path of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }))
    if (/\.(sql|json)$/.test(path)) copy(join('src', path), folder);
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version = programVersion().replace(/\d+$/, patch => String(Number(patch) + 1));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version }));
  const line = programVersion().replace(/\d+$/, '0');
  const text = `-- needs: ${line}\ncreate table of_the_next_release (id bigint primary key);\n`;
  writeFileSync(join(folder, 'migrations', '9990_next.sql'), text);
  appendFileSync(join(folder, 'src', 'db', 'sql', 'channel.sql'), '-- Of the next release.\n');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function copy(path: string, folder: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  cpSync(join(root, path), join(folder, path));
}
