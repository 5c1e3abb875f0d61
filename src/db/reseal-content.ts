// Converts stored content of messages: sealed with the first key, or clear text. It counts or rewrites values while the program runs, like
// reseal.ts, but in pieces, because these are the largest tables.
import {
  headOf,
  isSealedText,
  openBytes,
  openJson,
  openText,
  openTexts,
  sealBytes,
  sealJson,
  sealText,
  sealTexts,
  unlessUnreadable,
} from '../sealing/content.ts';
import { keysOf, type SecretKey } from '../sealing/secrets.ts';
import { type Db, row, rows, run, type Sql } from './db.ts';
import type { Resealed } from './reseal.ts';

type Held = string | Buffer;

/**
 * How a column holds content: as text, as bytes, as a JSON object that a sealed one stands for, as a list that one with a single sealed
 * entry stands for. `read`, `write`: as a parameter of `type` and back; `head`: where a sealed one says so; `anew`: as it is wanted now.
 */
type Kind = {
  type: 'text' | 'bytea';
  read(at: string): string;
  write(value: string): string;
  head(at: string): string;
  anew(held: Held): Held;
};

const kinds = {
  text: {
    type: 'text',
    read: at => at,
    write: value => value,
    head: at => at,
    anew: held => sealText(openText(held as string)),
  },
  bytes: {
    type: 'bytea',
    read: at => at,
    write: value => value,
    head: at => at,
    anew: held => sealBytes(openBytes(held as Buffer)),
  },
  json: {
    type: 'text',
    read: at => `${at}::text`,
    write: value => `${value}::jsonb`,
    head: at => `coalesce(${at} ->> 'sealed', '')`,
    anew: held => JSON.stringify(sealJson(openJson(JSON.parse(held as string)))),
  },
  texts: {
    type: 'text',
    read: at => `to_jsonb(${at})::text`,
    write: value => `array(select jsonb_array_elements_text(${value}::jsonb))`,
    head: at => `coalesce(${at}[1], '')`,
    anew: held => JSON.stringify(sealTexts(openTexts(JSON.parse(held as string)))),
  },
} satisfies Record<string, Kind>;

/** `passing`: rows that live for minutes and are compared with new ones: rewritten only for another key. `also`: columns changed with it. */
type ContentColumn = {
  what: string;
  table: string;
  column: string;
  kind: keyof typeof kinds;
  passing?: true;
  also?: string;
};

/** Every column that holds content: writers seal it, readers open it. */
export const contentColumns: ContentColumn[] = [
  // The fingerprint, which finds duplicates within ten minutes, is a digest of the clear text: with it the text could be guessed.
  { what: 'texts of orders', table: 'orders', column: 'text', kind: 'text', also: 'fingerprint = 0' },
  { what: 'further texts of orders', table: 'more_texts', column: 'text', kind: 'text' },
  { what: 'columns of lists', table: 'order_columns', column: 'content', kind: 'bytes' },
  { what: 'names of columns', table: 'order_columns', column: 'names', kind: 'texts' },
  { what: 'drafts', table: 'send_drafts', column: 'head', kind: 'json' },
  { what: 'shapes of drafts', table: 'send_drafts', column: 'shape', kind: 'json' },
  { what: 'lists of drafts', table: 'send_draft_pieces', column: 'content', kind: 'bytes' },
  { what: 'files to download', table: 'export_pieces', column: 'content', kind: 'bytes' },
  { what: 'filters of files', table: 'exports', column: 'filter', kind: 'json' },
  { what: 'inbound messages', table: 'inbound_messages', column: 'text', kind: 'text' },
  { what: 'inbound parts', table: 'inbound_parts', column: 'text', kind: 'text', passing: true },
  { what: 'inbound messages to nobody', table: 'inbound_unrouted', column: 'text', kind: 'text' },
  { what: 'parts of SMPP messages', table: 'smpp_parts', column: 'text', kind: 'text', passing: true },
  { what: 'webhook bodies', table: 'webhook_deliveries', column: 'body', kind: 'text' },
  { what: 'answers to webhooks', table: 'webhook_deliveries', column: 'answer_body', kind: 'text' },
];

const blocksAtOnce = 256;
// A row that is updated meanwhile may move behind the walk, so there are several walks.
const walksMax = 5;

/**
 * `counted`: only counts. `first-key`: seals values of older keys with the first one. `sealed`, `plain`: converts all values. The process
 * seals accordingly (useContentKeys).
 */
