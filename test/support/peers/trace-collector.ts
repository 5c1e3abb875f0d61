// A collector of OpenTelemetry traces: OTLP over HTTP, JSON.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type ReceivedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
};

type Received = { resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[] };

export async function traceCollector() {
  const bodies: string[] = [];
  const heads: string[] = [];
  const server = createServer((request, response) => {
    heads.push(`${request.method} ${request.url} ${request.headers['content-type']} ${request.headers['x-collector']}`);
    const pieces: Buffer[] = [];
    request.on('data', piece => pieces.push(piece));
    request.on('end', () => {
      bodies.push(Buffer.concat(pieces).toString());
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    heads,
    get spans(): ReceivedSpan[] {
      const received = bodies.map(body => JSON.parse(body) as Received);
      return received.flatMap(one => one.resourceSpans).flatMap(one => one.scopeSpans.flatMap(scope => scope.spans));
    },
    close: () => server.close(),
  };
}
