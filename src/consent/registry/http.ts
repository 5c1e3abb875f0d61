// One HTTP exchange with the registry: a deadline for all of it, a bound on the answer's size, no redirects, no exceptions.
// Other files interpret status and body.
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

type Exchange = { http: number; text: string } | { why: string; mayHaveArrived: boolean };
export type Wire = {
  send(method: 'GET' | 'POST', path: string, token: string | null, body?: unknown): Promise<Exchange>;
  close(): void;
};

const socketsMax = 4;

export function createWire(baseUrl: string, timeoutMs: number, answerBytesMax: number): Wire {
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  const secure = base.protocol === 'https:';
  const agent = new (secure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: socketsMax });
  const start = secure ? httpsRequest : httpRequest;

  function send(method: 'GET' | 'POST', path: string, token: string | null, body?: unknown): Promise<Exchange> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers: Record<string, string> = { accept: 'application/json' };
    if (token !== null) headers['authorization'] = `Bearer ${token}`;
    if (text !== undefined) headers['content-type'] = 'application/json';
    if (text !== undefined) headers['content-length'] = String(Buffer.byteLength(text));
    return new Promise(resolve => {
      let connected = false;
      const fail = (why: string) => resolve({ why, mayHaveArrived: connected });
      const request = start(new URL(prefix + path, base), { method, headers, agent });
      const timer = setTimeout(() => {
        fail(`no answer within ${timeoutMs} ms`);
        request.destroy();
      }, timeoutMs);
      request.on('socket', socket => {
        if (socket.connecting) socket.once('connect', () => (connected = true));
        else connected = true;
      });
      request.on('error', error => fail(reason(error)));
      request.on('close', () => {
        clearTimeout(timer);
        fail('closed before the answer was complete');
      });
      request.on('response', response => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes <= answerBytesMax) return void chunks.push(chunk);
          fail(`answer over ${answerBytesMax} bytes`);
          request.destroy();
        });
        response.on('error', error => fail(reason(error)));
        response.on('end', () => resolve({ http: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      });
      request.end(text);
    });
  }

  return { send, close: () => agent.destroy() };
}

function reason(error: Error): string {
  return (error as NodeJS.ErrnoException).code ?? error.message;
}
