// Random sequences of everything an account and its operator can do, against a model of the specification (world.ts, steps/).
// Here a few of them, from a seed that no run had before; `npm run model -- --sequences 10000` does many, with the audit after
// every step.
import { expect, test } from 'vitest';
import { replayAll, runSequences } from './runs.ts';
import { codesUnseen, tallied } from './tally.ts';

const sequences = Number(process.env['PEYK_MODEL_SEQUENCES'] ?? 0);
const isLong = sequences > 0;
const seed = Number(process.env['PEYK_MODEL_SEED'] ?? Date.now() % 1_000_000_000);
const auditEachStep = isLong && process.env['PEYK_MODEL_AUDIT'] !== 'sequence';
const timeout = isLong ? 86_400_000 : 300_000;
// From so many on every code has come up in every run so far.
const manySequences = 1_000;

test('every sequence that ever failed is answered as promised', { timeout }, replayAll);

test('one call after another is answered as the specification promises', { timeout }, async () => {
  await runSequences({ sequences: isLong ? Math.ceil(sequences / 2) : 12, seed, auditEachStep, atOnce: false });
});

test('calls at the same time are answered as in some order one after another', { timeout }, async () => {
  await runSequences({ sequences: isLong ? Math.floor(sequences / 2) : 8, seed, auditEachStep, atOnce: true });
  if (isLong) console.log(`seed ${seed}, ${sequences} sequences: ${tallied()}`);
  // A run in which something never happened has shown nothing of it.
  if (sequences >= manySequences) expect(codesUnseen()).toEqual([]);
});
