// The order of a run: the longest files begin first, so that no core waits for one long file at the end; browsers, which
// compute, alternate with journeys, which wait half of their time. Vitest remembers durations, but not in a fresh clone, and it
// never mixes projects; so long-files.json names the long ones, with their seconds on two idle cores. Other files count as
// short.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const seconds: Record<string, number> = JSON.parse(readFileSync(new URL('long-files.json', import.meta.url), 'utf8'));

export const longFiles = Object.keys(seconds);

const browsers = 'panel/e2e/';
/** This many other files begin for each browser. */
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
