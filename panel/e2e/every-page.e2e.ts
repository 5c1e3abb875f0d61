// Every page, drawer and step, visited twice: in Turkish, dark, on a phone, and in English, light, on a desktop. Each visit checks
// everything that holds for all pages: axe finds nothing serious once the page has loaded, nothing is cut or overlaps at any
// width, nothing moves for people who asked for no motion, and every list has its states. With PEYK_SCREENSHOTS=1 in all eight
// combinations, with pictures in artifacts/screenshots.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { paths } from '../src/paths.ts';
import { en } from '../src/text/en.ts';
import { tr } from '../src/text/tr.ts';
import { seriousFindings } from './accessibility.ts';
import { type BusyAccount, busyAccount } from './busy-account.ts';
import { engine } from './chromium.ts';
import { layoutFaults } from './layout.ts';
import { declaredLists, LoadStates, nowhere } from './load-states.ts';
import { movingParts } from './motion.ts';
import { newVisitor } from './people.ts';
import { allViews, type View } from './views.ts';
import type { Visitor } from './visitor.ts';

type Look = { language: 'tr' | 'en'; scheme: 'light' | 'dark'; width: 1280 | 390 };

const pictures = process.env['PEYK_SCREENSHOTS'] === '1';
const picturesFolder = fileURLToPath(new URL('../../artifacts/screenshots', import.meta.url));
const timeoutMs = 600_000;
/** Sizes that have to fit besides the one of the visit: 320 px (400 % zoom of a desktop too), and pages without a dialog at 768. */
const narrowest = { width: 320, height: 844 };
const tablet = { width: 768, height: 900 };

const everyLook: Look[] = (['tr', 'en'] as const).flatMap(language =>
  (['light', 'dark'] as const).flatMap(scheme => ([1280, 390] as const).map(width => ({ language, scheme, width }))),
);
// Turkish on the phone, because its words are the longest.
const fewLooks: Look[] = [
  { language: 'tr', scheme: 'dark', width: 390 },
  { language: 'en', scheme: 'light', width: 1280 },
];

// Axe repeats the same code many thousand times.
engine.optimises = true;

let made: Promise<BusyAccount> | null = null;
/** Lists that went through all their states. */
const covered = new Set<string>();

for (const look of pictures ? everyLook : fewLooks) {
  const name = `${look.language}, ${look.scheme}, ${look.width}`;
  test(`every page is accessible, whole at every width, still where asked and tells its state (${name})`, {
    timeout: timeoutMs,
  }, async () => {
    made ??= busyAccount();
    const account = await made;
    const views = allViews(account);
    const seen = new Set<string>();
    // Three visitors at once, so that one page is examined while another loads.
    const found = await Promise.all(
      (['nobody', 'owner', 'staff'] as const).map(who => walk(who, views, account, look, seen)),
    );
    expect(found.flat()).toEqual([]);
    if (look.width === 1280) expect([...declaredLists()].filter(list => !covered.has(list))).toEqual([]);
  });
}

/** `seen`: what axe has examined with the same look. */
async function walk(
  who: View['who'],
  views: View[],
  account: BusyAccount,
  look: Look,
  seen: Set<string>,
): Promise<string[]> {
  const found: string[] = [];
  const storageState = who === 'nobody' ? undefined : account[who];
  const person = await newVisitor({
    storageState,
    viewport: { width: look.width, height: look.width === 390 ? 844 : 900 },
    hasTouch: look.width === 390,
  });
  await person.context.addInitScript(chosen => {
    localStorage.setItem('peyk-language', chosen.language);
    localStorage.setItem('peyk-scheme', chosen.scheme);
  }, look);
  const states = look.width === 1280 ? await LoadStates.of(person, look.language === 'tr' ? tr : en) : null;
  let isFresh = true;
  let isTouched = false;
  for (const view of views.filter(one => one.who === who)) {
    // The draft of the send page survives a visit to other pages.
    if (isTouched) isFresh = view.path === paths.send() || !(await isCleared(person));
    if (isFresh) await person.open(view.path);
    else await person.follow(view.path);
    await view.then?.(person, look.language === 'tr' ? tr : en);
    await settle(person);
    found.push(...(await examine(person, view.name, seen)));
    if (pictures) await photograph(person, view.name, look);
    found.push(...(await layouts(person, view, look)));
    if (view.name === 'orders') found.push(...(await stillness(person)));
    if (states) found.push(...(await throughStates(states, view.path)));
    isFresh = false;
    isTouched = view.then !== undefined;
  }
  return found;
}

/** Visits an empty page, which closes everything of the last one except what belongs to the frame. */
async function isCleared(person: Visitor): Promise<boolean> {
  await person.follow(nowhere);
  return !(await hasOpen(person));
}

async function hasOpen(person: Visitor): Promise<boolean> {
  return (await person.page.locator('[role="dialog"]:visible, [role="menu"]:visible').count()) > 0;
}

/** Waits until nothing loads and nothing moves: colours in the middle of a fade have no valid contrast. */
async function settle(person: Visitor): Promise<void> {
  await person.quiet();
  await person.page.evaluate(async () => {
    const moving = document.getAnimations().filter(one => one.effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(moving.map(one => one.finished));
  });
}

async function examine(person: Visitor, name: string, seen: Set<string>): Promise<string[]> {
  const loading = await person.page.locator('.mantine-Skeleton-root, [aria-busy="true"]').count();
  const findings = await seriousFindings(person.page, undefined, seen);
  return [...(loading > 0 ? ['examined while it loads'] : []), ...findings].map(found => `${name}: ${found}`);
}

/** At the size of the visit, which comes last, and at the others. */
async function layouts(person: Visitor, view: View, look: Look): Promise<string[]> {
  const found: string[] = [];
  const others = look.width === 1280 ? [] : view.then ? [narrowest] : [narrowest, tablet];
  for (const size of [...others, person.page.viewportSize()!])
    found.push(...(await layoutFaults(person.page, size)).map(fault => `${view.name}: ${fault}`));
  return found;
}

/** An order under way moves, but not for people who asked their system for no motion. */
async function stillness(person: Visitor): Promise<string[]> {
  const still = await movingParts(person.page);
  await person.page.emulateMedia({ reducedMotion: 'no-preference' });
  const moving = await movingParts(person.page);
  await person.page.emulateMedia({ reducedMotion: 'reduce' });
  return [
    ...still.map(one => `moves in spite of reduced motion: ${one}`),
    ...(moving.length > 0 ? [] : ['nothing moves']),
  ];
}

/** The lists of the page, unless an earlier page had them too. */
async function throughStates(states: LoadStates, path: string): Promise<string[]> {
  const lists = await states.lists();
  if (lists.every(list => covered.has(list))) return [];
  // Without the drawer that the address may name: it would cover the list.
  const bare = path.replace(/[?&]ac=[^&]*/, '').replace(/^([^?]*)&/, '$1?');
  if (bare !== path) await states.person.follow(bare);
  else if (await hasOpen(states.person)) return [];
  for (const list of lists) covered.add(list);
  try {
    await states.throughLaterRead();
    await states.throughFirstRead(bare);
    return [];
  } catch (error) {
    return [`${path} (${lists}): ${(error as Error).message}`];
  }
}

async function photograph(person: Visitor, name: string, look: Look): Promise<void> {
  const file = `${name}-${look.language}-${look.scheme}-${look.width}.png`;
  await person.page.screenshot({ path: join(picturesFolder, file), animations: 'disabled', fullPage: true });
}
