// The form of a carrier against its settings and the table's own defaults.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database/database.ts';
import { readSetting } from '../../carriers/carrier-settings.ts';
import { putCarrier } from '../../carriers/carriers.ts';
import { carrierFaults, carrierFields, fieldsOf } from './carrier-fields.ts';

const database = await testDatabase();
afterAll(() => database.close());

test('every setting takes what its control offers, and nothing beyond its bounds', () => {
  for (const { name, control, initial, isNeeded } of carrierFields) {
    const read = (given: string) => readSetting(name, given);
    if (initial !== '' || !isNeeded) read(initial);
    if (control.kind === 'number') {
      for (const good of [control.min, control.max]) expect(read(String(good)), name).toBe(good);
      for (const bad of [control.min - 1, control.max + 1]) expect(() => read(String(bad)), name).toThrow();
    }
    if (control.kind === 'choice') for (const option of control.options) expect(read(option), name).toBe(option);
    if (control.kind === 'switch') expect([read('on'), read('off')], name).toEqual([true, false]);
  }
});

test('what the form shows at first is what a carrier gets when nothing is said', async () => {
  const given = { host: 'localhost', port: '2775', 'system-id': 'peyk', password: 'x' };
  const bare = await putCarrier(database.pool, Buffer.alloc(32, 7), 'bos', given);
  const full = Object.fromEntries(
    fieldsOf('smpp')
      .filter(one => !one.isNeeded)
      .map(one => [one.name, one.initial]),
  );
  const said = await putCarrier(database.pool, Buffer.alloc(32, 7), 'dolu', { ...full, ...given });
  const same = ({ id: _, name: __, changedAt: ___, ...rest }: typeof bare) => rest;
  expect(same(said)).toEqual(same(bare));
});

test('all faults of a form are reported at once', async () => {
  const given = { port: '99999', binds: 'çok', long: 'xyz', tls: 'evet', 'system-id': '', olmayan: '1' };
  expect((await carrierFaults('kötü ad', given, true)).map(one => [one.field, one.isMissing])).toEqual([
    ['name', false],
    ['host', true],
    ['port', false],
    ['tls', false],
    ['system-id', true],
    ['binds', false],
    ['long', false],
    ['password', true],
    ['olmayan', false],
  ]);
  expect(await carrierFaults('iyi', { binds: '2' }, false)).toEqual([]);
});
