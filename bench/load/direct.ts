import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';

/** Runs 12 statements, like those of a dashboard over orders, without the service. */
export interface Direct {
  /** Resolves when all rows have arrived. */
  readonly run: (tenant: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** How the dialects write the months and weeks of `at`. */
interface Periods {
  readonly month: string;
  readonly week: string;
}

/** The statements of the items. `where` tests the tenant with one bound value. */
const statements = ({ month, week }: Periods, where: string): readonly string[] => {
  const grouped = (keys: string, values: string, end = ''): string =>
    `select ${keys}, ${values} from orders o where ${where} group by ${keys} order by ${keys}${end}`;
  const ends = `select min(revenue) as low, max(revenue) as high from orders o where ${where}`;
  const bin = `least(floor((revenue - low) / nullif(high - low, 0) * 10), 9)`;
  return [
    `select distinct region from orders o where ${where} order by region`,
    grouped(month, 'sum(revenue)'),
    grouped(month, 'sum(units)'),
    grouped(month, 'sum(revenue)'),
    grouped(`${month}, status`, 'sum(revenue)'),
    grouped(month, 'sum(revenue), sum(cost)'),
    `select product, sum(revenue) as v from orders o where ${where} group by product order by v desc limit 10`,
    `select ${bin}, sum(units) from orders o cross join (${ends}) e where ${where} group by 1 order by 1`,
    grouped('status', 'sum(units)'),
    grouped('region, status', 'sum(revenue)'),
    grouped('product', 'sum(revenue)'),
    grouped(week, 'sum(units)'),
  ];
};

const periods: Periods = { month: `date_trunc('month', "at")`, week: `date_trunc('week', "at")` };

/** As many statements at a time as the service runs for a request. */
const concurrency = 4;

async function inTurns(texts: readonly string[], run: (text: string, lane: number) => Promise<unknown>): Promise<void> {
  const remaining = texts.values();
  const lanes = Array.from({ length: concurrency }, async (_, lane) => {
    for (const text of remaining) await run(text, lane);
  });
  await Promise.all(lanes);
}

/** Runs the statements with the driver of PostgreSQL. */
export async function openPostgresDirect(url: URL, where: string): Promise<Direct> {
  const clients = Array.from({ length: concurrency }, () => new pg.Client({ connectionString: url.href }));
  for (const client of clients) await client.connect();
  const texts = statements(periods, where);
  return {
    run: (tenant) =>
      inTurns(
        texts,
        (text, lane) => clients[lane]?.query({ text, values: [tenant], rowMode: 'array' }) ?? Promise.resolve(),
      ),
    close: async () => void (await Promise.all(clients.map((client) => client.end()))),
  };
}

/** Runs the statements with DuckDB over the files of the service's versions. */
export async function openDuckdbDirect(files: Readonly<Record<string, string>>, where: string): Promise<Direct> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connections = await Promise.all(Array.from({ length: concurrency }, () => instance.connect()));
  const [first] = connections;
  for (const [name, path] of Object.entries(files)) {
    await first?.run(`attach '${path}' as ${name}_file (read_only)`);
    for (const connection of connections) await connection.run(`create temp view ${name} as from ${name}_file."rows"`);
  }
  const texts = statements(periods, where);
  return {
    run: (tenant) => inTurns(texts, async (text, lane) => connections[lane]?.runAndReadAll(text, [tenant])),
    close: async () => {
      for (const connection of connections) connection.closeSync();
      instance.closeSync();
    },
  };
}