type ContentState = 'counted' | 'first-key' | 'sealed' | 'plain';

export async function resealContent(
  db: Db,
  key: SecretKey,
  of: ContentColumn,
  target: ContentState,
): Promise<Resealed> {
  const [first, ...older] = keysOf(key).map(headOf) as [string, ...string[]];
  const others = of.passing
    ? older
    : { counted: [], 'first-key': older, sealed: [plain, ...older], plain: [first, ...older] }[target];
  let resealed = 0;
  let heads = await headsIn(db, of);
  for (let walk = 0; target !== 'counted' && walk < walksMax && sumOf(heads, others) > 0; walk++) {
    const done = await rewriteAll(db, of, others);
    resealed += done;
    heads = await headsIn(db, of);
    if (done === 0) break;
  }
  const already = sumOf(heads, [target === 'plain' ? plain : first]) - resealed;
  const [left, all] = [sumOf(heads, older), sumOf(heads, [...heads.keys()])];
  return {
    what: of.what,
    resealed,
    already: Math.max(0, already),
    older: left,
    lost: all - sumOf(heads, [plain, first]) - left,
  };
}

const plain = '';

function sumOf(heads: Map<string, number>, wanted: string[]): number {
  return wanted.reduce((sum, one) => sum + (heads.get(one) ?? 0), 0);
}

/** The prefix of a sealed value, '' for clear text. */
function headIn({ column, kind }: ContentColumn, headLength = headOf(Buffer.alloc(32)).length): string {
  const held = kinds[kind].head(column);
  const start =
    kind === 'bytes' ? `encode(substring(${held} from 1 for ${headLength}), 'escape')` : `left(${held}, ${headLength})`;
  return `case when ${isSealedText(start)} then ${start} else '' end`;
}

/** Counts values by the prefix of their key. */
async function headsIn(db: Db, of: ContentColumn): Promise<Map<string, number>> {
  const countSql: Sql<{ head: string; count: number }> = {
    name: `${of.table} ${of.column} heads`,
    text: `select ${headIn(of)} as head, count(*) as count from ${of.table} where ${of.column} is not null group by 1`,
  };
  return new Map((await rows(db, countSql)).map(one => [one.head, one.count]));
}

async function rewriteAll(db: Db, of: ContentColumn, others: string[]): Promise<number> {
  const { table, column, also } = of;
  const { type, read, write }: Kind = kinds[of.kind];
  const sizeSql: Sql<{ blocks: number }> = {
    name: `${table} blocks`,
    text: `select pg_relation_size('${table}') / current_setting('block_size')::bigint as blocks`,
  };
  const readSql: Sql<{ place: string; held: Held }> = {
    name: `${table} ${column} otherwise`,
    text: `select ctid::text as place, ${read(column)} as held from ${table}
      where ctid >= $1::tid and ctid < $2::tid and ${column} is not null and ${headIn(of)} = any ($3)`,
  };
  const writeSql: Sql<never> = {
    name: `${table} ${column} anew`,
    text: `update ${table} t set ${column} = ${write('u.fresh')}${also ? `, ${also}` : ''}
      from unnest($1::tid[], $2::${type}[], $3::${type}[]) u(place, old, fresh)
      where t.ctid = u.place and ${read(`t.${column}`)} = u.old`,
  };
  const { blocks } = (await row(db, sizeSql))!;
  let done = 0;
  for (let block = 0; block < blocks; block += blocksAtOnce) {
    const found = await rows(db, readSql, [`(${block},0)`, `(${block + blocksAtOnce},0)`, others]);
    const fresh = found.flatMap(({ place, held }) => {
      const value = unlessUnreadable(() => kinds[of.kind].anew(held));
      return value === null || value === held ? [] : [{ place, held, value }];
    });
    if (fresh.length === 0) continue;
    const values = [fresh.map(one => one.place), fresh.map(one => one.held), fresh.map(one => one.value)];
    done += await untilNobodyIsInTheWay(() => run(db, writeSql, values));
  }
  return done;
}

const deadlock = '40P01';
const triesMax = 10;

/** Retries after a deadlock: orders are settled meanwhile, several at a time and in another order. */
async function untilNobodyIsInTheWay(write: () => Promise<number>): Promise<number> {
  for (let tries = 1; ; tries++)
    try {
      return await write();
    } catch (error) {
      if ((error as { code?: string }).code !== deadlock || tries === triesMax) throw error;
    }
}
