// A sequence on the program and on the world beside it. Steps one after another are compared one by one; of steps at once it is
// asked that some order of them explains every answer. Where several do, all of their worlds are kept until an answer tells
// them apart.
import { setTimeout as pause } from 'node:timers/promises';
import { type AsyncCommand, type Scheduler, scheduledModelRun } from 'fast-check';
import { Difference, expectSame } from './answers.ts';
import type { Given, Step } from './kind.ts';
import { kinds } from './kinds.ts';
import type { Rig } from './rig.ts';
import { count } from './tally.ts';
import type { World } from './world.ts';

export type Course = {
  worlds: World[];
  /** Steps that have begun and are not judged yet. */
  begun: Promise<Seen>[];
  /** What was done, for the file of a failure; a list is of steps at once. */
  done: (Step | Step[])[];
  auditEachStep: boolean;
};

type Seen = { step: Step; given: Given; seen: unknown };

export async function doStep(rig: Rig, course: Course, step: Step): Promise<void> {
  course.done.push(step);
  const one = await observe(rig, course, step);
  settle(course, [one], [[0]]);
  if (course.auditEachStep) await expectWhole(rig);
}

export async function doAtOnce(rig: Rig, course: Course, steps: Step[]): Promise<void> {
  course.done.push(steps);
  course.begun = steps.map(step => observe(rig, course, step));
  await join(rig, course);
}

/** Waits for all that has begun, and asks whether some order explains it. */
async function join(rig: Rig, course: Course): Promise<void> {
  const all = await Promise.all(course.begun);
  course.begun = [];
  settle(course, all, permutations(all.length));
  if (course.auditEachStep) await expectWhole(rig);
}

/** The same, each begun when the scheduler says so. A command of it must not wait: only then do the others go on. */
export async function doScheduled(rig: Rig, course: Course, steps: Step[], scheduler: Scheduler): Promise<void> {
  course.done.push(steps);
  const begin = (step: Step): Command => ({
    check: () => true,
    async run() {
      course.begun.push(scheduler.schedule(Promise.resolve(), step.kind).then(() => observe(rig, course, step)));
    },
    toString: () => step.kind,
  });
  await scheduledModelRun(scheduler, () => ({ model: course, real: rig }), steps.map(begin));
  await join(rig, course);
}

async function observe(rig: Rig, { worlds }: Course, step: Step): Promise<Seen> {
  const kind = kinds[step.kind]!;
  const [world] = worlds;
  const given = kind.resolve ? kind.resolve(world!, step.given) : step.given;
  const seen = await inTime(step, kind.run(rig, world!, given));
  count(step.kind, seen);
  return { step, given, seen };
}

const stepMaxMs = 30_000;

/** A step that never ends is a failure of its own, not of the whole run. */
async function inTime<T>(step: Step, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = pause(stepMaxMs, undefined, { signal: over.signal, ref: false }).then(
    () => {
      throw new Difference(`${step.kind} did not end within ${stepMaxMs} ms`);
    },
    () => work,
  );
  return Promise.race([work, late]).finally(() => over.abort());
}

/** Keeps every world in which some order of these steps shows what was seen. */
function settle(course: Course, all: Seen[], orders: number[][]): void {
  const kept = new Map<string, World>();
  let difference: Difference | undefined;
  for (const before of course.worlds)
    for (const order of orders) {
      const world = structuredClone(before);
      try {
        for (const i of order) kinds[all[i]!.step.kind]!.judge(world, all[i]!.given, all[i]!.seen);
        kept.set(JSON.stringify(world), world);
      } catch (error) {
        if (!(error instanceof Difference)) throw error;
        difference ??= error;
      }
    }
  if (kept.size === 0) throw new Difference(`${all.map(one => one.step.kind).join(' and ')}: ${difference!.message}`);
  course.worlds = [...kept.values()];
}

function permutations(count: number): number[][] {
  if (count === 0) return [[]];
  return permutations(count - 1).flatMap(shorter =>
    Array.from({ length: count }, (_, i) => [...shorter.slice(0, i), count - 1, ...shorter.slice(i)]),
  );
}

/** The stored data are whole, and the program met nothing that it did not expect. */
export async function expectWhole(rig: Rig): Promise<void> {
  expectSame('audit', await rig.app.audit(), { ok: true, findings: [] });
  expectSame('faults logged', rig.app.faults, []);
}

type Command = AsyncCommand<Course, Rig>;

/** A step as fast-check runs and shrinks it. */
export function command(step: Step): Command {
  return {
    check: () => true,
    run: (course, rig) => doStep(rig, course, step),
    toString: () => JSON.stringify(step),
  };
}
