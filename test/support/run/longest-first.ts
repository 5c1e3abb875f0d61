// The order of a run: the files that take longest begin first, so that at the end no core waits for one long file, and
// browsers, which compute, come between journeys, which wait for half of their time: five browsers at once share two cores, and
// five journeys leave them idle. Vitest remembers how long each took, but not in a fresh clone, and it never mixes projects;
// so the long ones are named in long-files.json, with their seconds on two idle cores. A file that is not named is short.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const seconds: Record<string, number> = JSON.parse(readFileSync(new URL('long-files.json', import.meta.url), 'utf8'));

export const longFiles = Object.keys(seconds);

const browsers = 'panel/e2e/';
/** So many others begin for each browser. */
const besides = 2;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const pathOf = (one: TestSpecification): string => relative(this.ctx.config.root, one.moduleId);
    const of = (one: TestSpecification): number => seconds[pathOf(one)] ?? 0;
    const sorted = (await super.sort(files)).sort((a, b) => of(b) - of(a));
    const [inBrowsers, others] = [true, false].map(wanted =>
      sorted.filter(one => pathOf(one).startsWith(browsers) === wanted),
    ) as [TestSpecification[], TestSpecification[]];
    const mixed = inBrowsers.flatMap((one, i) => [one, ...others.slice(i * besides, (i + 1) * besides)]);
    return [...mixed, ...others.slice(inBrowsers.length * besides)];
  }
}
