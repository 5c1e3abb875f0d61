// The documentation site as the server sends it. What it does in a browser: panel/e2e/flows/docs.ts; what stands in it:
// test/documentation-site.test.ts.
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../../test/support/program/app.ts';

const app = await testApp();
afterAll(() => app.close());

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}${path}`, { headers, redirect: 'manual' });

test('/docs leads to the language of the browser, else to Turkish', async () => {
  const leadsTo = async (accepts: string) =>
    (await ask('/docs', { 'accept-language': accepts })).headers.get('location');
  expect(await leadsTo('en-GB,en;q=0.9,tr;q=0.8')).toBe('/docs/en/');
  expect(await leadsTo('tr-TR,tr;q=0.9,en;q=0.8')).toBe('/docs/');
  expect(await leadsTo('de')).toBe('/docs/');
});

test('/docs/tr/ and its pages lead to the Turkish ones, and nowhere else', async () => {
  for (const [path, place] of [
    ['/docs/tr', '/docs/'],
    ['/docs/tr/', '/docs/'],
    ['/docs/tr/webhooks', '/docs/webhooks'],
    ['/docs/tr//example.com', '/docs//example.com'],
  ])
    expect((await ask(path!)).headers.get('location')).toBe(place);
});

test('pages are Turkish at /docs and English at /docs/en, and the reference keeps its place', async () => {
  const languageOf = async (path: string) => /<html lang="(..)">/.exec(await (await ask(path)).text())?.[1];
  for (const path of ['/docs/', '/docs/webhooks', '/docs/webhooks/']) expect(await languageOf(path), path).toBe('tr');
  for (const path of ['/docs/en/', '/docs/en', '/docs/en/webhooks']) expect(await languageOf(path), path).toBe('en');
  expect(await (await ask('/docs/api')).text()).toContain('<h2 id="send-sms">');
});

test('a page allows nothing inline and nothing from elsewhere, and is not sent again unchanged', async () => {
  const first = await ask('/docs/webhooks');
  const policy = first.headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  expect(first.headers.get('content-encoding')).toBe('gzip');
  const again = await ask('/docs/webhooks', { 'if-none-match': first.headers.get('etag')! });
  expect(again.status).toBe(304);
  const [, style] = /rel="stylesheet" href="([^"]*)"/.exec(await first.text())!;
  expect((await ask(style!)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

test('a page that is not there is 404 in the language asked for, and a missing file no page', async () => {
  const lost = async (path: string) => {
    const answer = await ask(path);
    return [answer.status, (await answer.text()).match(/<html lang="(..)">/)?.[1]];
  };
  expect(await lost('/docs/yok')).toEqual([404, 'tr']);
  expect(await lost('/docs/en/yok')).toEqual([404, 'en']);
  expect(await lost('/docs/assets/yok.js')).toEqual([404, undefined]);
  expect(await lost('/docs/..%2f..%2fpackage.json')).toEqual([404, 'tr']);
});
