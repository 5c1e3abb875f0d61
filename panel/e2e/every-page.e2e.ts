// Every page, drawer and step through axe: no serious or critical finding, in both languages and both colour schemes, at
// the width of a desk and of a phone. With PEYK_SCREENSHOTS=1 in all eight combinations, with pictures in
// artifacts/screenshots.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { wait } from '../../test/support/run/wait.ts';
import { paths } from '../src/paths.ts';
import { en } from '../src/text/en.ts';
import { tr } from '../src/text/tr.ts';
import { seriousFindings } from './accessibility.ts';
import { type BusyAccount, busyAccount } from './busy-account.ts';
import { engine } from './chromium.ts';
import { newVisitor } from './people.ts';
import { allViews, type View } from './views.ts';
import type { Visitor } from './visitor.ts';

type Look = { language: 'tr' | 'en'; scheme: 'light' | 'dark'; width: 1280 | 390 };

const pictures = process.env['PEYK_SCREENSHOTS'] === '1';
const picturesFolder = fileURLToPath(new URL('../../artifacts/screenshots', import.meta.url));
const timeoutMs = 600_000;
const narrowest = 320;
const nowhere = '/yok-boyle';

const everyLook: Look[] = (['tr', 'en'] as const).flatMap(language =>
  (['light', 'dark'] as const).flatMap(scheme => ([1280, 390] as const).map(width => ({ language, scheme, width }))),
);
// Turkish on the phone: its words are the longest.
const fewLooks: Look[] = [
  { language: 'tr', scheme: 'dark', width: 390 },
  { language: 'en', scheme: 'light', width: 1280 },
];

// Axe does the same many thousand times.
engine.optimises = true;

let made: Promise<BusyAccount> | null = null;

for (const look of pictures ? everyLook : fewLooks) {
  const name = `${look.language}, ${look.scheme}, ${look.width}`;
  test(`no page has a serious accessibility finding (${name})`, { timeout: timeoutMs }, async () => {
    made ??= busyAccount();
    const account = await made;
    const views = allViews(account);
    // Three people at three browsers, so that one page is examined while another loads.
    const found = await Promise.all(
      (['nobody', 'owner', 'staff'] as const).map(who => walk(who, views, account, look)),
    );
    expect(found.flat()).toEqual([]);
  });
}

async function walk(who: View['who'], views: View[], account: BusyAccount, look: Look): Promise<string[]> {
  const found: string[] = [];
  const seen = new Set<string>();
  const storageState = who === 'nobody' ? undefined : account[who];
  const person = await newVisitor({
    storageState,
    viewport: { width: look.width, height: look.width === 390 ? 844 : 960 },
    hasTouch: look.width === 390,
  });
  await person.context.addInitScript(chosen => {
    localStorage.setItem('peyk-language', chosen.language);
    localStorage.setItem('peyk-scheme', chosen.scheme);
  }, look);
  let isFresh = true;
  let isTouched = false;
  for (const view of views.filter(one => one.who === who)) {
    // The draft on the send page outlives a visit to other pages.
    if (isTouched) isFresh = view.path === paths.send() || !(await isCleared(person));
    if (isFresh) await person.open(view.path);
    else await person.follow(view.path);
    await view.then?.(person, look.language === 'tr' ? tr : en);
    await settle(person);
    found.push(...(await examine(person, view.name, seen)));
    if (pictures) await photograph(person, view.name, look);
    if (look.width === 390) found.push(...(await overflow(person, view.name)));
    isFresh = false;
    isTouched = view.then !== undefined;
  }
  return found;
}

/** By way of a page without anything: what was opened or typed on the last one is gone, unless it belongs to the shell. */
async function isCleared(person: Visitor): Promise<boolean> {
  await person.follow(nowhere);
  return (await person.page.locator('[role="dialog"]:visible, [role="menu"]:visible').count()) === 0;
}

/** Until nothing loads and nothing moves: colours in the middle of a fade are nobody's contrast. */
async function settle(person: Visitor): Promise<void> {
  await person.quiet();
  await person.page.evaluate(async () => {
    const moving = document.getAnimations().filter(one => one.effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(moving.map(one => one.finished));
  });
}

async function examine(person: Visitor, name: string, seen: Set<string>): Promise<string[]> {
  return (await seriousFindings(person.page, undefined, seen)).map(found => `${name}: ${found}`);
}

/** The narrowest phone, and 400 % zoom of a desk: nothing but tables scrolls sideways. */
async function overflow(person: Visitor, name: string): Promise<string[]> {
  const before = person.page.viewportSize()!;
  await person.page.setViewportSize({ width: narrowest, height: before.height });
  // Charts measure their frame after the page is drawn, on a busy machine seconds later: a page is wide when it stays wide.
  const wide = await wait(
    'the page to fit',
    async () => ((await tooWide(person)).length === 0 ? [] : null),
    20_000,
  ).catch(() => tooWide(person));
  await person.page.setViewportSize(before);
  return wide.length === 0 ? [] : [`${name}: wider than ${narrowest} px: ${wide.join(', ')}`];
}

/** What makes the page scroll sideways. */
function tooWide(person: Visitor): Promise<string[]> {
  return person.page.evaluate(width => {
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.body.querySelectorAll('*')]
      .filter(one => one.getBoundingClientRect().right > width && !one.closest('.grid-scroll'))
      .map(one => `${one.tagName.toLowerCase()}.${one.getAttribute('class')} ${one.getBoundingClientRect().right}`)
      .slice(0, 12);
  }, narrowest);
}

async function photograph(person: Visitor, name: string, look: Look): Promise<void> {
  const file = `${name}-${look.language}-${look.scheme}-${look.width}.png`;
  await person.page.screenshot({ path: join(picturesFolder, file), animations: 'disabled', fullPage: true });
}
