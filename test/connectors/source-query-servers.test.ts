import { createConnection as createStreaming, type Connection } from 'mysql2';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeQuery } from '../../packages/service/src/connectors/postgresql/catalog.ts';
import { parsed } from '../../packages/service/src/connectors/postgresql/parsed.ts';
import { SourceProblem } from '../../packages/service/src/connectors/problem.ts';
import { checkSourceQuery, type QueryRules } from '../../packages/service/src/connectors/query/check-query.ts';
import {
  harmlessTableFunctions,
  queryRules as clickhouse,
} from '../../packages/service/src/connectors/clickhouse/query-rules.ts';
import { queryRules as mysql } from '../../packages/service/src/connectors/mysql/query-rules.ts';
import { queryRules as postgresql } from '../../packages/service/src/connectors/postgresql/query-rules.ts';
import { counted } from '../support/counts.ts';
import { haveClickhouse, startClickhouse, type Clickhouse } from '../support/clickhouse.ts';
import { haveMariadb, startMariadb, type Mariadb } from '../support/mariadb.ts';
import { havePostgres, startPostgres, type Postgres } from '../support/postgres.ts';

const seed = 20_261_122;
const wanted = counted(4000, 1_000_000);

/** Numbers from 0 to below `most`, the same in every run. */
function chance(from: number): (most: number) => number {
  let state = from;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

/** What opens and closes texts, names and comments in one server and not, or otherwise, in another. */
const marks = [
  "'",
  "'",
  "'",
  '"',
  '`',
  '\\',
  "\\'",
  "''",
  '""',
  '``',
  'E',
  'e',
  "E'",
  "U&'",
  'U&"',
  "N'",
  "x'",
  "b'",
  "_utf8'",
  '$$',
  '$',
  '$a$',
  '$é$',
  '$→$',
  '$ $',
  '$1',
  '$1$',
  'a$$',
  '1$$',
  '$a',
  '→',
  'é',
  '\u00A0',
  '\u0085',
  '\u2028',
  '--',
  '-- ',
  '--\n',
  '-',
  '#',
  '/*',
  '*/',
  '/*!',
  '/*M!',
  '/*+',
  '/**/',
  '/* /* */ */',
  '/',
  '*',
  '@',
  '@@',
  ':',

  '\n',
  '\r',
  '\r\n',
  '\t',
  '\v',
  '\f',
  ' ',
  ' ',
  '\u0001',
  '1',
  '1e',
  '1e1',
  '0x',
  '1_0',
  '.5',
  '?',
  '%',
  '::text',
  '(',
  ')',
  ',',
  '||',
  '=',
  'a',
  'as x',
  'as "x"',
  'as `x`',
  'or',
  'null',
  'union select 1',
  'limit 1',
  'from t',
];
/** A second statement, which leaves its mark behind where it is run. */
const second = '; insert into canary values (1); ';

function generator(from: number): () => string {
  const next = chance(from);
  const one = (list: readonly string[]): string => list[next(list.length)] ?? '';
  const some = (most: number): string => Array.from({ length: next(most) }, () => one(marks)).join('');
  const inside = (): string => (next(3) === 0 ? some(3) + second + some(3) : some(4));
  const tag = (): string => one(['$$', '$a$', '$é$', '$→$', '$A_1$', '$\u00A0$']);
  const parts: readonly (() => string)[] = [
    () => `'${inside()}'`,
    () => `"${inside()}"`,
    () => `E'${inside()}'`,
    () => `1e'${inside()}'`,
    () => {
      const mark = tag();
      return `${mark}${inside()}${mark}`;
    },
    // One reads a text that ends behind the second statement, another one that ends before it.
    () => {
      const mark = tag();
      return `${mark}'${mark}${second}-- '`;
    },
    () => {
      const quote = one(["'", "'", '"', '`']);
      const ends = [
        `${quote}\\${quote}`,
        `E${quote}a${quote}\n${quote}\\${quote}`,
        `1e${quote}\\${quote}`,
        `1a$$${quote}`,
      ];
      return `${one(ends)}${second}${one(['-- ', '# ', '/*'])}${quote}${one(['', '*/'])}`;
    },
    () => `1 /*${inside()}*/`,
    () => `1 --${one([' ', '', '\u0001', '\u0085', 'a'])}${inside()}\n`,
    () => `1 #${inside()}\n`,
    () => `'a'${one([' ', '\n', '\n\n', ' -- \n', '/**/\n'])}'${inside()}'`,
    () => `E'a'${one(['\n', ' \n ', '--\n', '\u00A0'])}'${inside()}'`,
    () => `(select 1 as ${one(['"', '`'])}${inside()}${one(['"', '`'])})`,
    () => some(6),
    () => '1',
  ];
  const part = (): string => parts[next(parts.length)]?.() ?? '';
  return () => {
    const all = Array.from({ length: 1 + next(3) }, part).join(one([', ', ' || ', ',\n', ' ']));
    return `${one(['select ', 'select ', 'with a as (select 1) select '])}${all}${next(4) === 0 ? second : ''}${next(4) === 0 ? some(3) : ''}`;
  };
}

/** Texts until this many were made; those that our own check lets through, as it hands them on. */
function* taken(rules: QueryRules): Generator<string> {
  const next = generator(seed);
  for (let made = 0; made < wanted; made += 1) {
    try {
      yield checkSourceQuery(next(), rules);
    } catch (error) {
      if (!(error instanceof SourceProblem)) throw error;
    }
  }
}

const told = (name: string, checked: number, valid: number): void => {
  process.stdout.write(
    `source queries on ${name}: ${wanted} made, ${checked} taken by our check, ${valid} by the server\n`,
  );
};

/** Functions of PostgreSQL whose result changes although they leave everything as it is. */
const harmless = [
  /^(?:clock_timestamp|timeofday|random|setseed|normal_rand|currval|lastval|current_query|txid_status|amvalidate)$/u,
  /^(?:gen_random|gen_salt|uuid_generate|pgp_pub_encrypt|pgp_sym_encrypt|ssl_)\w*$/u,
  /^pg_sleep\w*$/u,
  // Sizes, times and states.
  /^pg_(?:database|indexes|relation|table|tablespace|total_relation)_size$/u,
  /^pg_(?:control|current|last|is|xact|partition|stat_get)_\w+$/u,
  /^pg_(?:blocking_pids|safe_snapshot_blocking_pids|isolation_test_session_is_blocked|lock_status|prepared_xact)$/u,
  /^pg_(?:jit_available|notification_queue_usage|sequence_last_value|show_replication_origin_status|stat_have_stats)$/u,
  /^pg_(?:collation_actual_version|database_collation_actual_version|stat_clear_snapshot|available_wal_summaries)$/u,
  /^pg_get_(?:backend_memory_contexts|multixact_members|shmem_allocations|wal_replay_pause_state|wal_resource_managers)$/u,
  // What the server was set up with, which views show as well.
  /^pg_(?:hba_file_rules|ident_file_mappings|show_all_file_settings)$/u,
  // Checks of tables and indexes, and the space in them.
  /^(?:bt_index_(?:parent_)?check|verify_heapam|pgrowlocks|pg_check_\w+|pg_visibility\w*|pg_freespace|pg_relpages)$/u,
  /^(?:pgstat\w+|pg_buffercache_(?:pages|summary|usage_counts)|pg_stat_statements(?:_info)?|pg_old_snapshot_time_mapping)$/u,
  // Pages that a query brings along as bytes, or names of indexes.
  /^(?:brin|bt|fsm|gin|gist|hash|heap|page|tuple)_(?:page|metap|leafpage|bitmap|revmap|tuple|meta|data|header|checksum|multi)\w*$/u,
  /^(?:\w+_validator|postgres_fdw_get_connections)$/u,
];

/** Functions of ClickHouse whose result changes although they leave everything as it is. */
const harmlessOnClickhouse = [
  // Times, random values, and rows of the query itself.
  /^(?:cur(?:date|rent_(?:date|timestamp))|local(?:time|timestamp)|now\w*|today|yesterday|UTC_?[Tt]imestamp|uptime)$/u,
  /^(?:rand\w*|fuzz\w+|generate(?:UUID|Snowflake|RandomStructure)\w*|dateTimeToUUIDv7|arrayRandomSample)$/u,
  /^(?:array(?:Join|Partial\w+|Shuffle)|unnest|block\w+|rowNumber\w+|lowCardinality\w+|isConstant|obfuscateQuery)$/u,
  /^(?:toColumnTypeName|dumpColumnStructure|__applyFilter|timeSeries\w+|financial\w+)$/u,
  // Who asks, and the server that answers.
  /^(?:current\w*|initial\w+|query_?(?:id|ID)|connection\w+|auth\w+|default\w+|enabled\w+|session_user|user|display\w+)$/iu,
  /^(?:database|schema|fqdn|\w*hostname|server(?:uuid|timezone)|timezone|tcpport|revision|version|buildid|shard\w+)$/iu,
  /^(?:get(?:Macro|MergeTreeSetting|OSKernelVersion|ServerPort|Setting\w*)|filesystem\w+|runningConcurrency)$/u,
  /^(?:zookeeperSessionUptime|transactionID|hasColumnInTable|pg_?get_?user_?by_?id|chdb)$/iu,
  // Rows of dictionaries, joins and models that the user may read.
  /^(?:dict\w+|joinGet\w*|naiveBayes\w+|assignCentroid)$/u,
];

describe.skipIf(havePostgres() !== undefined)('what our check takes for one statement on PostgreSQL', () => {
  let server: Postgres;
  let client: pg.Client;
  beforeAll(async () => {
    server = await startPostgres();
    client = new pg.Client({ connectionString: await server.createDatabase() });
    await client.connect();
    await client.query('create table canary (n int); create table t (a int)');
    await client.query('begin read only');
  });
  afterAll(async () => {
    await client?.end();
    await server?.stop();
  });

  test('is never a second one for the server, alone or in parentheses', { timeout: 3_600_000 }, async () => {
    const faultOf = async (text: string): Promise<string | null> => {
      await client.query('savepoint s');
      const fault = await parsed(client, text).then(() => null, String);
      if (fault !== null) await client.query('rollback to s');
      return fault;
    };
    const wrong: string[] = [];
    let [checked, valid] = [0, 0];
    for (const text of taken(postgresql)) {
      checked += 1;
      const [alone, within] = [await faultOf(text), await faultOf(`select * from (${text}\n) as q`)];
      if (alone === null) valid += 1;
      const escapes = alone !== null && within === null;
      if (escapes || [alone, within].some((fault) => fault?.includes('multiple commands') === true))
        wrong.push(`${JSON.stringify(text)}: ${alone} / ${within}`);
    }
    told('PostgreSQL', checked, valid);
    expect(wrong.slice(0, 10)).toEqual([]);
    expect(valid).toBeGreaterThan(wanted / 100);
  });

  test('is never run with another one, even where our check fails', async () => {
    await client.query('rollback');
    for (const text of [
      'select 1; insert into canary values (1)',
      'select 1) as q; commit; insert into canary values (1); select * from (select 1',
      'select 1) as q; commit; begin; insert into canary values (1); commit; select * from (select 1',
    ])
      await expect(describeQuery(client, text)).rejects.toThrow(/multiple commands|syntax error/u);
    expect((await client.query('select * from canary')).rows).toEqual([]);
    await client.query('begin read only');
  });

  test('calls none of its functions that change or read more than rows, whatever the server and its extensions have', async () => {
    await client.query('rollback');
    const found = await client.query<{ name: string }>(
      "select name from pg_available_extensions where name <> 'plpgsql'",
    );
    for (const { name } of found.rows) await client.query(`create extension if not exists "${name}" cascade`);
    // Arguments of pseudo-types cannot be given in a query.
    const { rows } = await client.query<{ name: string }>(`select distinct p.proname as name from pg_proc p
      where p.provolatile = 'v' and not 'internal'::regtype = any (p.proargtypes) and p.prorettype not in
        (select oid from pg_type where typname in ('trigger', 'event_trigger', 'internal') or typname like '%_handler')
      order by 1`);
    const isTaken = (text: string): boolean => {
      try {
        return checkSourceQuery(text, postgresql) !== '';
      } catch (error) {
        if (error instanceof SourceProblem) return false;
        throw error;
      }
    };
    const taken = rows.map(({ name }) => name).filter((name) => isTaken(`select ${name}(1)`));
    expect(taken.filter((name) => isTaken(`select (1).${name}`))).toEqual(taken);
    expect(taken.filter((name) => !harmless.some((known) => known.test(name)))).toEqual([]);
    await client.query('begin read only');
  });

  test('is told by the server where it is two', async () => {
    await client.query('savepoint s');
    await expect(parsed(client, 'select 1; select 2')).rejects.toThrow('multiple commands');
    await client.query('rollback to s');
  });
});

describe.skipIf(haveMariadb() !== undefined)('what our check takes for one statement on MariaDB', () => {
  let server: Mariadb;
  let connection: Connection;
  const run = async (sql: string): Promise<{ readonly statements: number; readonly errors: readonly number[] }> =>
    new Promise((resolve) => {
      let statements = 0;
      const errors: number[] = [];
      connection
        .query(sql)
        .on('fields', (fields) => (statements += fields === undefined ? 0 : 1))
        .on('error', ({ errno = 0 }: { errno?: number }) => errors.push(errno))
        .on('end', () => resolve({ statements, errors }));
    });
  beforeAll(async () => {
    server = await startMariadb();
    connection = createStreaming({
      host: '127.0.0.1',
      port: server.port,
      user: server.user,
      database: await server.createDatabase(),
      multipleStatements: true,
      charset: 'utf8mb4',
    });
    await run("set session sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'");
    await run('create table canary (n int)');
    await run('create table t (a int)');
  });
  afterAll(async () => {
    connection?.destroy();
    await server?.stop();
  });

  test('is never a second one for the server, which would run it', { timeout: 3_600_000 }, async () => {
    const wrong: string[] = [];
    let [checked, valid] = [0, 0];
    for (const text of taken(mysql)) {
      checked += 1;
      const { statements, errors } = await run(text);
      if (statements === 1 && errors.length === 0) valid += 1;
      if (statements > 1 || (statements === 1 && errors.includes(1064))) wrong.push(JSON.stringify(text));
    }
    told('MariaDB', checked, valid);
    expect(wrong.slice(0, 10)).toEqual([]);
    expect((await run('select n from canary limit 1')).errors).toEqual([]);
    const [[count = null] = []] = await new Promise<unknown[][]>((resolve, reject) => {
      connection.query({ sql: 'select count(*) from canary', rowsAsArray: true }, (error, rows) =>
        error === null
          ? resolve(Array.isArray(rows) ? rows.map((row) => (Array.isArray(row) ? row : [])) : [])
          : reject(error),
      );
    });
    expect(count).toBe(0);
    expect(valid).toBeGreaterThan(wanted / 100);
  });

  test('is seen to be two where it is', async () => {
    expect(await run('select 1; select 2')).toEqual({ statements: 2, errors: [] });
    expect(await run('select 1; nonsense')).toEqual({ statements: 1, errors: [1064] });
  });
});

describe.skipIf(haveClickhouse() !== undefined)('what our check takes for one statement on ClickHouse', () => {
  let server: Clickhouse;
  beforeAll(async () => {
    server = await startClickhouse();
    await server.run('create table canary (n Int32) engine = Memory');
    await server.run('create table t (a Int32) engine = Memory');
  });
  afterAll(() => server?.stop());

  const isTaken = (text: string): boolean => {
    try {
      return checkSourceQuery(text, clickhouse) !== '';
    } catch (error) {
      if (error instanceof SourceProblem) return false;
      throw error;
    }
  };
  const names = async (sql: string): Promise<readonly string[]> =>
    (await server.run(sql)).split('\n').filter((name) => name !== '');

  test('is never a second one for the server, which would run it', { timeout: 3_600_000 }, async () => {
    let [checked, valid] = [0, 0];
    for (const text of taken(clickhouse)) {
      checked += 1;
      valid += await server.run(`explain ast ${text}`).then(
        () => 1,
        () => 0,
      );
    }
    told('ClickHouse', checked, valid);
    expect(await server.run('select count() from canary')).toBe('0\n');
    expect(valid).toBeGreaterThan(wanted / 100);
  });

  test('is seen to be two where it is', async () => {
    await server.run('explain ast select 1; insert into canary values (1)');
    expect(await server.run('select count() from canary')).toBe('1\n');
  });

  test('calls no table function but those that read nothing but their arguments', async () => {
    const all = await names('select name from system.table_functions');
    expect(all.length).toBeGreaterThan(50);
    const taken = all.filter((name) => isTaken(`select * from ${name}(1)`));
    expect(taken.filter((name) => !harmlessTableFunctions.has(name.toLowerCase()))).toEqual([]);
    const needWriting = await names('select name from system.table_functions where allow_readonly = 0');
    expect(taken.filter((name) => needWriting.includes(name)).toSorted()).toEqual(['format', 'zeros', 'zeros_mt']);
  });

  test('calls none of its functions that change or read more than rows', async () => {
    const changing = await names('select name from system.functions where not is_aggregate and deterministic = 0');
    const taken = changing.filter((name) => isTaken(`select ${name}(1)`));
    expect(taken.filter((name) => !harmlessOnClickhouse.some((known) => known.test(name)))).toEqual([]);
  });
});
