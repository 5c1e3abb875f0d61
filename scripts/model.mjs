// `npm run model -- --sequences 10000 [--seed N] [--audit step|sequence]`: as many random sequences against the model of the
// specification as wanted (test/model), half of them with calls at the same time.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    audit: { type: 'string', default: 'step' },
  },
});
const env = {
  ...process.env,
  PEYK_MODEL_SEQUENCES: values.sequences,
  PEYK_MODEL_AUDIT: values.audit,
  ...(values.seed ? { PEYK_MODEL_SEED: values.seed } : {}),
};
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', 'test/model'];
const cwd = fileURLToPath(new URL('..', import.meta.url));
process.exit(spawnSync(process.execPath, vitest, { cwd, env, stdio: 'inherit' }).status ?? 1);
