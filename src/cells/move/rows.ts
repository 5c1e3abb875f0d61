// Copies rows between two databases as JSON with the names of their columns.
import { type Client, query } from './side.ts';

/** A select item: all rows of `from` as one text; null where there are none. */
export const asText = (from: string) => `json_agg(${from})::text`;

/** Generated columns, which a view does not show as such. Compared with the schema by a test. */
export const generated = ['planned', 'running', 'owner_id'];
// Views of a cluster's tables have it as a column (src/db/citus/prepare.ts).
const notStored = [...generated, 'ctid'];

const columnsOf = `
  select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
  where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> all ($2)`;

/** Stores rows in the other database. A row that exists there is kept, unless `conflict` is given. */
export class Store {
  readonly #client: Client;
  readonly #columns = new Map<string, string>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** `conflict`: what follows ON CONFLICT; `where`: a condition on the rows `t`; `returning`: of the rows that were stored. */
  async put<Row>(
    table: string,
    rows: string | null,
    { conflict = '', where = 'true', returning = '' }: { conflict?: string; where?: string; returning?: string } = {},
  ): Promise<Row[]> {
    if (rows === null) return [];
    const columns = await this.columns(table);
    return query<Row>(
      this.#client,
      `insert into ${table} (${columns}) overriding system value
       select ${columns} from json_populate_recordset(null::${table}, $1::json) t where ${where}
       on conflict ${conflict || 'do nothing'} ${returning && `returning ${returning}`}`,
      [rows],
    );
  }

  async columns(table: string): Promise<string> {
    const known = this.#columns.get(table);
    if (known) return known;
    const [found] = await query<{ columns: string }>(this.#client, columnsOf, [table, notStored]);
    this.#columns.set(table, found!.columns);
    return found!.columns;
  }
}
