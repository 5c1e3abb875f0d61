// `npm run chaos -- [--faults 1000] [--messages 1000000] [--seed N]`: faults by chance while customers send (test/chaos/chaos.test.ts).
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { root } from './stale.mjs';

const { values } = parseArgs({
  options: {
    faults: { type: 'string', default: process.env.PEYK_CHAOS_FAULTS ?? '40' },
    messages: { type: 'string', default: '20000' },
    seed: { type: 'string', default: process.env.PEYK_CHAOS_SEED ?? '' },
  },
});
const env = {
  ...process.env,
  PEYK_CHAOS_FAULTS: values.faults,
  PEYK_CHAOS_MESSAGES: values.messages,
  ...(values.seed ? { PEYK_CHAOS_SEED: values.seed } : {}),
};
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'chaos', 'test/chaos/chaos'];
process.exit(spawnSync(process.execPath, vitest, { cwd: root, env, stdio: 'inherit' }).status ?? 1);
