// A proxy in front of an HTTP server that imitates a slow line: while held, it stops large requests after their first bytes and
// passes small ones. The test decides how long, so that it can inspect the page meanwhile.
import { connect, createServer, type Socket } from 'node:net';

type SlowProxy = {
  url: string;
  hold(): void;
  open(): void;
  /** Ends every connection and refuses new ones until opened, because a browser retries a broken connection once by itself. */
  cut(): void;
  close(): Promise<void>;
};

// More than any small request has. The kernels of both sides still buffer about 5 MB beyond it.
const passBytes = 64 * 1024;

export async function slowProxy(behindUrl: string): Promise<SlowProxy> {
  const { hostname, port } = new URL(behindUrl);
  const sockets = new Set<Socket>();
  const waiting = new Set<Socket>();
  let state: 'open' | 'held' | 'cut' = 'open';
  let heldAt = 0;
  const server = createServer(client => {
    if (state === 'cut') return void client.destroy();
    const behind = connect(Number(port), hostname);
    let [bytes, countedAt] = [0, heldAt];
    for (const one of [client, behind]) sockets.add(one.on('error', () => {}));
    client.on('data', data => {
      behind.write(data);
      if (state !== 'held') return;
      if (countedAt !== heldAt) [bytes, countedAt] = [0, heldAt];
      bytes += data.length;
      if (bytes <= passBytes) return;
      client.pause();
      waiting.add(client);
    });
    behind.on('data', data => {
      client.write(data);
      bytes = 0;
    });
    client.on('close', () => behind.destroy());
    behind.on('close', () => client.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    hold() {
      state = 'held';
      heldAt++;
    },
    open() {
      state = 'open';
      for (const one of waiting) one.resume();
      waiting.clear();
    },
    cut() {
      state = 'cut';
      waiting.clear();
      for (const one of sockets) one.destroy();
      sockets.clear();
    },
    async close() {
      for (const one of sockets) one.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
