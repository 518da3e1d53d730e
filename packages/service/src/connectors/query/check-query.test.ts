import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SourceProblem } from '../problem.ts';
import { queryRules as clickhouse } from '../clickhouse/query-rules.ts';
import { queryRules as mysql } from '../mysql/query-rules.ts';
import { queryRules as postgres } from '../postgresql/query-rules.ts';
import { queryRules as trino } from '../trino/query-rules.ts';
import { checkSourceQuery, type QueryRules } from './check-query.ts';

const rules = { postgres, mysql, clickhouse, trino } as const satisfies Readonly<Record<string, QueryRules>>;
const dialects = ['postgres', 'mysql', 'clickhouse', 'trino'] as const;

const accepted: Readonly<Record<string, string>> = {
  'select 1': 'select 1',
  ' SELECT 1 ; ': 'SELECT 1',
  'select 1;;': 'select 1',
  'with a as (select 1) select * from a': 'with a as (select 1) select * from a',
  "select ';' as x": "select ';' as x",
  "select 'it''s -- no comment' as x": "select 'it''s -- no comment' as x",
  'select 1 -- one\n, 2': 'select 1 \n\n, 2',
  'select /* a; b */ 1': 'select   1',
  'select "into" from t': 'select "into" from t',
  'select updated, deleted from t where (set_at) > 1': 'select updated, deleted from t where (set_at) > 1',
  'select 5-3': 'select 5-3',
};

const refused = [
  '',
  '   ',
  '-- only this',
  'values (1)',
  '(select 1)',
  'table t',
  'insert into t values (1)',
  'select 1; select 2',
  'select 1; drop table t',
  'select 1;--\ndrop table t',
  'select 1) union (select 2',
  'select (1',
  'select 1))((',
  "select 'open",
  'select "open',
  'select /* open',
  'select 1 into t2',
  'with x as (delete from t returning 1) select 1',
  'with x as ( update t set a = 1 returning 1) select 1',
  'select * from (insert into t values (1) returning 1) x',
  'call f()',
  'select 1 \0',
  '\uFEFFselect 1',
];

