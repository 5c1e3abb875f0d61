// Four projects: everything beside its file in two workers; then the journeys of the whole program, the panel in a browser and
// chaos, one file after another, because each of them already uses every core. One PostgreSQL serves all of them
// (test/support/global-setup.ts).
import { defineConfig } from 'vitest/config';

const journeys = 'test/journeys/**/*.test.ts';
const chaos = 'test/chaos/**/*.test.ts';

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'simulators/**/*.test.ts', 'test/**/*.test.ts', 'panel/src/**/*.test.ts'],
          exclude: [journeys, chaos, '**/node_modules/**'],
          pool: 'forks',
          maxWorkers: 2,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'journeys',
          include: [journeys],
          // A fault that shows once in three runs is a fault.
          retry: 0,
          pool: 'forks',
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Not part of `npm test`: faults by chance, as many as wanted, run by `npm run chaos`.
        test: {
          name: 'chaos',
          include: [chaos],
          retry: 0,
          pool: 'forks',
          fileParallelism: false,
          testTimeout: 3_600_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'panel',
          include: ['panel/e2e/**/*.e2e.ts'],
          pool: 'forks',
          // Each file has a program and a browser of its own and waits half of its time: two take 240 s, in turn 450 s.
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
