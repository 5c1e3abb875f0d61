// Four projects. Those of `npm test` (everything beside its file, the journeys of the whole program, the panel in a browser)
// share one queue, longest file first (test/support/run/longest-first.ts): journeys and browsers wait for half of their time, and
// what computes fills it. Chaos runs by itself. One PostgreSQL serves all of them (test/support/run/global-setup.ts).
import { availableParallelism } from 'node:os';
import { defineConfig, type Plugin } from 'vitest/config';
import { builtSources, fromBuild } from './test/support/run/built-sources.ts';
import { LongestFirst } from './test/support/run/longest-first.ts';

// Two files for each core: browsers and journeys alternate, so there is always something to compute. With more of them everything
// takes longer, and what goes on until something has happened (traffic, polls) costs more. Time limits end a test that hangs; they
// leave room for a machine with much else to do (a journey of 21 s took more than 120 where others had half of the cores), and for
// a wait of test/support/run/wait.ts, 150 s, to say first what it waited for. So no test has a shorter limit of its own.
const maxWorkers = availableParallelism() * 2;
// Short files share processes and what is imported in them: 0.5 s of a core for each file otherwise, as much as many of
// them take. So no file leaves anything behind: what modules remember is of no one file (test/support/run/end-of-file.ts).
// So do journeys (29 of them, 1 s each). Browser tests have a program and a browser for each file, and a process of its own.
const setupFiles = ['test/support/run/end-of-file.ts'];
// What is waited for comes sooner or later; the second that Vitest waits by itself is too little on a busy machine.
const patience = { expect: { poll: { timeout: 90_000 } } };
const server = { deps: { external: [fromBuild] } };
const shared = { pool: 'forks', isolate: false, maxWorkers, setupFiles, server, ...patience } as const;
const journeys = 'test/journeys/**/*.test.ts';
const chaos = 'test/chaos/**/*.test.ts';
// A short run of these is a journey; `npm run chaos` makes it a long one.
const shortChaos = 'test/chaos/{pairs,stress}.test.ts';

// `npm run mutate` changes the sources as they are read, or functions of the database beside the build.
const { mutate } = globalThis as { mutate?: Plugin | 'sql' };
const plugins = typeof mutate === 'object' ? [mutate] : builtSources(mutate ? ['run'] : process.argv);

export default defineConfig({
  test: {
    // `npm run coverage`: of the tests beside the sources. What runs in processes of its own (journeys, browsers) is not counted.
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'simulators/**/*.ts'],
      exclude: ['**/*.test.ts'],
      // A test that fails, or is slower because of the counting, keeps nobody from the report.
      reportOnFailure: true,
      reporter: ['text-summary', 'html', 'json-summary'],
      reportsDirectory: 'artifacts/coverage',
    },
    globalSetup: ['test/support/run/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins,
        test: {
          name: 'unit',
          include: ['{src,simulators,test,panel/src}/**/*.test.ts', 'packages/*/{src,generate}/**/*.test.ts'],
          exclude: [journeys, chaos, '**/node_modules/**'],
          ...shared,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      {
        plugins,
        test: {
          name: 'journeys',
          include: [journeys, shortChaos],
          // A fault that shows once in three runs is a fault.
          retry: 0,
          ...shared,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        // Faults by chance, as many as wanted, run by `npm run chaos`.
        plugins,
        test: {
          name: 'chaos',
          server,
          include: [chaos],
          retry: 0,
          pool: 'forks',
          setupFiles,
          fileParallelism: false,
          ...patience,
          // A thousand faults and a million messages take an hour and a half on two idle cores.
          testTimeout: 6 * 3_600_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        plugins,
        test: {
          name: 'panel',
          include: ['panel/e2e/**/*.e2e.ts'],
          ...shared,
          isolate: true,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
