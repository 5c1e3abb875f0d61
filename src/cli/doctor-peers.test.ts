// Each check of the doctor that reads metrics or asks peers, with and without a problem.
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { atEndOfFile } from '../../test/support/run/clear-away.ts';
import { temporaryFolder } from '../../test/support/run/temporary-folder.ts';
import { openAccount } from '../accounts/open.ts';
import { selfSigned } from '../smpp/self-signed.ts';
import { now } from '../time/clock.ts';
import { connectionTrouble, isDiskFull, versionTrouble } from './doctor-checks.ts';
import { execute } from './execute.ts';
import { certificateTrouble, lookAtPeers } from './peer-look.ts';

const database = await testDatabase();
afterAll(() => database.close());
const folder = temporaryFolder();
const pair = selfSigned();
const [cert, key] = ['cert', 'key'].map(name => join(folder, name)) as [string, string];
writeFileSync(cert, pair.cert);
writeFileSync(key, pair.key);

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  atEndOfFile(() => server.close());
  return (server.address() as AddressInfo).port;
}

const open = await listening(createServer(socket => socket.destroy()));
const secure = await listening(createTlsServer(pair, socket => socket.destroy()));

async function findings(check: string, ...more: string[]): Promise<string[]> {
  const words = ['doctor', '--json', '--database-url', database.url, '--peyk-data', folder, ...more];
  const { findings: found } = JSON.parse(await execute(words)) as { findings: { check: string; wrong: string }[] };
  process.exitCode = 0;
  return found.filter(one => one.check === check).map(one => one.wrong);
}

test('a peer is reached, refuses, or has a certificate that nobody signed, and each is reported', async () => {
  const peer = (port: number, more: object = {}) => ({ name: 'x', host: '127.0.0.1', port, tls: false, ...more });
  const [fine, closed, unknown, known] = await lookAtPeers([
    peer(open),
    peer(1),
    peer(secure, { tls: true }),
    peer(secure, { tls: true, ca: pair.cert }),
  ]);
  expect(fine).toEqual({ name: 'x', trouble: null, validTo: null });
  expect(closed!.trouble).toContain('ECONNREFUSED');
  expect(unknown!.trouble).toMatch(/self.signed/);
  expect(known).toMatchObject({ trouble: null, validTo: expect.any(Date) });
});

test('a certificate that ends within two weeks, or has ended, is trouble', () => {
  const inDays = (days: number) => new Date(now().getTime() + days * 86_400_000);
  expect(certificateTrouble('a', inDays(15))).toBeNull();
  expect(certificateTrouble('a', inDays(5.5))).toMatch(/^a: the certificate ends on .*, in 5 days$/);
  expect(certificateTrouble('a', inDays(-1))).toMatch(/ended on/);
});

test('an old server, few connections left and a disk that fills up are trouble', () => {
  expect([versionTrouble(150_000, '15.0'), versionTrouble(140_012, '14.12')]).toEqual([
    [],
    ['PostgreSQL 14.12 is too old'],
  ]);
  expect([connectionTrouble(80, 100), connectionTrouble(81, 100)]).toEqual([[], ['81 of 100 connections used']]);
  const gib = 1024 ** 3;
  expect([isDiskFull(3 * gib, 10 * gib), isDiskFull(gib, 10 * gib), isDiskFull(40 * gib, 1000 * gib)]).toEqual([
    false,
    true,
    true,
  ]);
});

test('the doctor names webhooks, the registry and certificates that are not well, and contradictory settings', async () => {
  const { id } = await openAccount(database.pool, 'Deneme');
  const insert = `insert into webhook_endpoints (account_id, url) values ($1, $2)
    on conflict (account_id) do update set url = excluded.url`;
  await database.pool.query(insert, [id, `http://127.0.0.1:${open}/sms`]);
  expect(await findings('webhooks')).toEqual([]);
  await database.pool.query(insert, [id, 'http://127.0.0.1:1/sms']);
  expect(await findings('webhooks')).toEqual([
    expect.stringMatching(/^127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/),
  ]);
  const registry = await findings(
    'registry',
    '--peyk-registry-url',
    'http://127.0.0.1:1',
    '--peyk-registry-password',
    'x',
  );
  expect(registry).toEqual([expect.stringContaining('the registry cannot be reached')]);
  // For a day only, as a test makes it.
  const own = await findings('certificates', '--peyk-tls-cert', cert, '--peyk-tls-key', key);
  expect(own).toEqual([expect.stringMatching(/^our own: the certificate ends on .*, in 0 days$/)]);
  expect(await findings('certificates')).toEqual([]);
  expect(await findings('settings', '--peyk-tls-cert', cert)).toEqual(['PEYK_TLS_CERT is given without PEYK_TLS_KEY']);
});
