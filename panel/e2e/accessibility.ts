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

/**
 * `only`: these rules, for a page of which the others are known. `seen`: what was examined before, by this reader in this look:
 * what stands there again (the menu, a list of the same kind) is not examined again, which is half of all.
 */
export async function seriousFindings(page: Page, only?: string[], seen: Set<string> = new Set()): Promise<string[]> {
  // Evaluated by the debugger, so the content policy of the page stays as it is; once for a loaded page, because compiling
  // it costs as much as using it.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axeSource);
  for (const one of await page.evaluate(markAlike, [...seen])) seen.add(one);
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

/**
 * Marks what differs in its words alone from something examined before: the same elements with the same classes and states,
 * inside of the same ones, in the same colours on the same ground. Returns the names of what is new.
 */
function markAlike(known: string[]): string[] {
  const seen = new Set(known);
  const found: string[] = [];
  const words = new Set(
    'id href src title value name for alt d points transform x y x1 x2 y1 y2 cx cy r width height viewBox download aria-label aria-labelledby aria-describedby aria-controls aria-owns aria-activedescendant aria-valuenow datetime'.split(
      ' ',
    ),
  );
  // Of data-*, states (data-active) are kept: they colour what they stand at. The others are numbers.
  const plain = (name: string, value: string) => {
    if (words.has(name)) return value && 'x';
    return name.startsWith('data-') ? value.replace(/\d+/g, '0') : value;
  };
  const hash = (text: string) => {
    let [a, b] = [0xdeadbeef, 0x41c6ce57];
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      a = Math.imul(a ^ code, 2654435761);
      b = Math.imul(b ^ code, 1597334677);
    }
    return (a >>> 0).toString(36) + (b >>> 0).toString(36);
  };
  const tagOf = (one: Element) =>
    one.tagName + [...one.attributes].map(({ name, value }) => ` ${name}=${plain(name, value)}`).join('');
  const shapes = new Map<Element, string>();
  const shapeOf = (one: Element): string => {
    let inner = '';
    for (const child of one.childNodes) {
      if (child instanceof Element) inner += shapeOf(child);
      else if (child.nodeType === Node.TEXT_NODE && child.nodeValue?.trim()) inner += 'x';
    }
    const shape = hash(`${tagOf(one)}>${inner}`);
    shapes.set(one, shape);
    return shape;
  };
  const mark = (one: Element, around: string): void => {
    const { color, backgroundColor, backgroundImage, opacity, display } = getComputedStyle(one);
    const ground = hash(`${around} ${tagOf(one)} ${color} ${backgroundColor} ${backgroundImage} ${opacity} ${display}`);
    const name = `${ground} ${shapes.get(one)}`;
    const isAlike = seen.has(name);
    one.toggleAttribute('data-alike', isAlike);
    if (isAlike) return;
    seen.add(name);
    found.push(name);
    for (const child of one.children) mark(child, ground);
  };
  // Once for all: marks of the last time are no difference.
  for (const one of document.querySelectorAll('[data-alike]')) one.removeAttribute('data-alike');
  shapeOf(document.body);
  for (const child of document.body.children) mark(child, '');
  return found;
}
