// Submits as traces.
import { expect, test } from 'vitest';
import { SmppCustomer } from '../../test/support/customers/smpp-customer.ts';
import { traceCollector } from '../../test/support/peers/trace-collector.ts';
import { wait } from '../../test/support/run/wait.ts';
import { silentLog } from '../log.ts';
import { tracesOf } from '../orders/traces.ts';
import { startTracing } from '../tracing/tracer.ts';
import { TestServer } from './server-fixture.ts';

test('where traces are exported, a submit is one, its order remembers it, and a refused one has its code', async () => {
  const collector = await traceCollector();
  const tracing = startTracing({ endpoint: collector.url, headers: '', share: 1, resource: {}, log: silentLog });
  const server = await TestServer.open();
  const customer = await SmppCustomer.bind(server.port, await server.user());
  try {
    const { message_id: id } = await customer.submit('905550000002', 'Izlenen');
    await customer.submit('905550000002', 'Izlenen', { source_addr: 'YOKBOYLE' });
    const [taken, refused] = await wait('both spans', () =>
      collector.spans.length === 2 ? collector.spans : undefined,
    );
    expect([taken?.name, refused?.name]).toEqual(['submit_sm', 'submit_sm']);
    const remembered = await wait('the trace of the order', async () =>
      (await tracesOf(server.db, [Number(id)])).get(Number(id)),
    );
    expect(remembered).toEqual({ traceId: taken!.traceId, spanId: taken!.spanId });
    expect(collector.bodies.join()).toContain('"intValue":"450"');
  } finally {
    customer.destroy();
    await server.close();
    await tracing.stop();
    collector.close();
  }
});
