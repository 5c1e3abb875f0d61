// A new key for stored secrets: while both are there everything opens, and when the old one is gone nothing needs it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reseal, sealedColumns } from '../db/reseal.ts';
import { contentColumns } from '../db/reseal-content.ts';
import {
  headOf,
  openBytes,
  openJson,
  openText,
  openTexts,
  sealBytes,
  sealText,
  shownText,
  useContentKeys,
} from '../sealing/content.ts';
import { isSealedWith, keysOf, loadSecretKey, readKeys, seal, unseal } from '../sealing/secrets.ts';
import { command, commandLine } from './command-fixture.ts';

const { run, json, database, data } = await commandLine();
const db = database.pool;
const [rotate, resealAll] = [command('secrets rotate'), command('secrets reseal')];

test('every column that holds something sealed is sealed anew', async () => {
  const { rows } = await db.query(`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' and column_name !~ '(digest|content|span_id)$'`);
  const listed = sealedColumns.map(one => `${one.table}.${one.column}`);
  expect(listed.sort()).toEqual(rows.map(one => one.name).sort());
});

test('a key is rotated, secrets open with both, are sealed anew, and the old key is forgotten', async () => {
  const old = loadSecretKey(data, '');
  await json(
    'carrier',
    'add',
    '--name',
    'a',
    '--host',
    '127.0.0.1',
    '--port',
    '9',
    '--system-id',
    'x',
    '--password',
    'gizli',
  );
  await db.query(`insert into registry_tokens (login, state, held) values ('x', '{}', $1)`, [seal(old, 'belirteç')]);
  await json(...rotate);
  const both = loadSecretKey(data, '');
  expect(keysOf(both)).toHaveLength(2);
  const password = async () => (await db.query('select password from carriers')).rows[0].password as Buffer;
  expect([isSealedWith(both, await password()), unseal(both, await password())]).toEqual([false, 'gizli']);
  const resealed = await json(...resealAll, '--forget');
  expect(resealed).toContainEqual({ what: 'passwords of carriers', resealed: 1, already: 0, lost: 0 });
  const fresh = loadSecretKey(data, '');
  expect([fresh.older, fresh.equals(both)]).toEqual([undefined, true]);
  expect(unseal(fresh, await password())).toBe('gizli');
  expect(unseal(fresh, (await db.query('select held from registry_tokens')).rows[0].held)).toBe('belirteç');
  expect(await json(...resealAll)).toContainEqual({
    what: 'passwords of carriers',
    resealed: 0,
    already: 1,
    lost: 0,
  });
});

test('content keeps its key until it is removed, or is sealed anew when asked for; until then the older key stays', async () => {
  const old = loadSecretKey(data, '');
  useContentKeys(old, 'sealed');
  await db.query(
    `insert into inbound_messages (account_id, number_text, recipient, text, received_at) values (1, '', '', $1, now()), (1, '', '', 'düz', now())`,
    [sealText('gizli')],
  );
  await db.query(`insert into order_columns (order_id, account_id, no, names, content) values (1, 1, 0, $1, $2)`, [
    [sealText('["ad"]')],
    sealBytes(Buffer.from('liste')),
  ]);
  await db.query(`insert into inbound_unrouted (carrier_id, sender, recipient, text) values (1, '', '', $1)`, [
    sealText('x'),
  ]);
  await json(...rotate);
  const counted = await json(...resealAll);
  expect(counted).toContainEqual({ what: 'inbound messages', resealed: 0, already: 0, older: 1, lost: 0 });
  await expect(run(...resealAll, '--forget')).rejects.toThrow('4 texts of messages need an older key');
  const resealed = await json(...resealAll, '--content', '--forget');
  for (const what of ['inbound messages', 'columns of lists', 'names of columns'])
    expect(resealed).toContainEqual({ what, resealed: 1, already: 0, older: 0, lost: 0 });
  useContentKeys(loadSecretKey(data, ''), 'plain');
  const { rows } = await db.query('select text from inbound_messages order by id');
  expect(rows.map(one => shownText(one.text))).toEqual(['gizli', 'düz']);
  await db.query('delete from inbound_messages');
  await db.query('delete from order_columns');
  await db.query('delete from inbound_unrouted');
});

