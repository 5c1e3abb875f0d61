// Where a DATABASE_URL points, with one server or several.
import { expect, test } from 'vitest';
import { lookingInto, placesOf } from './database-places.ts';

const shared = 'postgresql://peyk:s%40cret@localhost/peyk';

test.each([
  [
    'postgresql://peyk:s%40cret@one:5433,two/peyk?target_session_attrs=read-write',
    { url: shared, several: places('one:5433', 'two:5432'), mustWrite: true },
  ],
  [
    'postgresql://peyk:s%40cret@one,two/peyk?sslmode=require',
    { url: `${shared}?sslmode=require`, several: places('one:5432', 'two:5432'), mustWrite: true },
  ],
  [
    'postgres://[::1]:6000,[::2]/peyk',
    { url: 'postgres://localhost/peyk', several: places('::1:6000', '::2:5432'), mustWrite: true },
  ],
  [
    'postgresql://peyk@localhost/peyk?host=%2Frun%2Fone,%2Frun%2Ftwo&port=5001,5002',
    { url: 'postgresql://peyk@localhost/peyk', several: places('/run/one:5001', '/run/two:5002'), mustWrite: true },
  ],
])('several servers are taken apart: %s', (url, expected) => {
  expect(placesOf(url)).toEqual(expected);
});

function places(...texts: string[]): { host: string; port: number }[] {
  return texts.map(text => {
    const end = text.lastIndexOf(':');
    return { host: text.slice(0, end), port: Number(text.slice(end + 1)) };
  });
}

test.each([
  ['postgresql://peyk@db.example.com:5432/peyk', false],
  ['postgresql://peyk@db.example.com/peyk?target_session_attrs=read-write', true],
  ['postgresql://peyk@localhost/peyk?host=%2Frun%2Fpeyk&target_session_attrs=primary', true],
  ['socket:/run/peyk?db=peyk', false],
])('one server is left to the driver as it was given: %s', (url, mustWrite) => {
  expect(placesOf(url)).toEqual({ url, several: [], mustWrite });
});

test('a schema is said to the server, and only plain names are taken', () => {
  expect(placesOf('postgresql://peyk@one/peyk?schema=cell_1&sslmode=require')).toEqual({
    url: 'postgresql://peyk@one/peyk?sslmode=require&options=-c+search_path%3Dcell_1',
    several: [],
    mustWrite: false,
    schema: 'cell_1',
  });
  expect(placesOf('postgresql://one,two/peyk?options=-c%20jit%3Doff&schema=a')).toMatchObject({
    url: 'postgresql://localhost/peyk?options=-c+jit%3Doff+-c+search_path%3Da',
    schema: 'a',
  });
  for (const name of ['Cell', 'a;b', 'pg_temp', '', 'x'.repeat(41)])
    expect(() => placesOf(`postgresql://one/peyk?schema=${name}`)).toThrow('schema must be a plain name');
});

test('a schema of a cluster differs from a schema of a database', () => {
  expect(placesOf('postgresql://one/peyk?schema=cell_1&citus=on')).toMatchObject({ schema: 'cell_1', citus: true });
  expect(placesOf('postgresql://one/peyk?schema=cell_1&citus=off')).not.toHaveProperty('citus');
  expect(() => placesOf('postgresql://one/peyk?citus=on')).toThrow('citus=on needs schema=NAME');
  const { url } = placesOf('postgresql://one/peyk?schema=cell_1&options=-c%20jit%3Doff&citus=on');
  expect(new URL(lookingInto(url, 'a,b')).searchParams.get('options')).toBe(
    '-c jit=off -c search_path=a,b -c citus.show_shards_for_app_name_prefixes=*',
  );
});

test('an address that asks for a read-only server is refused', () => {
  expect(() => placesOf('postgresql://one,two/peyk?target_session_attrs=standby')).toThrow(
    'target_session_attrs must be read-write, primary or any',
  );
});
