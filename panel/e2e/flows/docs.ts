// The documentation at /docs: public, in both languages and colour schemes, on the narrowest phone, with its search.
import { expect, test } from 'vitest';
import { ofColours, seriousFindings } from '../accessibility.ts';
import { newVisitor, program } from '../people.ts';
import { eventually } from '../visitor.ts';

const narrowest = 320;

test('the documentation is accessible in both colour schemes, fits the narrowest phone, and asks nobody else', async () => {
  const reader = await newVisitor({ viewport: { width: narrowest, height: 800 } });
  const { page } = reader;
  const asked = new Set<string>();
  page.on('request', request => asked.add(new URL(request.url()).origin));
  for (const path of ['/docs/', '/docs/en/going-live']) {
    await page.goto(path);
    await page.locator('#menu').click();
    expect(await seriousFindings(page), path).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await seriousFindings(page, ofColours), path).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(narrowest);
    await page.emulateMedia({ colorScheme: 'light' });
  }
  expect([...asked]).toEqual([new URL(program.ready.api).origin]);
});

test('samples in several languages are tabs, and the chosen language holds on every page and in the reference', async () => {
  const { page } = await newVisitor({ viewport: { width: narrowest, height: 800 } });
  await page.goto('/docs/en/webhooks');
  const shown = page.getByRole('tabpanel');
  await page.getByRole('tab', { name: 'PHP' }).click();
  await eventually(() => shown.innerText()).toContain('hash_hmac');
  expect(await shown.count()).toBe(1);
  await page.keyboard.press('ArrowRight');
  await eventually(() => shown.innerText()).toContain('import hashlib');
  expect(await seriousFindings(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(narrowest);
  await page.goto('/docs/api?lang=en');
  const chosen = page.getByRole('tab', { name: 'Python', selected: true });
  await eventually(() => chosen.count()).toBe(await page.getByRole('tablist').count());
  await page.goto('/docs/webhooks');
  await page.getByRole('tab', { name: 'Python', selected: true }).waitFor();
});

test('a search without Turkish letters finds a Turkish page, by keyboard alone', async () => {
  const { page } = await newVisitor({});
  await page.goto('/docs/');
  await page.keyboard.press('/');
  await page.keyboard.type('BES DAKIKADA');
  const found = page.locator('#found');
  await eventually(() => found.getByRole('link').count()).toBeGreaterThan(0);
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await eventually(() => page.url()).toMatch(/\/docs\/start$/);
});
