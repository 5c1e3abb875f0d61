// The serious and critical findings of axe on the open page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Expensive rules whose findings are never serious. */
const moderate = ['region', 'landmark-unique', 'aria-allowed-role', 'heading-order', 'skip-link'];

/** The rules that another colour scheme can break on a page that passed. */
export const ofColours = ['color-contrast', 'link-in-text-block'];

/**
 * `only`: run these rules alone. `seen`: what was examined before with the same settings. Repeated parts (the menu, lists of the
 * same kind) are skipped, which saves half of the time.
 */
export async function seriousFindings(page: Page, only?: string[], seen: Set<string> = new Set()): Promise<string[]> {
  // Evaluated by the debugger, so the content policy of the page still applies; once for each page load, because compiling axe
  // costs as much as running it.
  if (await page.evaluate(() => !('axe' in window))) {
    await page.evaluate(axeSource);
    await page.evaluate(skipAlike);
  }
  // As one text: Playwright wraps each member of a list.
  for (const one of (await page.evaluate(markAlike, [...seen].join('\n'))).split('\n')) seen.add(one);
  const violations = await page.evaluate(
    async ({ rules, runOnly }) => {
      const { axe: runner } = window as unknown as { axe: typeof axe };
      const settings = {
        resultTypes: ['violations'],
        preload: false,
        rules,
        ...(runOnly && { runOnly }),
      } as axe.RunOptions;
      return (await runner.run(document, settings)).violations;
    },
    {
      rules: Object.fromEntries(moderate.map(rule => [rule, { enabled: false }])),
      runOnly: only && { type: 'rule' as const, values: only },
    },
  );
  return violations
    .filter(one => one.impact === 'serious' || one.impact === 'critical')
    .flatMap(one => one.nodes.map(node => `${one.id} ${node.target.join(' ')} ${node.failureSummary}`));
}

/**
 * Marked elements and what is inside are given to no rule. `exclude` says the same, but compares each element with each excluded
 * one for each rule: more than half of the time of axe.
 */
function skipAlike(): void {
  type Rule = { gather: (...given: unknown[]) => { actualNode: Element }[] };
  const { _audit } = (window as unknown as { axe: { _audit: { rules: Rule[] } } }).axe;
  const rule = Object.getPrototypeOf(_audit.rules[0]) as Rule;
  const { gather } = rule;
  rule.gather = function (...given) {
    return gather.apply(this, given).filter(one => !one.actualNode.closest('[data-alike]'));
  };
}

/**
 * Marks elements that differ only in their text from elements examined before: the same tags, classes, states and parents, the
 * same colours on the same background. Returns the names of the new ones.
 */
function markAlike(known: string): string {
  const seen = new Set(known.split('\n'));
  const found: string[] = [];
  const words = new Set(
    'id href src title value name for alt d points transform x y x1 x2 y1 y2 cx cy r width height viewBox download aria-label aria-labelledby aria-describedby aria-controls aria-owns aria-activedescendant aria-valuenow datetime'.split(
      ' ',
    ),
  );
  // data-* attributes with states (data-active) are kept, because they set colours. The others are numbers.
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
  // Marks of the last run must not count as a difference.
  for (const one of document.querySelectorAll('[data-alike]')) one.removeAttribute('data-alike');
  shapeOf(document.body);
  for (const child of document.body.children) mark(child, '');
  return found.join('\n');
}
