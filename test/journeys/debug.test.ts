import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { outsideCarrier } from '../support/outside-carrier.ts';
import { startProgram } from '../support/program.ts';
import { setTimeout as pause } from 'node:timers/promises';

test('debug', async () => {
  const database = await testDatabase();
  const env = {
    DATABASE_URL: database.url,
    PEYK_SECRET_KEY: randomBytes(32).toString('base64'),
    PEYK_SIMULATORS: '',
    PEYK_LEASE_SECONDS: '2',
    PEYK_UNSURE_HOLD_SECONDS: '1',
    PEYK_WORKERS: '1',
  };
  const first = await startProgram({ env, args: ['--roles', 'api,dispatch'] });
  const carrier = await outsideCarrier();
  await carrier.serve(first, 'outside', '--binds', '2');
  const second = await startProgram({ env, args: ['--roles', 'dispatch'] });
  const customer = await first.account({ credits: 50_000, set: ['rate=100000'] });
  await pause(2000);
  await first.cli('carrier', 'add', '--name', 'outside', '--binds', '1');
  await pause(3000);
  console.log(JSON.stringify((await first.cli<any>('carrier','list'))[0].links));
  console.log(await carrier.stats());
  second.signal('dispatch', 'SIGSTOP');
  const probe = await customer.send('Kim bagli', ['5501000000']);
  await pause(6000);
  console.log(await customer.report(probe));
  console.log(JSON.stringify((await first.cli<any>('carrier','list'))[0].links));
  console.log((await database.pool.query("select pid, classid, objid, objsubid, granted from pg_locks where locktype='advisory'")).rows);
  console.log((await database.pool.query("select * from dispatchers")).rows);
  console.log((await database.pool.query("select * from chunks")).rows);
  console.log(first.log.slice(-20).join('\n'));
  console.log('second', second.log.slice(-10).join('\n'));
  second.signal('dispatch', 'SIGCONT');
  await second.remove(); await first.remove();
  await database.close();
});
