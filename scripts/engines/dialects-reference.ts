import { clickhouseFor, duckdb, mysqlFor, postgres, refusalsOf, trino, type Dialect } from '@inlay/query';

/** Each server as it is without anything that only some servers have. */
const servers: readonly (readonly [name: string, dialect: Dialect])[] = [
  ['DuckDB', duckdb],
  ['PostgreSQL', postgres],
  ['MySQL, MariaDB', mysqlFor({ version: '10.5.0-MariaDB', zones: false })],
  ['ClickHouse', clickhouseFor({ lastYear: 2299 })],
  ['Trino', trino],
];

/** Returns the reference of what databases leave to the engine, as Markdown. */
export function dialectsReference(): string {
  const refusals = servers.map(([, dialect]) => refusalsOf(dialect));
  const features = [...(refusals[0]?.keys() ?? [])];
  const refused = features.filter((feature) => refusals.some((reasons) => reasons.get(feature) !== null));
  const rows = refused.map(
    (feature) => `| ${feature} | ${refusals.map((reasons) => reasons.get(feature) ?? 'yes').join(' | ')} |`,
  );
  return `# What each database computes

A query runs in its database if the database computes all of it exactly as the specification says. Otherwise the database
filters the rows as far as it can, and the engine (DuckDB) does the rest. The table lists what at least one database leaves
to the engine, with the reason; \`yes\` stands for what a database does itself. No provider uses the dialect of Trino yet.

Some reasons depend on the server: MariaDB from 10.6 and MySQL from 8.0.4 read lists, both convert named zones where their
tables of zones are loaded, and ClickHouse has the years 1 to 9999 in later releases.

| | ${servers.map(([name]) => name).join(' | ')} |
| --- |${servers.map(() => ' --- |').join('')}
${rows.join('\n')}
`;
}
