// `npm run chaos -- [--faults 1000] [--messages 1000000] [--seed N]`: faults by chance while customers send (test/chaos/chaos.test.ts).
// `--pairs 300` instead of `--faults`: pairs of faults at the same number, chunk or carrier (test/chaos/pairs.test.ts). `--stress 60`: the
// functions of the database under load for so many seconds, while dispatchers die (test/chaos/stress.test.ts).
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { root } from './stale.mjs';

const { values } = parseArgs({
  options: {
    faults: { type: 'string', default: process.env.PEYK_CHAOS_FAULTS ?? '40' },
    pairs: { type: 'string', default: '' },
    stress: { type: 'string', default: '' },
    messages: { type: 'string' },
    seed: { type: 'string', default: process.env.PEYK_CHAOS_SEED ?? '' },
  },
});
const env = {
  ...process.env,
  PEYK_CHAOS_FAULTS: values.faults,
  PEYK_CHAOS_MESSAGES: values.messages ?? (values.pairs ? '' : '20000'),
  ...(values.pairs ? { PEYK_CHAOS_PAIRS: values.pairs } : {}),
  ...(values.stress ? { PEYK_STRESS_SECONDS: values.stress } : {}),
  ...(values.seed ? { PEYK_CHAOS_SEED: values.seed } : {}),
};
const file = values.stress ? 'test/chaos/stress' : values.pairs ? 'test/chaos/pairs' : 'test/chaos/chaos';
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'chaos', file];
process.exit(spawnSync(process.execPath, vitest, { cwd: root, env, stdio: 'inherit' }).status ?? 1);
