import { DatabaseSync } from 'node:sqlite';
import postgres from 'postgres';
import { storeFile } from '../../packages/service/src/app/store/open-store.ts';

/** What stands for the number of a copy in the texts of a template, and for the number of its suborganization. */
export const marks = { copy: 'zzcopyzz', suborganization: 'zzsubzz' } as const;

/** Records to copy, by table: the template with its links, and how many copies. */
export interface Copies {
  readonly table: string;
  readonly template: string;
  readonly copies: number;
}

interface Column {
  readonly name: string;
  readonly type: string;
}

interface Target {
  readonly kind: 'sqlite' | 'postgres';
  readonly columnsOf: (table: string) => Promise<readonly Column[]>;
  readonly run: (text: string) => Promise<void>;
  /** After all rows are in. */
  readonly finish: (tables: readonly string[]) => Promise<void>;
}

function sqliteTarget(dataDir: string): Target {
  const database = new DatabaseSync(storeFile(dataDir));
  database.exec('pragma journal_mode = wal; pragma synchronous = off; pragma cache_size = -200000');
  return {
    kind: 'sqlite',
    columnsOf: async (table) =>
      database
        .prepare('select name, type from pragma_table_info(?)')
        .all(table)
        .map(({ name, type }) => ({ name: String(name), type: String(type).toLowerCase() })),
    run: async (text) => database.exec(text),
    async finish(tables) {
      for (const table of tables) {
        const isSearched = database.prepare('select 1 as found from text_indexed where text_table = ?').get(table);
        if (isSearched === undefined) continue;
        database.exec(`insert into "${table}_text_index" ("${table}_text_index") values ('rebuild');
          update text_indexed set until = (select max(seq) from "${table}") where text_table = '${table}'`);
      }
      database.exec('pragma wal_checkpoint(truncate)');
      database.close();
    },
  };
}

function postgresTarget(url: string): Target {
  const database = postgres(url, { max: 1, onnotice: () => undefined });
  return {
    kind: 'postgres',
    columnsOf: async (table) =>
      (
        await database`select column_name as name, data_type as type from information_schema.columns
          where table_name = ${table} order by ordinal_position`
      ).map(({ name, type }) => ({ name: String(name), type: String(type) })),
    run: async (text) => void (await database.unsafe(text)),
    async finish() {
      await database.unsafe('vacuum analyze');
      await database.end();
    },
  };
}

/**
 * Copies records and their links inside a store that no service has open, far faster than requests could make them. In the
 * texts of each copy the id and the marks of the template are replaced. `suborganizations`: how many the copies are spread over.
 */
export async function fill(
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl: string | undefined },
  all: readonly Copies[],
  suborganizations: number,
): Promise<void> {
  const target = databaseUrl === undefined ? sqliteTarget(dataDir) : postgresTarget(databaseUrl);
  const hex = target.kind === 'sqlite' ? `printf('%012x', n)` : `lpad(to_hex(n), 12, '0')`;
  for (const [index, { table, template, copies }] of all.entries()) {
    if (copies === 0) continue;
    const id = `'018f0000-0000-7000-8${String(index).padStart(3, '0')}-' || ${hex}`;
    const numbers = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${copies})`;
    const renamed = (column: string): string =>
      `replace(replace(replace(${column}, '${template}', ${id}), '${marks.copy}', cast(n as text)),
        '${marks.suborganization}', cast(n % ${suborganizations} as text))`;
    const copied = ({ name, type }: Column): string => {
      if (type === 'jsonb') return `cast(${renamed(`cast(t."${name}" as text)`)} as jsonb)`;
      return type === 'text' ? renamed(`t."${name}"`) : `t."${name}"`;
    };
    const insert = async (into: string, columns: readonly Column[], where: string): Promise<void> => {
      const names = columns.map(({ name }) => `"${name}"`).join(', ');
      const values = columns.map(copied).join(', ');
      await target.run(`create temporary table template as select * from "${into}" where ${where}`);
      await target.run(
        `insert into "${into}" (${names}) ${numbers} select ${values} from numbers cross join template t`,
      );
      await target.run('drop table template');
    };
    const columns = (await target.columnsOf(table)).filter(({ name }) => name !== 'seq');
    await insert(table, columns, `id = '${template}'`);
    await insert('link', await target.columnsOf('link'), `'${template}' in (first_id, target_id)`);
  }
  await target.finish(all.map(({ table }) => table));
}
