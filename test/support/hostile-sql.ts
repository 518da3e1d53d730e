/** What hostile statements try to reach; the tests look for traces of it. */
export interface Target {
  /** A file outside the work folder, which must never be opened. */
  readonly file: string;
  /** A folder outside, in which nothing may appear. */
  readonly folder: string;
  /** A dataset version of another tenant. */
  readonly foreign: string;
  /** Address of a listener that must hear nothing. */
  readonly url: string;
}

const readers = [
  ...['read_csv', 'read_csv_auto', 'read_parquet', 'parquet_scan', 'read_json', 'read_json_auto', 'read_json_objects'],
  ...[
    'read_ndjson',
    'read_ndjson_auto',
    'read_ndjson_objects',
    'read_json_objects_auto',
    'read_text',
    'read_blob',
    'glob',
  ],
  ...['sniff_csv', 'parquet_metadata', 'parquet_schema', 'parquet_file_metadata', 'parquet_kv_metadata'],
  ...['parquet_bloom_probe', 'read_duckdb', 'sqlite_scan', 'postgres_scan', 'mysql_scan', 'iceberg_scan', 'delta_scan'],
  ...['read_xlsx', 'st_read', 'shapefile_meta', 'arrow_scan', 'seq_scan', 'load_aws_credentials', 'which_secret'],
];

const looks = [
  ...['duckdb_settings', 'duckdb_databases', 'duckdb_tables', 'duckdb_views', 'duckdb_functions', 'duckdb_secrets'],
  ...[
    'duckdb_extensions',
    'duckdb_columns',
    'duckdb_schemas',
    'duckdb_temporary_files',
    'duckdb_memory',
    'duckdb_logs',
  ],
  ...[
    'duckdb_optimizers',
    'duckdb_types',
    'duckdb_variables',
    'duckdb_prepared_statements',
    'duckdb_external_file_cache',
  ],
  ...['pragma_version', 'pragma_platform', 'pragma_user_agent', 'pragma_database_size', 'pragma_collations'],
  ...['enable_logging', 'disable_logging', 'truncate_duckdb_logs', 'enable_profiling', 'test_all_types', 'summary'],
  ...['test_vector_types', 'repeat_row', 'force_checkpoint', 'checkpoint', 'icu_calendar_names', 'pg_timezone_names'],
];

const views = [
  ...['information_schema.tables', 'information_schema.columns', 'pg_catalog.pg_class', 'pg_catalog.pg_settings'],
  ...[
    'sqlite_master',
    'duckdb_settings',
    'system.information_schema.tables',
    'temp.main.t',
    'memory.main.rows',
    'v0.main.rows',
  ],
];

const calls = [
  ...["getenv('HOME')", "current_setting('temp_directory')", 'current_database()', 'current_schema()', 'version()'],
  ...["nextval('s')", "currval('s')", 'txid_current()', "getvariable('x')", "write_log('x')", 'pg_typeof(1)'],
  ...['current_query()', 'sleep_ms(5000)', 'in_search_path(1, 2)', "set_config('a','b')"],
  ...["read_text('{file}')", "list_aggregate([1], 'read_csv')::x", "main.getenv('HOME')", 'system.main.version()'],
];

