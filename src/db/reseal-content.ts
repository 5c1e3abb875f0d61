// Content of messages that an older key sealed: counted, or sealed anew with the first one. While everything runs, as reseal.ts does
// it, but piece by piece: these are the largest tables.
import { headOf, isSealedText, sealBytesAnew, sealTextAnew } from '../content.ts';
import { keysOf, type SecretKey } from '../secrets.ts';
import { type Db, row, rows, run, type Sql } from './db.ts';
import type { Resealed } from './reseal.ts';

/** How a column holds what is sealed: as text, as bytes, as the only member of an object, as the only entry of a list. */
const kinds = {
  text: { type: 'text', inside: (at: string) => at, whole: (value: string) => value },
  bytes: { type: 'bytea', inside: (at: string) => at, whole: (value: string) => value },
  json: {
    type: 'text',
    inside: (at: string) => `${at} ->> 'sealed'`,
    whole: (value: string) => `jsonb_build_object('sealed', ${value})`,
  },
  texts: { type: 'text', inside: (at: string) => `${at}[1]`, whole: (value: string) => `array[${value}]` },
} as const;

export type ContentColumn = { what: string; table: string; column: string; kind: keyof typeof kinds };

/** Every column that holds content: whoever writes it seals, whoever reads it opens. */
export const contentColumns: ContentColumn[] = [
  { what: 'texts of orders', table: 'orders', column: 'text', kind: 'text' },
  { what: 'further texts of orders', table: 'more_texts', column: 'text', kind: 'text' },
  { what: 'columns of lists', table: 'order_columns', column: 'content', kind: 'bytes' },
  { what: 'names of columns', table: 'order_columns', column: 'names', kind: 'texts' },
  { what: 'drafts', table: 'send_drafts', column: 'head', kind: 'json' },
  { what: 'shapes of drafts', table: 'send_drafts', column: 'shape', kind: 'json' },
  { what: 'lists of drafts', table: 'send_draft_pieces', column: 'content', kind: 'bytes' },
  { what: 'files to download', table: 'export_pieces', column: 'content', kind: 'bytes' },
  { what: 'filters of files', table: 'exports', column: 'filter', kind: 'json' },
  { what: 'inbound messages', table: 'inbound_messages', column: 'text', kind: 'text' },
  { what: 'inbound parts', table: 'inbound_parts', column: 'text', kind: 'text' },
  { what: 'inbound messages to nobody', table: 'inbound_unrouted', column: 'text', kind: 'text' },
  { what: 'parts of SMPP messages', table: 'smpp_parts', column: 'text', kind: 'text' },
  { what: 'webhook bodies', table: 'webhook_deliveries', column: 'body', kind: 'text' },
  { what: 'answers to webhooks', table: 'webhook_deliveries', column: 'answer_body', kind: 'text' },
];

const blocksAtOnce = 256;
// A row that is changed meanwhile may move to where we have been.
const walksMax = 5;

/** `rewrite`: seal anew; else only count what needs an older key. */
export async function resealContent(
  db: Db,
  key: SecretKey,
  of: ContentColumn,
  { rewrite }: { rewrite: boolean },
): Promise<Resealed> {
  const [first, ...older] = keysOf(key).map(headOf) as [string, ...string[]];
  let resealed = 0;
  let heads = await headsIn(db, of);
  for (let walk = 0; rewrite && walk < walksMax && sumOf(heads, older) > 0; walk++) {
    resealed += await rewriteAll(db, of, older);
    heads = await headsIn(db, of);
  }
  const all = sumOf(heads, [...heads.keys()]);
  const [already, left] = [sumOf(heads, [first]), sumOf(heads, older)];
  return { what: of.what, resealed, already: already - resealed, older: left, lost: all - already - left };
}

function sumOf(heads: Map<string, number>, wanted: string[]): number {
  return wanted.reduce((sum, one) => sum + (heads.get(one) ?? 0), 0);
}

function headIn({ column, kind }: ContentColumn, headLength = headOf(Buffer.alloc(32)).length): string {
  const held = kinds[kind].inside(column);
  return kind === 'bytes'
    ? `encode(substring(${held} from 1 for ${headLength}), 'escape')`
    : `left(${held}, ${headLength})`;
}

/** How many values each key sealed, by what they begin with. */
async function headsIn(db: Db, of: ContentColumn): Promise<Map<string, number>> {
  const countSql: Sql<{ head: string; count: number }> = {
    name: `${of.table} ${of.column} heads`,
    text: `select head, count(*) as count from (select ${headIn(of)} as head from ${of.table}) x
      where ${isSealedText('head')} group by head`,
  };
  return new Map((await rows(db, countSql)).map(one => [one.head, one.count]));
}

async function rewriteAll(db: Db, of: ContentColumn, older: string[]): Promise<number> {
  const { table, column } = of;
  const { type, inside, whole } = kinds[of.kind];
  const sizeSql: Sql<{ blocks: number }> = {
    name: `${table} blocks`,
    text: `select pg_relation_size('${table}') / current_setting('block_size')::bigint as blocks`,
  };
  const readSql: Sql<{ place: string; held: string | Buffer }> = {
    name: `${table} ${column} sealed before`,
    text: `select ctid::text as place, ${inside(column)} as held from ${table}
      where ctid >= $1::tid and ctid < $2::tid and ${headIn(of)} = any ($3)`,
  };
  const writeSql: Sql<never> = {
    name: `${table} ${column} seal anew`,
    text: `update ${table} t set ${column} = ${whole('u.fresh')} from unnest($1::tid[], $2::${type}[], $3::${type}[]) u(place, old, fresh)
      where t.ctid = u.place and ${inside(`t.${column}`)} = u.old`,
  };
  const { blocks } = (await row(db, sizeSql))!;
  let done = 0;
  for (let block = 0; block < blocks; block += blocksAtOnce) {
    const found = await rows(db, readSql, [`(${block},0)`, `(${block + blocksAtOnce},0)`, older]);
    const fresh = found.flatMap(({ place, held }) => {
      const value = anew(held);
      return value === null ? [] : [{ place, held, value }];
    });
    if (fresh.length === 0) continue;
    const values = [fresh.map(one => one.place), fresh.map(one => one.held), fresh.map(one => one.value)];
    done += await run(db, writeSql, values);
  }
  return done;
}

/** null: it does not open. */
function anew(held: string | Buffer): string | Buffer | null {
  return typeof held === 'string' ? sealTextAnew(held) : sealBytesAnew(held);
}
