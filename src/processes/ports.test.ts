import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { claimPort } from './ports.ts';

test('a port in use, and an address that is not of this machine, are errors that name the setting to change', async () => {
  const busy = createServer();
  await new Promise<void>(resolve => busy.listen(0, '127.0.0.1', resolve));
  const { port } = busy.address() as AddressInfo;
  await expect(claimPort('PEYK_PORT', '127.0.0.1', port)).rejects.toThrow(
    `port ${port} on 127.0.0.1 is in use by another program: stop that one, or set PEYK_PORT to another port`,
  );
  await new Promise(resolve => busy.close(resolve));
  expect(await claimPort('PEYK_PORT', '127.0.0.1', port)).toBe(port);
  for (const wanted of [0, 8080])
    await expect(claimPort('PEYK_PORT', '203.0.113.1', wanted)).rejects.toThrow('PEYK_HOST');
});

test('a free port is none that the system gives to outgoing connections meanwhile', async () => {
  const picked = await Promise.all(Array.from({ length: 200 }, () => claimPort('PEYK_PORT', '127.0.0.1', 0)));
  expect(Math.max(...picked)).toBeLessThan(32_768);
  expect(Math.min(...picked)).toBeGreaterThan(1_023);
  expect(new Set(picked).size).toBeGreaterThan(150);
});
