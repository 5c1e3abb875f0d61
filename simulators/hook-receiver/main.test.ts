import { afterEach, expect, test } from 'vitest';
import { type HookReceiver, startHookReceiver } from './main.ts';

let hook: HookReceiver;
afterEach(() => hook.stop());

const post = (path: string, body: string) =>
  fetch(hook.url + path, { method: 'POST', body, headers: { 'x-own': 'yes' }, redirect: 'manual' });

test('every call is recorded with path, headers and raw body, and can be read and forgotten', async () => {
  hook = await startHookReceiver();
  await post('/a?b=1', '{"x":"ğ"}');
  await post('/c', 'second');
  const answer = await fetch(`${hook.url}/__calls?from=2`);
  const { count, calls } = (await answer.json()) as { count: number; calls: object[] };
  expect(count).toBe(2);
  expect(calls).toMatchObject([{ no: 2, path: '/c', body: 'second', headers: { 'x-own': 'yes' } }]);
  expect(hook.calls[0]).toMatchObject({ path: '/a?b=1', body: '{"x":"ğ"}' });
  await post('/__reset', '');
  expect(hook.count()).toBe(0);
});

test('it fails, redirects, cuts and hangs on request, for a given number of calls', async () => {
  hook = await startHookReceiver();
  expect((await post('/__mode', '{"mode":"failing","status":503,"first":1}')).status).toBe(200);
  expect((await post('/', '')).status).toBe(503);
  expect((await post('/', '')).status).toBe(200);
  await post('/__mode', '{"mode":"redirect","to":"https://hook.example/"}');
  const moved = await post('/', '');
  expect([moved.status, moved.headers.get('location')]).toEqual([302, 'https://hook.example/']);
  await post('/__mode', '{"mode":"close"}');
  await expect(post('/', '').then(answer => answer.text())).rejects.toThrow();
  await post('/__mode', '{"mode":"hang"}');
  await expect(fetch(hook.url, { signal: AbortSignal.timeout(50) })).rejects.toThrow();
  await post('/__mode', '{"mode":"slow","ms":1}');
  expect((await post('/', '')).status).toBe(200);
});

test('a mode it does not know is refused', async () => {
  hook = await startHookReceiver();
  expect((await post('/__mode', '{"mode":"odd"}')).status).toBe(400);
  expect((await post('/__mode', 'no json')).status).toBe(400);
  expect((await post('/__else', '')).status).toBe(404);
});