describe.each(dialects)('a query for %s', (dialect) => {
  test.each(Object.entries(accepted))('may be %s', (text, cleaned) => {
    expect(checkSourceQuery(text, rules[dialect])).toBe(cleaned);
  });

  test.each(refused)('may not be %j', (text) => {
    expect(() => checkSourceQuery(text, rules[dialect])).toThrow(SourceProblem);
  });

  test('of any text is checked again to the same text, or refused', () => {
    const piece = fc.constantFrom(
      "'",
      '"',
      '`',
      '\\',
      '--',
      '/*',
      '*/',
      '#',
      ';',
      '(',
      ')',
      '$$',
      '$a$',
      '\n',
      'E',
      ' x ',
      ' 1 ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        let once: string;
        try {
          once = checkSourceQuery(`select ${pieces.join('')}`, rules[dialect]);
        } catch (error) {
          expect(error).toBeInstanceOf(SourceProblem);
          return;
        }
        expect(checkSourceQuery(once, rules[dialect])).toBe(once);
        // With a closing parenthesis, the text is still a single statement.
        expect(() => checkSourceQuery(`select * from (${once}\n) as q`, rules[dialect])).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });
});

test('PostgreSQL reads dollar quotes, nested comments and E texts', () => {
  expect(checkSourceQuery('select $$;)$$, $a$ $$ ; $a$', postgres)).toBe('select $$;)$$, $a$ $$ ; $a$');
  expect(checkSourceQuery('select /* a /* b */ ; */ 1', postgres)).toBe('select   1');
  expect(checkSourceQuery("select E'a\\'; b'", postgres)).toBe("select E'a\\'; b'");
  expect(() => checkSourceQuery("select 'a\\'; drop table t; --'", postgres)).toThrow('more than one statement');
  expect(() => checkSourceQuery('select $$ open', postgres)).toThrow('not closed');
  expect(checkSourceQuery('select $\u2192$;)$\u2192$', postgres)).toBe('select $\u2192$;)$\u2192$');
});

test('MySQL reads backslashes, backquotes, number signs, and runs no comment', () => {
  expect(checkSourceQuery("select 'a\\'; b'", mysql)).toBe("select 'a\\'; b'");
  expect(checkSourceQuery('select `a``;` # rest ; (', mysql)).toBe('select `a``;`');
  expect(checkSourceQuery('select 5--3', mysql)).toBe('select 5- -3');
  expect(() => checkSourceQuery('select 1 /*! ; drop table t */', mysql)).toThrow('would run');
  expect(() => checkSourceQuery('select 1 /*M! ; drop table t */', mysql)).toThrow('would run');
  for (const text of ["select 1 into outfile '/tmp/x'", "select load_file('/etc/passwd')", 'select 1 into @a'])
    expect(() => checkSourceQuery(text, mysql)).toThrow('must not say');
});

const callsOf = (name: string, quote: string): readonly string[] => {
  const quoted = `${quote}${name}${quote}`;
  return [
    `select ${name}('x')`,
    `select ${name} ('x')`,
    `select ${name.toUpperCase()}\n('x')`,

    `select ${quoted}('x')`,
    `select ${quoted} ('x')`,
    `select ${quoted}/* a */('x')`,
    `select ${quoted} -- a\n('x')`,
    `select s.${quoted}('x')`,
    `select "s" . ${quoted} ('x')`,
    `select * from ${quoted}('x') as t`,
    `select 1 where exists (select ${quoted}\t('x'))`,
  ];
};

test.each([
  ...callsOf('load_file', '`').map((text) => ['mysql', text] as const),
  ...callsOf('get_lock', '`').map((text) => ['mysql', text] as const),
  ...callsOf('keyring_key_fetch', '`').map((text) => ['mysql', text] as const),
  ...['url', 'file', 's3', 'remote', 'cluster', 'executable', 'eval', 'aiGenerateContent', 'sleepEachRow'].flatMap(
    (name) => callsOf(name, '`').map((text) => ['clickhouse', text] as const),
  ),
  ...callsOf('ai_gen', '"').map((text) => ['trino', text] as const),
  ...callsOf('pg_read_file', '"').map((text) => ['postgres', text] as const),
  ...callsOf('lo_import', '"').map((text) => ['postgres', text] as const),
  ...[
    'set_config',
    'pg_stat_reset',
    'pg_stat_reset_shared',
    'brin_summarize_new_values',
    'gin_clean_pending_list',
    'pg_read_file_old',
    'ts_rewrite',
    'crosstab3',
  ].flatMap((name) => callsOf(name, '"').map((text) => ['postgres', text] as const)),
])('a query for %s calls nothing that reads files, locks or writes: %j', (dialect, text) => {
  expect(() => checkSourceQuery(text, rules[dialect])).toThrow(/must not (?:call|say)/u);
});

test.each([
  "select ('/etc/passwd'::text).pg_read_file",
  `select ('/etc/passwd'::text) . /* a */ "pg_read_file" as x`,
  "select f.pg_read_file from text('/etc/passwd') as f",
  "select (array['/etc/passwd'])[1].PG_READ_FILE",
])('a query for postgres calls nothing by a name after a value either: %j', (text) => {
  expect(() => checkSourceQuery(text, postgres)).toThrow('must not call PG_READ_FILE');
});

test.each([
  'select t.url, t.file from t',
  'select t.system.x from t',
  'select "settings" from t',
  'select sum(number) from numbers(10)',
  "select 'it\\'s', 1 -- a",
])('a query for clickhouse may be: %j', (text) => {
  expect(checkSourceQuery(text, clickhouse)).toBe(text.replace(/ -- a$/u, ''));
});

test.each([
  'select o.orderkey, "table" from other.s.orders o -- a',
  'select t.system.x from t',
  "select date '2024-02-29', ''''",
])('a query for trino may be: %j', (text) => {
  expect(checkSourceQuery(text, trino)).toBe(text.replace(/-- a$/u, '').trim());
});

test('a quoted name that is no call may be any', () => {
  expect(checkSourceQuery('select `load_file`, `get_lock` from t', mysql)).toBe(
    'select `load_file`, `get_lock` from t',
  );
  expect(checkSourceQuery('select "pg_read_file" from t', postgres)).toBe('select "pg_read_file" from t');
});

test.each([
  ['postgres', "select $\u2192$'$\u2192$; commit; create table x(); select '", 'more than one'],
  ['postgres', "select E'a'\n'b\\'; commit; select '", 'goes on after its end'],
  ['postgres', "select 1e'a\\'; commit; select '", 'runs into a quote'],
  ['postgres', 'select 1a$$; commit; select $$', 'runs into a quote'],
  ['postgres', 'select $1', 'parameters'],
  ['postgres', 'select U&"pg\\005fread_file"(1)', 'escapes'],
  ['postgres', 'with a as (with b as (select 1) delete from t returning 1) select 1', 'only read'],
  ['postgres', 'select * from t for update', 'lock rows'],
  ['clickhouse', 'select * from system.query_log', 'tables of SYSTEM'],
  ['clickhouse', 'select * from `system` /* a */ . "tables"', 'tables of SYSTEM'],
  ['clickhouse', 'select * from INFORMATION_SCHEMA.tables', 'tables of INFORMATION_SCHEMA'],
  ['clickhouse', 'select 1 settings max_execution_time = 0', 'SETTINGS'],
  ['clickhouse', "select 1 into outfile '/tmp/x'", 'INTO'],
  ['clickhouse', 'select "\\x66ile"(1)', 'escapes'],
  ['clickhouse', 'select {a:String}', 'parameters'],
  ['clickhouse', 'select $$a$$', 'parameters'],
  ['clickhouse', 'select 1 # a', 'parameters'],
  ['clickhouse', 'select 1 /* a /* b */ */', 'comment within a comment'],
  ['clickhouse', "select x'41\\'", 'read differently'],
  ['clickhouse', 'select ‘a’', 'read differently'],
  ['clickhouse', 'select 1', 'read differently'],
  ['trino', "select * from table(pg.system.query(query => 'delete from t'))", 'TABLE'],
  ['trino', 'with function f() returns int return 1 select f()', 'FUNCTION'],
  ['trino', 'select * from system.runtime.queries', 'tables of SYSTEM'],
  ['trino', 'select * from "system" . runtime.queries', 'tables of SYSTEM'],
  ['trino', 'select * from information_schema.tables', 'tables of INFORMATION_SCHEMA'],
  ['trino', 'select ?', 'parameters'],
  ['trino', 'select 1 /* a /* b */ */', 'comment within a comment'],
  ['trino', "select x'41'", 'read differently'],
  ['mysql', 'with a as (select 1) update t set b = 1', 'only read'],
  ['mysql', 'select ?', 'parameters'],
  ['mysql', 'select $$ ; select 1 $$', 'parameters'],
  ['mysql', 'select load_file/*!(1)*/', 'must not say'],
  ['mysql', 'select `load_file`/*!(1)*/', 'would run'],
  ['mysql', 'select `load_file`/*M!(1)*/', 'would run'],
] as const)('a query for %s is not %j', (dialect, text, says) => {
  expect(() => checkSourceQuery(text, rules[dialect])).toThrow(new RegExp(says, 'u'));
});
