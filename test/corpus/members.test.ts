import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { duckdb, emit } from '@inlay/query';
import { planAsked, settled } from './ask.ts';
import type { Asked, RowFilters } from './asked.ts';
import { answerJson, openEngine, type Engine, type Table } from './engines.ts';
import { worldTables } from './world.ts';

interface Entry {
  readonly name: string;
  readonly asked: Partial<Asked>;
  readonly rowFilters?: RowFilters;
  readonly rows: readonly (readonly unknown[])[];
}

const folder = join(import.meta.dirname, 'queries');
const entries = readdirSync(folder).flatMap((file) => {
  const found: readonly Entry[] = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  return found.map((entry) => ({ ...entry, file: file.replace('.json', '') }));
});

const same = (table: string, column: string): string => `${table}:${column}`;

/**
 * Returns the table as a dataset version keeps it: one text column in `every` as members in the order of text, the
 * others as text.
 */
async function keep(engine: Engine, table: Table, every: number): Promise<void> {
  const quote = (name: string): string => duckdb.quote(name);
  const source = `${table.name} as sent`;
  await engine.create({ ...table, name: source });
  const texts = table.columns.filter(({ storageType }) => storageType === 'text').map(({ name }) => name);
  const cells: string[] = [];
  for (const { name } of table.columns) {
    const [column, type] = [quote(name), quote(`members of ${table.name} ${name}`)];
    const members = `select distinct ${column} from ${quote(source)} where ${column} is not null`;
    const few =
      texts.includes(name) && texts.indexOf(name) % every === 0 && (await engine.rows(members, [])).length > 0;
    if (few) await engine.rows(`create type ${type} as enum (${members} order by 1)`, []);
    cells.push(few ? `${column}::${type} as ${column}` : column);
    const as = few ? `try_cast(x as ${type})` : 'cast(x as varchar)';
    if (texts.includes(name)) await engine.rows(`create macro ${quote(same(table.name, name))}(x) as ${as}`, []);
  }
  await engine.rows(`create table ${quote(table.name)} as select ${cells.join(', ')} from ${quote(source)}`, []);
}

describe.each([1, 2])('one text column in %i kept as members', (every) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await openEngine('duckdb');
    for (const table of worldTables) await keep(engine, table, every);
  });
  afterAll(() => engine.close());

  test.each(entries)('$file: $name, as over texts', async ({ asked, rowFilters, rows }) => {
    const whole = { dimensions: [], measures: [], where: [], having: [], order: [], options: {}, ...asked };
    const relation = (id: string) =>
      ({ kind: 'table', path: [id], same: (column: string) => same(id, column) }) as const;
    const statement = emit(planAsked(whole, rowFilters), duckdb, relation, 'json');
    expect(settled(await answerJson(engine, statement))).toEqual(settled(rows));
  });
});
