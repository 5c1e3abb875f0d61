// `npm run fuzz -- --seconds 60 [--seed N]`: random bytes at every port of a running program (test/chaos/fuzz.test.ts).
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } } });
const env = {
  ...process.env,
  PEYK_FUZZ_SECONDS: values.seconds,
  ...(values.seed ? { PEYK_FUZZ_SEED: values.seed } : {}),
};
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'chaos', 'test/chaos/fuzz'];
const cwd = fileURLToPath(new URL('..', import.meta.url));
process.exit(spawnSync(process.execPath, vitest, { cwd, env, stdio: 'inherit' }).status ?? 1);
