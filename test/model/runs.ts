// Runs of random sequences: so many, from a seed, each on accounts of its own, a fresh database for every so many. What fails is
// shrunk by fast-check and kept as a file (seeds/), to be done first by every later run.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import type { Step } from './kind.ts';
import { anySteps, beginnings, stepsAtOnce } from './kinds.ts';
import { type Rig, type Rigged, startRig } from './rig.ts';
import { type Course, command, doAtOnce, doScheduled, doStep, expectWhole } from './sequence.ts';

type RunOptions = {
  sequences: number;
  seed: number;
  /** Also several steps at once, in an order that the scheduler chooses. */
  atOnce: boolean;
  auditEachStep: boolean;
};

const seedsFolder = fileURLToPath(new URL('./seeds', import.meta.url));
// The audit reads the whole database: it stays small. 50 sequences in one took half as long again.
const sequencesPerDatabase = 10;
const stepsMax = 60;

const beginning = fc.constantFrom(...beginnings, ...beginnings.slice(2));
const single = anySteps.map(one => one.map(command));
const commandsOf = (maxCommands: number) => fc.commands(single, { maxCommands, size: 'max' });
export async function runSequences(options: RunOptions): Promise<void> {
  for (let done = 0; done < options.sequences; done += sequencesPerDatabase) {
    const sequences = Math.min(sequencesPerDatabase, options.sequences - done);
    const place = new Place();
    await runSome(place, { ...options, sequences, seed: options.seed + done }).finally(() => place.leave());
    if (options.sequences > 10 * sequencesPerDatabase)
      console.log(`${done + sequences} of ${options.sequences} sequences`);
  }
}

/** Where sequences are done. After a failure the data may be spoilt for all that follow: they get another place. */
class Place {
  #rigged: Rigged | null = null;

  async rig(): Promise<Rig> {
    this.#rigged ??= await startRig();
    return this.#rigged.rig;
  }

  async leave(): Promise<void> {
    await this.#rigged?.stop();
    this.#rigged = null;
  }
}

type Go = (setup: () => { model: Course; real: Rig }) => Promise<void>;

async function runSome(place: Place, options: RunOptions): Promise<void> {
  let failed: Course['done'] = [];
  const sequence = async (begin: Step[], go: Go) => {
    const rig = await place.rig();
    const course = await newCourse(rig, options.auditEachStep);
    try {
      for (const step of begin) await doStep(rig, course, step);
      await go(() => ({ model: course, real: rig }));
      await expectWhole(rig);
      await rig.end();
    } catch (error) {
      // The last one that failed is the smallest: shrinking goes on from failures alone.
      failed = course.done;
      await place.leave();
      throw error;
    }
  };
  const property = options.atOnce
    ? fc.asyncProperty(
        ...([
          beginning,
          fc.scheduler(),
          commandsOf(12),
          stepsAtOnce,
          commandsOf(12),
          stepsAtOnce,
          commandsOf(6),
        ] as const),
        (begin, scheduler, first, atOnce, second, atOnceToo, last) =>
          sequence(begin, async setup => {
            await fc.asyncModelRun(setup, first);
            await doScheduled(setup().real, setup().model, atOnce, scheduler);
            await fc.asyncModelRun(setup, second);
            await doScheduled(setup().real, setup().model, atOnceToo, scheduler);
            await fc.asyncModelRun(setup, last);
          }),
      )
    : fc.asyncProperty(beginning, commandsOf(stepsMax), (begin, steps) =>
        sequence(begin, setup => fc.asyncModelRun(setup, steps)),
      );
  const result = await fc.check(property as fc.IAsyncProperty<unknown>, {
    numRuns: options.sequences,
    seed: options.seed,
  });
  if (!result.failed) return;
  const why = String((result.errorInstance as Error | null)?.stack ?? result.errorInstance);
  const steps = failed.map(one => JSON.stringify(one)).join('\n');
  throw new Error(
    `seed ${options.seed}, sequence ${result.numRuns}, kept as ${keep(options, failed, why)}\n${why}\n${steps}`,
  );
}

async function newCourse(rig: Rig, auditEachStep: boolean): Promise<Course> {
  return { worlds: [await rig.begin()], begun: [], done: [], auditEachStep };
}

type Kept = { seed: number; why: string; steps: Course['done'] };

function keep({ seed }: RunOptions, steps: Course['done'], why: string): string {
  const name = `seed-${seed}.json`;
  const kept: Kept = { seed, why: why.split('\n    at ')[0]!, steps };
  writeFileSync(join(seedsFolder, name), `${JSON.stringify(kept, null, 1)}\n`);
  return `test/model/seeds/${name}`;
}

const keptSeeds = readdirSync(seedsFolder).filter(name => name.endsWith('.json'));

/** The kept sequences once more, step by step as they stand in their files. */
export async function replayAll(): Promise<void> {
  const place = new Place();
  for (const name of keptSeeds) await replay(await place.rig(), name).finally(() => place.leave());
}

async function replay(rig: Rig, name: string): Promise<void> {
  const { steps } = JSON.parse(readFileSync(join(seedsFolder, name), 'utf8')) as Kept;
  const course = await newCourse(rig, true);
  for (const step of steps) await (Array.isArray(step) ? doAtOnce(rig, course, step) : doStep(rig, course, step));
}
