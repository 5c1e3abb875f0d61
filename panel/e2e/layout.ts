// Faults of the layout of a page at one width: it scrolls sideways, a text is cut, two things overlap, two columns of a table have
// the same heading, a filled button stands before others, nothing leads to the menu.
import type { Page } from 'playwright-core';
import { wait } from '../../test/support/run/wait.ts';

const settleMs = 20_000;

/** At this size of the window, which stays as it was afterwards. */
export async function layoutFaults(page: Page, size: { width: number; height: number }): Promise<string[]> {
  await page.setViewportSize(size);
  let faults: string[] = [];
  const fits = async () => {
    faults = await page.evaluate(findFaults);
    return faults.length === 0;
  };
  // Charts measure their frame after the layout, on a busy machine seconds later: a fault is one that stays.
  await wait('the page to fit', fits, settleMs).catch(() => {});
  return faults.map(fault => `${size.width} px: ${fault}`);
}

/** Runs in the page. */
function findFaults(): string[] {
  type Box = { left: number; right: number; top: number; bottom: number };
  type Piece = { element: Element; box: Box; layer: Element; name: string };
  // The skip link until it has the focus, and the menu of a narrow screen until it is opened.
  const outside = '.skip:not(:focus), [inert]';
  const { clientWidth: width } = document.documentElement;
  const nameOf = (one: Element) =>
    `${one.tagName.toLowerCase()}.${(one.getAttribute('class') ?? '').split(' ')[0]} "${(one.textContent || one.getAttribute('aria-label') || '').trim().slice(0, 40)}"`;
  const isShown = (one: Element) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (one: Element) => styles.get(one) ?? styles.set(one, getComputedStyle(one)).get(one)!;
  const isHiddenForEyes = (one: Element) => {
    const { width: w, height: h } = one.getBoundingClientRect();
    return styleOf(one).display !== 'contents' && (w <= 1 || h <= 1);
  };
  /** What of a box is left after the scrolling and clipping boxes around it. */
  const clipped = (one: Element, box: Box): Box | null => {
    let { left, right, top, bottom } = box;
    for (let at = one.parentElement; at && at !== document.body; at = at.parentElement) {
      if (!/auto|scroll|hidden|clip/.test(styleOf(at).overflowX + styleOf(at).overflowY)) continue;
      const edge = at.getBoundingClientRect();
      [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
      [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
    }
    return right - left > 1 && bottom - top > 1 ? { left, right, top, bottom } : null;
  };
  const above = function* (one: Element) {
    for (let at: Element | null = one; at; at = at.parentElement) yield at;
  };
  /** Things of different layers may lie over each other: dialogs, menus, what sticks to an edge. */
  const layerOf = (one: Element) => {
    for (const at of above(one))
      if (
        /fixed|sticky/.test(styleOf(at).position) ||
        at.matches('[role="dialog"], [role="menu"], [role="tooltip"], [role="listbox"]')
      )
        return at;
    return document.body;
  };
  const covers = [...document.querySelectorAll('[role="dialog"]')].filter(isShown).at(-1);
  const root = covers ?? document.body;

  const pieces: Piece[] = [];
  const faults: string[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement!;
    if (!node.nodeValue?.trim() || !isShown(element) || element.closest(outside)) continue;
    const around = [...above(element)];
    if (around.slice(0, 4).some(isHiddenForEyes)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter(box => box.width > 1);
    let scrolls = false;
    let shortened = false;
    for (const at of around) {
      const style = styleOf(at);
      shortened ||= style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
      if (/auto|scroll/.test(style.overflowX + style.overflowY)) scrolls = true;
      if (scrolls || shortened) break;
      if (!/hidden|clip/.test(style.overflowX + style.overflowY)) continue;
      const edge = at.getBoundingClientRect();
      if (edge.width <= 1 || edge.height <= 1) break;
      const isCut = (box: Box) =>
        (/hidden|clip/.test(style.overflowX) && (box.right > edge.right + 2 || box.left < edge.left - 2)) ||
        (/hidden|clip/.test(style.overflowY) && (box.bottom > edge.bottom + 6 || box.top < edge.top - 6));
      if (boxes.some(isCut)) faults.push(`cut: ${nameOf(element)} by ${nameOf(at)}`);
    }
    const isBeside = (box: Box) => box.right > width + 1 || box.left < -1;
    if (!scrolls && !shortened && boxes.some(isBeside)) faults.push(`beside the window: ${nameOf(element)}`);
    if (shortened) continue;
    for (const one of boxes) {
      const box = clipped(element, one);
      if (box) pieces.push({ element, box, layer: layerOf(element), name: nameOf(element) });
    }
  }
  const controls = [...root.querySelectorAll('button, a, input, select, textarea')]
    .filter(one => isShown(one) && !one.closest(outside) && !isHiddenForEyes(one) && styleOf(one).display !== 'inline')
    .flatMap(element => {
      const box = clipped(element, element.getBoundingClientRect());
      return box ? [{ element, box, layer: layerOf(element), name: nameOf(element) }] : [];
    });

  const share = (a: Box, b: Box) => ({
    across: Math.min(a.right, b.right) - Math.max(a.left, b.left),
    down: Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
  });
  const overlap = (all: Piece[], isFault: (a: Piece, b: Piece) => boolean) => {
    all.sort((a, b) => a.box.top - b.box.top);
    for (const [at, one] of all.entries())
      for (let next = at + 1; next < all.length && all[next]!.box.top < one.box.bottom; next++) {
        const other = all[next]!;
        if (one.element !== other.element && one.layer === other.layer && isFault(one, other))
          faults.push(`overlap: ${one.name} and ${other.name}`);
      }
  };
  overlap(pieces, (a, b) => {
    const { across, down } = share(a.box, b.box);
    return across > 3 && down > 0.4 * Math.min(a.box.bottom - a.box.top, b.box.bottom - b.box.top);
  });
  overlap(controls, (a, b) => {
    const { across, down } = share(a.box, b.box);
    const nested = a.element.contains(b.element) || b.element.contains(a.element);
    // A field may hold the button that opens its calendar.
    const oneField = a.element.parentElement!.closest('.mantine-Input-wrapper')?.contains(b.element);
    return across > 2 && down > 2 && !nested && !oneField;
  });
  for (const table of root.querySelectorAll('table')) {
    const heads = [...table.querySelectorAll('th')].map(one => one.textContent?.trim() ?? '').filter(Boolean);
    for (const head of heads.filter((one, at) => heads.indexOf(one) !== at)) faults.push(`two columns "${head}"`);
  }
  // The head of a page has one filled button at most, after the others.
  const actions = [...root.querySelectorAll('.page-head > .page-actions > .mantine-Button-root')].filter(isShown);
  for (const [at, one] of actions.entries())
    if (one.getAttribute('data-variant') === 'filled' && at < actions.length - 1)
      faults.push(`filled before others: ${nameOf(one)}`);
  const ways = [...document.querySelectorAll('.side, .head-menu, .bottom-bar')].filter(
    one => isShown(one) && !one.closest(outside) && one.getBoundingClientRect().right > 0,
  );
  if (!covers && ways.length === 0 && document.querySelector('.side')) faults.push('no way to the menu');
  if (document.documentElement.scrollWidth > width)
    faults.push(`scrolls sideways: ${document.documentElement.scrollWidth}`);
  return [...new Set(faults)].slice(0, 12);
}