test('stored texts of every kind are sealed and opened again by command, as it is set, and read the same all the while', async () => {
  const key = loadSecretKey(data, '');
  useContentKeys(key, 'plain');
  await db.query(
    `insert into inbound_messages (account_id, number_text, recipient, text, received_at) values (1, '', '', 'bir', now()), (1, '', '', $1, now())`,
    [sealText('peyk1:görünüşte')],
  );
  await db.query(`insert into order_columns (order_id, account_id, no, names, content) values (1, 1, 0, $1, $2)`, [
    ['ad', 'soyad'],
    Buffer.from('liste'),
  ]);
  const { id: account } = (await json('account', 'create', '--name', 'x')) as { id: string };
  await db.query(
    `insert into exports (account_id, kind, format, language, filter) values (${account}, 'orders', 'csv', 'tr', '{"text":"x"}')`,
  );
  await db.query(
    `insert into orders (id, account_id, sender, lane, state, total, first_message_id, submit_at, send_at, close_after, fingerprint, text, encoding, parts)
     values (1, 1, 'x', 0, 'finished', 1, 1, now(), now(), now(), 5, 'Kodunuz 123', 0, 1)`,
  );
  const stored = async () => {
    const texts = (await db.query('select text from inbound_messages order by id')).rows.map(one => one.text as string);
    const list = (await db.query('select names, content from order_columns')).rows[0];
    const { filter } = (await db.query('select filter from exports')).rows[0];
    const order = (await db.query('select text, fingerprint from orders where id = 1')).rows[0];
    return { texts, ...list, filter, order: order.text as string, fingerprint: Number(order.fingerprint) };
  };
  const read = async () => {
    const { texts, names, content, filter, order } = await stored();
    return [texts.map(openText), openTexts(names), openBytes(content), openJson(filter), openText(order)];
  };
  const before = [['bir', 'peyk1:görünüşte'], ['ad', 'soyad'], Buffer.from('liste'), { text: 'x' }, 'Kodunuz 123'];
  expect(await read()).toEqual(before);

  const [seal, open] = [command('content seal'), command('content open')];
  const sealed = ['--peyk-content', 'sealed'];
  await expect(run(...seal)).rejects.toThrow('set PEYK_CONTENT=sealed for all nodes');
  const resealed = await json(...seal, ...sealed);
  expect(resealed).toContainEqual({ what: 'inbound messages', resealed: 1, already: 1, older: 0, lost: 0 });
  const held = await stored();
  const heads = [...held.texts, held.names[0], held.content.toString('latin1'), held.filter.sealed, held.order];
  expect(heads.every((one: string) => one.startsWith(headOf(key)))).toBe(true);
  expect([held.names.length, held.fingerprint]).toEqual([1, 0]);
  expect(await read()).toEqual(before);
  expect(await json(...seal, ...sealed)).toContainEqual({
    what: 'texts of orders',
    resealed: 0,
    already: 1,
    older: 0,
    lost: 0,
  });

  await expect(run(...open, ...sealed)).rejects.toThrow('set PEYK_CONTENT=plain for all nodes');
  await json(...open);
  expect(await read()).toEqual(before);
  const again = await stored();
  // What only looks sealed cannot be stored plainly.
  expect(again.texts.map((one: string) => one.startsWith(headOf(key)))).toEqual([false, true]);
  expect([again.names, again.order, again.filter]).toEqual([['ad', 'soyad'], 'Kodunuz 123', { text: 'x' }]);
  for (const one of ['inbound_messages', 'order_columns', 'exports', 'orders']) await db.query(`delete from ${one}`);
});

test('every column named content, text or body is one that is sealed', async () => {
  const { rows } = await db.query(`
    select table_name || '.' || column_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and column_name in ('text', 'content', 'body', 'answer_body')`);
  const listed = contentColumns.map(one => `${one.table}.${one.column}`);
  // Papers that a customer hands in are no messages.
  expect(rows.map(one => one.name).filter(name => !listed.includes(name))).toEqual(['documents.content']);
});

test('while something opens with no key that is given, the older keys stay', async () => {
  const before = readFileSync(join(data, 'secret.key'), 'utf8');
  await db.query(`insert into registry_tokens (login, state, held) values ('y', '{}', $1)`, [
    seal(Buffer.alloc(32, 3), 'z'),
  ]);
  await json(...rotate);
  await expect(run(...resealAll, '--forget')).rejects.toThrow('1 secrets cannot be opened with the given keys');
  expect(keysOf(loadSecretKey(data, ''))).toHaveLength(2);
  expect(readFileSync(join(data, 'secret.key'), 'utf8')).toContain(before.trim());
  await db.query(`delete from registry_tokens`);
  await run(...resealAll, '--forget');
});

test('a value that somebody changes meanwhile is left as they wrote it', async () => {
  const key = readKeys(`${Buffer.alloc(32, 1).toString('base64')} ${loadSecretKey(data, '').toString('base64')}`)!;
  const theirs = seal(key, 'yeni');
  const [passwords] = sealedColumns;
  const during = {
    query: async (statement: { name: string }, ...rest: never[]) => {
      if (statement.name === 'carriers password reseal') await db.query('update carriers set password = $1', [theirs]);
      return (db.query as (...all: unknown[]) => unknown)(statement, ...rest);
    },
  };
  await reseal(during as never, key, passwords!);
  expect((await db.query('select password from carriers')).rows[0].password).toEqual(theirs);
});

test('a damaged key in the file is reported, and nothing is done', async () => {
  const path = join(data, 'secret.key');
  const before = readFileSync(path);
  writeFileSync(path, `${before}kisa\n`);
  await expect(run(...rotate)).rejects.toThrow(/damaged|missing/);
  writeFileSync(path, before);
});