const statements = [
  "attach '{foreign}' as stolen",
  "attach '{foreign}' (read_only)",
  "attach ':memory:' as m",
  "attach '{folder}/new.duckdb'",
  "attach 'postgres://{url}' (type postgres)",
  'detach t',
  "copy t to '{folder}/out.csv'",
  "copy (select 1) to '{folder}/out.parquet'",
  "copy t from '{file}'",
  "copy (select 1) to '/dev/tcp/127.0.0.1/1'",
  "export database '{folder}'",
  "import database '{folder}'",
  'install httpfs',
  'load httpfs',
  "load '{folder}/evil.duckdb_extension'",
  'force install spatial from community',
  'set enable_external_access = true',
  'set lock_configuration = false',
  "set allowed_directories = ['/']",
  "set allowed_paths = ['{file}']",
  "set temp_directory = '{folder}'",
  "set memory_limit = '100GB'",
  'set threads = 1000',
  "set home_directory = '{folder}'",
  "set secret_directory = '{folder}'",
  "set log_query_path = '{folder}/log'",
  "set extension_directory = '{folder}'",
  "set custom_extension_repository = 'http://{url}'",
  'set allow_unsigned_extensions = true',
  'reset enable_external_access',
  'reset all',
  'pragma database_list',
  'pragma enable_profiling',
  "pragma profiling_output = '{folder}/p.json'",
  'pragma version',
  'call pragma_version()',
  "call enable_logging('QueryLog')",
  "create secret s (type s3, key_id 'a', secret 'b')",
  "create persistent secret s (type http, bearer_token 'x')",
  'create table x as select 1',
  'create or replace view t as select 1',
  "create macro f() as table from read_text('{file}')",
  'create sequence s',
  "create type e as enum ('a')",
  'create schema s',
  'create index i on t (id)',
  'insert into t values (1)',
  'update t set id = 1',
  'delete from t',
  'truncate t',
  'drop view t',
  'drop table t',
  'alter table t add column x int',
  'merge into t using t as u on t.id = u.id when matched then delete',
  'vacuum',
  'analyze',
  'checkpoint',
  'force checkpoint',
  'begin',
  'commit',
  'rollback',
  'use temp',
  'prepare p as select 1',
  'execute p',
  'deallocate p',
  'explain select 1',
  'explain analyze select * from t',
  'describe t',
  'summarize t',
  'show tables',
  'show all tables',
  'show databases',
  "comment on table t is 'x'",
  'set variable x = 1',
  'pivot t on id using count(*)',
  'unpivot t on id into name n value v',
  'select 1; select 2',
  "select 1; attach '{foreign}' as stolen",
  "select 1); copy (select 1) to '{folder}/out.csv'; select (1",
  "select 1) q(c); attach '{foreign}' as stolen; select * from (select 1",
  '; select 1',
  '',
  '--',
  '/*',
  'select',
  'select ?',
  'select $1',
  'select $x',
  "select * from '{file}'",
  `select * from "{file}"`,
  "select * from '{folder}/*.csv'",
  "select * from 'http://{url}/x.parquet'",
  "select * from 's3://bucket/x.parquet'",
  "select * from '/dev/stdin'",
  "select * from '/proc/self/environ'",
  "select * from t join '{file}' on true",
  "select (select max(column0) from '{file}')",
  "select * from t where exists (from '{file}')",
  "with x as (from '{file}') select * from x",
  `with "{file}" as (select 1), y as (select 1) select * from y, (select * from (with z as (select 1) select * from "{file}.csv"))`,
  `select * from (with "{file}" as (select 1) select 1) a, "{file}"`,
  'with duckdb_settings as (select * from duckdb_settings) select * from duckdb_settings',
  'with a as (select * from b), b as (select 1) select * from a',
  "with recursive r as (select 1 as n union all select n + 1 from r, '{file}') select * from r",
  "select * from t union all select * from '{file}'",
  "select * from t order by (select 1 from '{file}')",
  "select * from t group by id having (select true from '{file}')",
  "select * from t limit (select 1 from '{file}')",
  "select * from t qualify row_number() over (order by (select 1 from '{file}')) = 1",
  "select sum(id) filter (exists (from '{file}')) over () from t",
  "select list_transform([1], x -> (select 1 from '{file}'))",
  "select columns(c -> c in (select column0 from '{file}')) from t",
  "select * replace ((select 1 from '{file}') as id) from t",
  "values ((select 1 from '{file}'))",
  "select * from (values ((select 1 from '{file}')))",
  "from query('from read_text(''{file}'')')",
  "from query_table('{file}')",
  "from query_table(['{file}'])",
  "select * from t, lateral (select * from read_text('{file}'))",
  "select * from t positional join '{file}'",
  "select * from t asof join '{file}' f on t.id >= f.id",
  "select * from t semi join '{file}' f on true",
  "select * from range((select count(*) from '{file}'))",
  "select * from unnest((select list(content) from read_text('{file}')))",
  'select * from t at (version => 1)',
  'select * from other.t',
  'select * from main.t',
  'select * from "T2"',
  'table duckdb_settings',
  'from duckdb_settings()',
];

