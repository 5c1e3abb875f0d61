// Ports that the program is about to listen on, looked at before anything else is started: one that is taken or forbidden
// is an error that says which setting to change.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below what systems hand out to outgoing connections (Linux from 32768, the others from 49152): between this look and the
// listener, and while a process that died is started again, seconds pass in which one of those took a port we had chosen.
const [freeFrom, freeTo] = [10_000, 32_768];
const tries = 50;
// Programs that start at the same moment, as tests do by the hundred, would now and then choose alike: each has ten by its process id.
const own = 10;
let chosen = 0;

/** The port itself, or a free one for 0: all API workers must agree on one number. */
export async function claimPort(setting: string, host: string, port: number): Promise<number> {
  for (let left = tries; ; left--) {
    const wanted = port || anyPort();
    const error = await listenOnce(host, wanted);
    if (!error) return wanted;
    if (port || left === 1 || error.code !== 'EADDRINUSE') throw new Error(explain(setting, host, wanted, error));
  }
}

function anyPort(): number {
  const first = freeFrom + ((process.pid * own) % (freeTo - freeFrom - own));
  return chosen < own ? first + chosen++ : randomInt(freeFrom, freeTo);
}

function listenOnce(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise(resolve => {
    const probe = createServer().once('error', resolve);
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
}

const causes: Record<string, (setting: string, host: string, port: number) => string> = {
  EADDRINUSE: (setting, host, port) =>
    `port ${port} on ${host} is in use by another program: stop that one, or set ${setting} to another port`,
  EACCES: (setting, host, port) =>
    `port ${port} on ${host} may not be opened by this user: set ${setting} to a port above 1023`,
  EADDRNOTAVAIL: (_setting, host) =>
    `${host} is no address of this machine: set PEYK_HOST to one, or to 0.0.0.0 for all`,
};

function explain(setting: string, host: string, port: number, error: NodeJS.ErrnoException): string {
  return (
    causes[error.code ?? '']?.(setting, host, port) ?? `cannot listen on ${host}:${port} (${setting}): ${error.message}`
  );
}
