import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { compressFolder } from '../../scripts/compress.mjs';
import { temporaryFolder } from '../../test/support/run/temporary-folder.ts';
import { startPanel } from '../panel-api/panel-fixture.ts';

const folder = temporaryFolder();
const dist = join(folder, 'dist');
mkdirSync(join(dist, 'assets'), { recursive: true });
writeFileSync(join(dist, 'index.html'), '<!doctype html><title>Peyk panel</title>');
writeFileSync(join(dist, 'assets', 'app-abc123.js'), `export const x = '${'x'.repeat(5_000)}';`);
writeFileSync(join(folder, 'secret.key'), 'gizli');
compressFolder(dist);

const panel = await startPanel(dist);
const unbuilt = await startPanel(join(folder, 'nothing'));
afterAll(async () => {
  await panel.stop();
  await unbuilt.stop();
});
const browser = panel.browser();

test('the first page and every page of the browser’s router are index.html under a strict policy', async () => {
  for (const path of ['/panel/', '/panel/siparisler/123', '/panel/numara/905550000000?x=1']) {
    const answer = await browser.get(path);
    expect([path, answer.statusCode, answer.body.includes('Peyk panel')]).toEqual([path, 200, true]);
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.headers['cache-control']).toBe('no-cache');
  }
  const bare = await browser.get('/panel');
  expect([bare.statusCode, bare.headers['location']]).toEqual([302, '/panel/']);
});

test('hashed files are cached for good and sent compressed to those who can', async () => {
  const plain = await browser.get('/panel/assets/app-abc123.js');
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8');
  const squeezed = await browser.get('/panel/assets/app-abc123.js', { 'accept-encoding': 'gzip, br' });
  expect(squeezed.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(squeezed.rawPayload).toString()).toBe(plain.body);
  // Over plain HTTP browsers ask for this one only.
  const zipped = await browser.get('/panel/assets/app-abc123.js', { 'accept-encoding': 'gzip, deflate' });
  expect(zipped.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body);
});

test('a page that has not changed is not sent again', async () => {
  const first = await browser.get('/panel/');
  const again = await browser.get('/panel/siparisler', { 'if-none-match': String(first.headers['etag']) });
  expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', first.headers['etag']]);
  const other = await browser.get('/panel/', { 'if-none-match': 'W/"000000000000"' });
  expect([other.statusCode, other.body]).toEqual([200, first.body]);
});

test('a build that has gone from the disk is served on until this process ends', async () => {
  const path = join(dist, 'assets', 'app-abc123.js');
  const before = await browser.get('/panel/assets/app-abc123.js');
  rmSync(path);
  expect((await browser.get('/panel/assets/app-abc123.js')).body).toBe(before.body);
});

test('a missing file of the build is 404, never a page', async () => {
  for (const path of ['/panel/assets/old-999.js', '/panel/missing.js'])
    expect([path, (await browser.get(path)).statusCode]).toEqual([path, 404]);
});

test('no path leads out of the folder', async () => {
  const paths = [
    '../secret.key',
    '%2e%2e/secret.key',
    '..%2fsecret.key',
    'assets/../../secret.key',
    '%5c..%5csecret.key',
  ];
  for (const path of paths) expect((await browser.get(`/panel/${path}`)).body, path).not.toContain('gizli');
});

test('without a build the page says how to make one', async () => {
  const answer = await unbuilt.browser().get('/panel/');
  expect(answer.statusCode).toBe(503);
  expect(answer.body).toContain('npm run build');
  expect(answer.body).toContain('derlenmedi');
});

test('an unknown operation and a body that is no object are answered in the panel’s own form', async () => {
  const post = (url: string, payload: string) =>
    panel.server.inject({
      method: 'POST',
      url,
      payload,
      headers: { 'x-peyk-panel': '1', 'content-type': 'application/json' },
    });
  expect((await post('/panel/api/yok', '{}')).json()).toMatchObject({
    ok: false,
    error: { code: 'no-such-operation' },
  });
  expect((await post('/panel/api/toString', '{}')).json().error.code).toBe('no-such-operation');
  for (const body of ['[]', '{', '1'])
    expect((await post('/panel/api/session.me', body)).json().error.code).toBe('bad-request');
});
