// Settings that stand in files: the `.env` file, and a secret in a file of its own (`PEYK_SECRET_KEY_FILE` = its path), as
// systemd, Docker and Kubernetes hand secrets over: an environment can be read in the list of processes and in crash reports.
import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';

const bytesMax = 64 * 1024;
const fileSuffix = '_FILE';

export const fileNameOf = (setting: string): string => `${setting}${fileSuffix}`;

/** What somebody gave for a secret, by itself or in a file; undefined: nothing. */
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

/** Empty where there is none, unless it `mustBe` there; one that is there and cannot be read is a mistake. */
export function readEnvFile(path: string, mustBe = false): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!mustBe && (code === 'ENOENT' || code === 'ENOTDIR')) return {};
    throw new Error(`${path} cannot be read (${code})`);
  }
}
