// Checks the listening ports before anything else starts: a port that is taken or forbidden is an error that names the setting
// to change.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Chosen ports lie below the range for outgoing connections (Linux from 32768, others from 49152). Otherwise an outgoing
// connection could take the port in the seconds before the listener opens, or while a dead process is restarted.
const [freeFrom, freeTo] = [10_000, 32_768];
const tries = 50;
// Programs that start at the same moment, such as tests, could choose the same port: each has ten candidates by its process id.
const own = 10;
let chosen = 0;

/** Returns the port itself, or a free one for 0: all API workers must share one number. */
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
