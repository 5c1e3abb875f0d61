// What axe finds serious or critical on the page as it stands.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Rules that find nothing serious, whatever they find, and look at every element. */
const moderate = ['region', 'landmark-unique', 'aria-allowed-role', 'heading-order', 'skip-link'];

/** All that another colour scheme can change about a page that was examined: one rule costs a third of all. */
export const ofColours = ['color-contrast', 'link-in-text-block'];

/** `only`: these rules, for a page of which the others are known. */
export async function seriousFindings(page: Page, only?: string[]): Promise<string[]> {
  // Evaluated by the debugger, so the content policy of the page stays as it is; once for a loaded page, because compiling
  // it costs as much as using it.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axeSource);
  await page.evaluate(markAlike);
  const violations = await page.evaluate(
    async ({ rules, runOnly, alike }) => {
      const { axe: runner } = window as unknown as { axe: typeof axe };
      const settings = {
        resultTypes: ['violations'],
        preload: false,
        rules,
        ...(runOnly && { runOnly }),
      } as axe.RunOptions;
      return (await runner.run({ include: [['html']], exclude: [[alike]] }, settings)).violations;
    },
    {
      rules: Object.fromEntries(moderate.map(rule => [rule, { enabled: false }])),
      runOnly: only && { type: 'rule' as const, values: only },
      alike: '[data-alike]',
    },
  );
  return violations
    .filter(one => one.impact === 'serious' || one.impact === 'critical')
    .flatMap(one => one.nodes.map(node => `${one.id} ${node.target.join(' ')} ${node.failureSummary}`));
}

/** Rows that differ in their words alone: the first of them is examined for all (a list has a hundred). */
function markAlike(): void {
  const seen = new Set<string>();
  for (const row of document.querySelectorAll('tbody > tr')) {
    const words = / (id|href|title|aria-label|aria-labelledby|aria-describedby|aria-controls|data-[\w-]+)="[^"]+"/g;
    const shape = row.outerHTML.replace(/>[^<]+</g, '>x<').replace(words, ' $1="x"');
    row.toggleAttribute('data-alike', seen.has(shape));
    seen.add(shape);
  }
}
