// Settings in files: the `.env` file, and a secret in a file of its own (`PEYK_SECRET_KEY_FILE` = its path), as systemd, Docker
// and Kubernetes provide secrets: environments show in process lists and crash reports.
import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';

const bytesMax = 64 * 1024;
const fileSuffix = '_FILE';

export const fileNameOf = (setting: string): string => `${setting}${fileSuffix}`;

/** The secret that was set, directly or in a file; undefined if none. */
export function secretValue(setting: string, given: (name: string) => string | undefined): string | undefined {
  const [value, path] = [given(setting), given(fileNameOf(setting))];
  if (!path) return value;
  if (value) throw new Error(`give it or ${fileNameOf(setting)}, not both`);
  const content = readWhole(fileNameOf(setting), path).replace(/\s+$/, '');
  if (content === '') throw new Error(`the file that ${fileNameOf(setting)} names is empty: ${path}`);
  return content;
}

function readWhole(name: string, path: string): string {
  try {
    if (statSync(path).size > bytesMax) throw Object.assign(new Error(), { code: `more than ${bytesMax} bytes` });
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`the file that ${name} names cannot be read: ${path} (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Empty if the file is missing, unless it `mustBe` there; an unreadable file is an error. */
export function readEnvFile(path: string, mustBe = false): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!mustBe && (code === 'ENOENT' || code === 'ENOTDIR')) return {};
    throw new Error(`${path} cannot be read (${code})`);
  }
}
