// Operations that only old clients still call.
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../../test/support/program/app.ts';

const app = await testApp();
afterAll(() => app.close());
const { key, hash } = await app.open();

type Answer = { response: { status: { code: number }; settings?: object; errors?: Record<string, string> } };

async function ask(operation: string, members: object = {}): Promise<Answer['response']> {
  const body = JSON.stringify({ request: { authentication: { key, hash }, ...members } });
  const answer = await fetch(`${app.url}/v1/${operation}/json`, { method: 'POST', body });
  return ((await answer.json()) as Answer).response;
}

test('an older client that asks for settings gets none, in both forms, and only with its key', async () => {
  expect(await ask('get-settings')).toMatchObject({ status: { code: 200 }, settings: {} });
  const login = `<authentication><key>${key}</key><hash>${hash}</hash></authentication>`;
  const post = (body: string) => fetch(`${app.url}/v1/get-settings`, { method: 'POST', body });
  const answer = await post(`<request>${login}</request>`);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('<settings')]);
  expect((await post(`<request>${login.replace(hash, 'x')}</request>`)).status).toBe(401);
});

test('an older client that applies for a sender ID learns where to apply, and that a name is invalid', async () => {
  const apply = (sender: unknown) => ask('add-sender', { originator: { sender } });
  expect(await apply('YENI')).toMatchObject({
    status: { code: 422 },
    errors: { sender: expect.stringMatching(/panel/) },
  });
  for (const bad of ['', 'ON IKI HARFLI', 'ŞİRKET', undefined])
    expect(await apply(bad)).toMatchObject({ status: { code: 450 } });
});
