// A host with a wrong clock beside a database with a right one: nothing changes except a warning to the operator.
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import { turkeyTime } from '../support/customers/samples.ts';
import { type Program, startProgram } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';

const hourMs = 3_600_000;
const wrongClock = fileURLToPath(new URL('../support/program/skewed-clock.mjs', import.meta.url));

function startSkewed(skewMs: number): Promise<Program> {
  return startProgram({ env: { NODE_OPTIONS: `--import ${wrongClock}`, PEYK_TEST_SKEW_MS: String(skewMs) } });
}

const skews = { 'four hours ahead': 4 * hourMs, 'four hours behind': -4 * hourMs };

describe.each(Object.entries(skews))('a program whose clock is %s of the database’s', (_name, skewMs) => {
  let program: Program;

  test('sends at once, fires and cancels schedules at their time, and reports true times', async () => {
    program = await startSkewed(skewMs);
    const customer = await program.account({ credits: 100 });
    const [now, soon, later] = plainNumbers(3);
    expect(await customer.finished(await customer.send('Hemen', [now!]))).toMatchObject({ status: 114, delivered: 1 });

    const timed = await customer.send('Birazdan', [soon!], { sendDateTime: turkeyTime(2_000) });
    expect((await customer.call('get-report', { order: { id: timed } })).code).toBe(456);
    expect(await customer.finished(timed)).toMatchObject({ status: 114, delivered: 1 });

    const planned = await customer.send('Sonra', [later!], { sendDateTime: turkeyTime(hourMs) });
    expect((await customer.call('get-report', { order: { id: planned } })).code).toBe(456);
    expect((await customer.call('cancel-order', { order: { id: planned } })).code).toBe(200);

    const repeat = await customer.trySend('Hemen', [now!]);
    expect(repeat.code).toBe(451);
    const { submitAt } = await customer.report(timed);
    const trueMs = Date.parse(`${submitAt.replace(' ', 'T')}+03:00`);
    expect(Math.abs(trueMs - Date.now())).toBeLessThan(60_000);
    expect(await program.audit()).toEqual({ ok: true, findings: [] });
  });

  test('signs people in for as long as anywhere else, and says that its clock is wrong', async () => {
    const { email, password } = program.ready.staff!;
    const call = (name: string, body: object, headers: Record<string, string> = {}) =>
      fetch(`${program.ready.api}/panel/api/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-peyk-panel': '1', ...headers },
        body: JSON.stringify(body),
      });
    const signedIn = await call('session.signIn', { email, password });
    const cookie = signedIn.headers
      .getSetCookie()
      .map(one => one.split(';')[0])
      .join('; ');
    const { rows } = await (await program.db()).query(
      'select extract(epoch from now() - created_at)::float8 as age from sessions',
    );
    expect(Math.abs(rows[0].age)).toBeLessThan(60);
    const answer = await call('staff.status', {}, { cookie });
    const { data: status } = (await answer.json()) as { data: { clock: { aheadMs: number; differs: boolean } } };
    expect(status.clock).toMatchObject({ differs: true });
    expect(Math.abs(status.clock.aheadMs - skewMs)).toBeLessThan(60_000);
    await wait('the log to say so', () => program.log.some(line => line.includes('differs from the database')));
    await program.stop();
  });
});