/** Statements that would take all time or memory; they are allowed, and end by deadline or limit. */
export const heavyStatements: readonly string[] = [
  'select count(*) as n from range(1000000) a, range(1000000) b, range(1000000) c where (a.range * b.range) % 7 = c.range',
  "select length(repeat('x', 2000000000)) as n",
  "select max(length(repeat('x', 1000000) || range)) as n, count(distinct repeat('x', 100000) || range) from range(100000000)",
  'select list(range) as n from range(2000000000)',
  'with recursive r(n) as (select 1 union all select n + 1 from r) select max(n) as n from r',
  "select regexp_matches(repeat('a', 100000000), '^(a+)+$') as n",
  'select a.range as n from range(100000000) a order by hash(a.range), a.range desc',
  `select ${'('.repeat(900)}1${')'.repeat(900)} as n`,
  `select ${Array.from({ length: 20_000 }, (_, at) => `${at} + `).join('')} 1 as n`,
  "select array_to_string(list(md5(range::varchar)), '') as n from range(500000000)",
];

/** Statements that a person may well write. */
export const ordinaryQueries: readonly string[] = [
  'select * from t',
  'from t select id, name where id > 1 -- with a comment',
  'select T.id, o."a b" from t left join "Other Table" o using (id)',
  `with recent as (select * from t where id > 3), best as (select max(id) as id from recent)
   select r.* from recent r, best where r.id = best.id`,
  'with recursive r(n) as (select 1 union all select n + 1 from r where n < 10) select n from r',
  `select case when name like 'a%' then 'A' else coalesce(name, '-') end as k, count(*) filter (where id > 1),
   sum(id) over (partition by name order by id rows between 1 preceding and current row) from t group by all`,
  "select date_trunc('month', current_date) as month, extract(year from now()) as y, interval 3 day + date '2026-01-01' as d",
  'select name, id from t where id in (select id from t group by id having count(*) > 1) order by 1 desc nulls last limit 10 offset 5',
  'select * exclude (id) replace (upper(name) as name) from t union all select lower(name) from t',
  'select distinct on (name) name, id from t qualify row_number() over (partition by name order by id) = 1',
  "select unnest([1, 2, 3]) as n, {'a': 1, 'b': [1, 2]} as s, list_transform([1, 2], x -> x + 1) as l, map {'k': 1}['k'] as m",
  "select id::varchar || '-' || name as key, try_cast(name as int) as n, id % 2 = 0 as even, not (id between 1 and 3) as rest from t",
  "select json_extract_string('{\"a\": 1}', '$.a') as a, regexp_replace(name, '[0-9]+', '#', 'g') as b, string_split(name, ',')[1] as c from t",
  'select grouping(name), name, avg(id), median(id), quantile_cont(id, 0.9), approx_count_distinct(id) from t group by rollup (name)',
  'select r.range as n from range(10) r cross join (values (1), (2)) v(x) where exists (select 1 from t where t.id = r.range)',
  'select a.id from t a asof join t b on a.id >= b.id semi join t c on c.id = a.id',
  'select * from t tablesample 10%',
];

const written = (text: string, target: Target): string =>
  text
    .replaceAll('{file}', target.file)
    .replaceAll('{folder}', target.folder)
    .replaceAll('{foreign}', target.foreign)
    .replaceAll('{url}', target.url);

/** What larger statements are made of. */
export const hostileParts = {
  readers,
  looks,
  views,
  calls: calls.filter((call) => !call.startsWith('list_aggregate')),
  /** Whole statements that are no SELECT. */
  commands: (target: Target): readonly string[] =>
    statements
      .filter((text) => /^[a-z]{3,} \S/u.test(text) && !/^(?:select|with|from|table|values)\b|\bselect 1\)/u.test(text))
      .map((text) => written(text, target)),
} as const;

/** Every hostile statement, written for these targets. */
export const hostileStatements = (target: Target): readonly string[] =>
  [
    ...readers.map((name) => `select * from ${name}('{file}')`),
    ...looks.map((name) => `select * from ${name}()`),
    ...views.map((name) => `select * from ${name}`),
    ...calls.map((call) => `select ${call}`),
    ...statements,
  ].map((text) => written(text, target));
