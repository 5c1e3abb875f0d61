// Kannel as the far end of an SMPP link, for kannel-interop.mjs: finds its two programs, writes a configuration with free
// loopback ports, starts and stops them, sends through its HTTP interface, and hears its callbacks.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';

export const loopback = '127.0.0.1';
export const login = { systemId: 'kannel', password: 'secret01' };
export const subscriber = '905550000000';
export const service = '3344';
const startMs = 15_000;
const stopMs = 5_000;
const retryMs = 25;
const callsMax = 1_000;

export function findKannel() {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const find = name => folders.map(folder => join(folder, name)).find(existsSync);
  const found = { bearerbox: find('bearerbox'), smsbox: find('smsbox') };
  if (found.bearerbox && found.smsbox) return found;
  throw new Error('bearerbox and smsbox are missing: install Kannel (Debian, Ubuntu: apt-get install kannel)');
}

/** Kannel of `programs`, in `folder` (which the caller removes), bound to the SMSC at `smppPort` with this login. */
export async function startKannel(programs, folder, smppPort, user = login) {
  const { url, calls, closeCallbacks } = await startCallbacks();
  const [adminPort, boxPort, sendPort] = await freePorts(3);
  const config = join(folder, 'kannel.conf');
  writeFileSync(config, configuration({ folder, smppPort, adminPort, boxPort, sendPort, callbackUrl: url, user }));
  // smsbox gives up unless bearerbox listens for it already.
  const boxes = [startBox(programs.bearerbox, config, folder)];
  return {
    /** Received callbacks: receipts, and messages of subscribers. */
    calls,
    exits: () => boxes.map(box => box.exit),
    complaints: () => logLines(folder).filter(line => / (WARNING|ERROR|PANIC): /.test(line)),
    startSmsbox: () => boxes.unshift(startBox(programs.smsbox, config, folder)),
    send: (text, isUcs2, addresses) => send(sendPort, url, text, isUcs2, addresses),
    /** The order that Kannel requires: first the box that speaks HTTP, then the one that holds the link. */
    async stop() {
      for (const box of boxes) await stopBox(box, 'SIGTERM');
    },
    async destroy() {
      await Promise.all(boxes.map(box => stopBox(box, 'SIGKILL')));
      closeCallbacks();
    },
  };
}

/** Where Kannel posts receipts (/receipt) and messages of subscribers (/inbound). */
async function startCallbacks() {
  const calls = { receipt: [], inbound: [] };
  const server = createHttpServer((request, response) => {
    const url = new URL(request.url, `http://${loopback}`);
    const list = calls[url.pathname.slice(1)];
    if (list !== undefined && list.length < callsMax) list.push(Object.fromEntries(url.searchParams));
    response.end();
  });
  const port = await listening(server);
  const closeCallbacks = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://${loopback}:${port}`, calls, closeCallbacks };
}

export async function listening(server) {
  server.listen(0, loopback);
  await once(server, 'listening');
  return server.address().port;
}

/** Kannel does not accept port 0, so free ports are reserved and released together. */
export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(servers.map(listening));
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
  return ports;
}

function configuration({ folder, smppPort, adminPort, boxPort, sendPort, callbackUrl, user }) {
  const groups = {
    core: {
      'admin-port': adminPort,
      'admin-interface': loopback,
      'admin-password': login.password,
      'smsbox-port': boxPort,
      'smsbox-interface': loopback,
      'box-allow-ip': loopback,
      'dlr-storage': 'internal',
      'log-file': join(folder, 'bearerbox.log'),
      'log-level': 0,
    },
    smsc: {
      smsc: 'smpp',
      'smsc-id': 'peyk',
      host: loopback,
      port: smppPort,
      'smsc-username': user.systemId,
      'smsc-password': user.password,
      'system-type': '""',
      'transceiver-mode': 'true',
      'interface-version': 34,
      'enquire-link-interval': 1,
      'reconnect-delay': 1,
    },
    smsbox: {
      'bearerbox-host': loopback,
      'bearerbox-port': boxPort,
      'sendsms-port': sendPort,
      'sendsms-interface': loopback,
      'mo-recode': 'true',
      'log-file': join(folder, 'smsbox.log'),
      'log-level': 0,
    },
    'sendsms-user': {
      username: login.systemId,
      password: login.password,
      concatenation: 'true',
      'max-messages': 10,
    },
    'sms-service': {
      keyword: 'default',
      'catch-all': 'true',
      'max-messages': 0,
      'get-url': `"${callbackUrl}/inbound?text=%a&from=%p&to=%P"`,
    },
  };
  const lines = ([key, value]) => `${key} = ${value}\n`;
  return Object.entries(groups)
    .map(([name, group]) => `group = ${name}\n${Object.entries(group).map(lines).join('')}`)
    .join('\n');
}

function startBox(path, config, folder) {
  const child = spawn(path, [config], { cwd: folder, stdio: 'ignore' });
  const box = { child, exit: null, exited: once(child, 'exit').catch(() => {}) };
  child.on('error', error => {
    box.exit = error.message;
  });
  child.on('exit', (code, signal) => {
    box.exit = signal ?? code;
  });
  return box;
}

async function stopBox(box, signal) {
  if (box.exit === null) box.child.kill(signal);
  const timer = setTimeout(() => box.child.kill('SIGKILL'), stopMs);
  await box.exited;
  clearTimeout(timer);
}

/** smsbox may still be starting: a refused connection is retried. */
async function send(sendPort, callbackUrl, text, isUcs2, { from, to } = { from: service, to: subscriber }) {
  const query = new URLSearchParams({
    username: login.systemId,
    password: login.password,
    from,
    to,
    text,
    charset: 'UTF-8',
    coding: isUcs2 ? '2' : '0',
    'dlr-mask': '31',
    'dlr-url': `${callbackUrl}/receipt?type=%d&id=%F`,
  });
  const end = Date.now() + startMs;
  for (;;) {
    try {
      const answer = await fetch(`http://${loopback}:${sendPort}/cgi-bin/sendsms?${query}`);
      return `${answer.status} ${(await answer.text()).trim()}`;
    } catch (error) {
      if (Date.now() > end) return `${error.cause?.code ?? error.message}`;
      await new Promise(resolve => setTimeout(resolve, retryMs));
    }
  }
}

function logLines(folder) {
  const files = ['bearerbox.log', 'smsbox.log'].map(name => join(folder, name)).filter(existsSync);
  return files.flatMap(file => readFileSync(file, 'utf8').split('\n'));
}
