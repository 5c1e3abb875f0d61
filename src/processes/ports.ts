// Ports that the program is about to listen on, looked at before anything else is started: one that is taken or forbidden
// is an error that says which setting to change.
import { createServer } from 'node:net';

/** The port itself, or a free one for 0: all API workers must agree on one number. */
export function claimPort(setting: string, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', error => reject(new Error(explain(setting, host, port, error))));
    probe.listen(port, host, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
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
