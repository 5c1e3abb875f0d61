// Rows between two databases, as JSON by the names of their columns: times, numbers and bytes arrive as they were.
import { type Client, query } from './side.ts';

/** As a select item: all rows of `from` as one text, null where there are none. */
export const asText = (from: string) => `json_agg(${from})::text`;

/** Written by the database itself. Where tables are seen through views nothing says so; a test holds it against the schema. */
export const generated = ['planned', 'running', 'owner_id'];

const columnsOf = `
  select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
  where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> all ($2)`;

/** Stores rows in the other database. A row that is there stays as it is, unless `meet` says otherwise. */
export class Store {
  readonly #client: Client;
  readonly #columns = new Map<string, string>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** `where`: of the rows `t`; `returning`: of what was new. */
  async put<Row>(
    table: string,
    rows: string | null,
    { meet = '', where = 'true', returning = '' }: { meet?: string; where?: string; returning?: string } = {},
  ): Promise<Row[]> {
    if (rows === null) return [];
    const columns = await this.columns(table);
    return query<Row>(
      this.#client,
      `insert into ${table} (${columns}) overriding system value
       select ${columns} from json_populate_recordset(null::${table}, $1::json) t where ${where}
       on conflict ${meet || 'do nothing'} ${returning && `returning ${returning}`}`,
      [rows],
    );
  }

  async columns(table: string): Promise<string> {
    const known = this.#columns.get(table);
    if (known) return known;
    const [found] = await query<{ columns: string }>(this.#client, columnsOf, [table, generated]);
    this.#columns.set(table, found!.columns);
    return found!.columns;
  }
}
