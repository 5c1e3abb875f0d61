// Clients of the consent registry and its simulator on one clock, which moves only when a client waits or the test says so.
import { afterEach, beforeEach, expect } from 'vitest';
import { type Registry, type RegistryOptions, startRegistry } from '../../../simulators/registry/main.ts';
import { createRegistryClient, type RegistryClient } from '../../../src/consent/registry/client.ts';

/** Wednesday, 12:00 in Turkey. */
const noon = Date.UTC(2026, 2, 11, 9, 0, 0);

type Stats = {
  requests: Record<string, number>;
  answers: Record<string, number>;
  records: number;
  duplicates: number;
  movements: number;
};

export function registryScene(usual: Partial<RegistryOptions> = {}) {
  const scene = {
    time: noon,
    registry: undefined as unknown as Registry,
    clock: clock(),
    start,
    serve,
    connect,
    control,
    stats,
  };
  let clients: RegistryClient[] = [];
  beforeEach(() => {
    scene.time = noon;
  });
  afterEach(async () => {
    for (const client of clients) client.close();
    clients = [];
    await scene.registry.stop();
  });
  return scene;

  /** A new registry, and a client of it. */
  async function start(settings: Partial<RegistryOptions> = {}): Promise<RegistryClient> {
    await scene.registry?.stop();
    await serve(settings);
    return connect();
  }

  async function serve(settings: Partial<RegistryOptions>): Promise<void> {
    scene.registry = await startRegistry({ port: 0, now: () => scene.time, ...usual, ...settings });
  }

  function clock() {
    return {
      nowMs: () => scene.time,
      monotonicMs: () => scene.time - noon,
      sleep: async (ms: number) => {
        scene.time += ms;
      },
    };
  }

  function connect(change: Partial<Parameters<typeof createRegistryClient>[0]> = {}): RegistryClient {
    const login = { iysCode: 600, username: 'api@example.org', password: 'parola' };
    const client = createRegistryClient({ baseUrl: scene.registry.url, ...login, clock: scene.clock, ...change });
    clients.push(client);
    return client;
  }

  async function control(path: string, body?: object): Promise<never> {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${scene.registry.url}/control/${path}`, init);
    expect(answer.status).toBe(200);
    return (await answer.json()) as never;
  }

  function stats(): Promise<Stats> {
    return control('stats');
  }
}
