import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { DuckDBInstance } from '@duckdb/node-api';
import postgres from 'postgres';
import type { Json } from '@inlay/contract';

export const tenants = ['A', 'B'] as const;
export type Tenant = (typeof tenants)[number];

/** Tables of two tenants, and the same tables with the rows of one of them alone: what its answers are held against. */
export const views = ['mixed', ...tenants] as const;
export type View = (typeof views)[number];

type Row = readonly (string | number | null)[];

interface Table {
  readonly columns: Readonly<Record<string, 'integer' | 'text' | 'numeric(12,2)' | 'timestamp'>>;
  readonly rows: readonly Row[];
}

const regions = ['North', 'South', 'East', null];

/** Orders: the same ids, regions and customers for both, amounts and days of their own. */
const orders: readonly Row[] = tenants.flatMap((tenant, which) =>
  Array.from({ length: 60 }, (_, index): Row => {
    const month = 1 + ((index + which * 5) % 12);
    const amount = index % 13 === 0 ? null : which === 0 ? 100 + index * 3 : 100_000 + index * 7;
    return [
      1000 * which + index,
      tenant,
      regions[(index + which) % 4] ?? null,
      amount,
      1 + (index % 5),
      `${2023 + which}-${String(month).padStart(2, '0')}-${String(1 + (index % 28)).padStart(2, '0')} 10:00:00`,
      index % 7,
    ];
  }),
);

/** Customers: the same ids for both, names that tell whose they are. */
const customers: readonly Row[] = tenants.flatMap((tenant) =>
  Array.from({ length: 6 }, (_, id): Row => [id, tenant, `Customer ${id} of ${tenant}`]),
);

const tables: Readonly<Record<'orders' | 'customers', Table>> = {
  orders: {
    columns: {
      id: 'integer',
      tenant: 'text',
      region: 'text',
      amount: 'numeric(12,2)',
      quantity: 'integer',
      day: 'timestamp',
      customer: 'integer',
    },
    rows: orders,
  },
  customers: { columns: { id: 'integer', tenant: 'text', name: 'text' }, rows: customers },
};

export type TableName = keyof typeof tables;
export const tableNames = ['orders', 'customers'] as const satisfies readonly TableName[];
export const columnsOf = (table: TableName): Table['columns'] => tables[table].columns;

const rowsOf = (table: TableName, view: View): readonly Row[] =>
  tables[table].rows.filter((row) => view === 'mixed' || row[1] === view);

/** Returns the number of rows of a table. */
export const rowCount = (table: TableName, view: View): number => rowsOf(table, view).length;

/** How a database writes the tables: their types, and texts that are moments. */
interface Spelling {
  readonly types: Readonly<Record<Table['columns'][string], string>>;
  readonly moment: (text: string) => string;
  /** What follows the columns of a table. */
  readonly end: string;
}

const spellings = {
  clickhouse: {
    types: {
      integer: 'Nullable(Int32)',
      text: 'Nullable(String)',
      'numeric(12,2)': 'Nullable(Decimal(12, 2))',
      timestamp: "Nullable(DateTime64(6, 'UTC'))",
    },
    moment: (text) => `'${text}'`,
    end: ' engine = MergeTree order by tuple()',
  },
  trino: {
    types: { integer: 'bigint', text: 'varchar', 'numeric(12,2)': 'decimal(12, 2)', timestamp: 'timestamp(6)' },
    moment: (text) => `timestamp '${text}'`,
    end: '',
  },
} as const satisfies Readonly<Record<string, Spelling>>;

/** Returns the statements that make the tables of all views, under names such as `orders_a`. */
export function statementsFor(database: keyof typeof spellings): readonly string[] {
  const { types, moment, end }: Spelling = spellings[database];
  return tableNames.flatMap((table) =>
    views.flatMap((view) => {
      const { columns } = tables[table];
      const kinds = Object.values(columns);
      const name = view === 'mixed' ? table : `${table}_${view.toLowerCase()}`;
      const list = Object.entries(columns).map(([column, type]) => `${column} ${types[type]}`);
      const rows = rowsOf(table, view).map(
        (row) =>
          `(${row.map((value, at) => (kinds[at] === 'timestamp' && typeof value === 'string' ? moment(value) : literal(value))).join(', ')})`,
      );
      return [`create table ${name} (${list.join(', ')})${end}`, `insert into ${name} values ${rows.join(', ')}`];
    }),
  );
}

const literal = (value: string | number | null): string =>
  value === null ? 'null' : typeof value === 'number' ? String(value) : `'${value}'`;

const defined = (table: TableName): string =>
  Object.entries(tables[table].columns)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(', ');

const valuesOf = (table: TableName, view: View): string =>
  rowsOf(table, view)
    .map((row) => `(${row.map(literal).join(', ')})`)
    .join(', ');

/** Fills a database with the tables of one view, or with those of all under names such as `orders_A`. */
export async function fillPostgres(url: string, view: View | 'all'): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  for (const table of tableNames) {
    for (const one of view === 'all' ? views : [view]) {
      const name = one === 'mixed' || view !== 'all' ? table : `${table}_${one.toLowerCase()}`;
      await sql.unsafe(`create table ${name} (${defined(table)}); insert into ${name} values ${valuesOf(table, one)}`);
    }
  }
  await sql.end();
}

/** Writes a dataset version of the columnar engine. */
export async function writeVersion(path: string, table: TableName, view: View): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(`create table "rows" (${defined(table)}); insert into "rows" values ${valuesOf(table, view)}`);
  connection.closeSync();
  instance.closeSync();
}

const kinds = {
  integer: 'numeric',
  'numeric(12,2)': 'numeric',
  text: 'hierarchy',
  timestamp: 'datetime',
} as const;

const cell = (value: string | number | null, column: number): Json =>
  typeof value === 'string' && column === 5 ? `${value.replace(' ', 'T')}.000Z` : value;

/** Returns a plugin that offers every table of every view and ignores all filters, as a basic one may. */
export async function startTenantPlugin(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const listed = views.flatMap((view) =>
    tableNames.map((table) => ({
      id: `${table}_${view}`,
      name: { en: table },
      description: {},
      columns: Object.entries(tables[table].columns).map(([id, type]) => ({ id, name: { en: id }, type: kinds[type] })),
    })),
  );
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const asked: { id?: string } = body === '' ? {} : JSON.parse(body);
      const [table, view] = String(asked.id ?? '').split('_');
      const found = tableNames.find((name) => name === table);
      const shown = views.find((name) => name === view);
      const rows = found === undefined || shown === undefined ? [] : rowsOf(found, shown).map((row) => row.map(cell));
      const answer = request.url === '/query' ? rows : request.url === '/datasets' ? listed : {};
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, stop: () => void server.close() };
}
