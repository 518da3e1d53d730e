import type { Dialect } from './dialect.ts';
import { name, render, sql, text, join, type Sql } from './sql.ts';

/**
 * The statements that make a table of folded text which can be searched for fragments. Its key is called `rowid` in both
 * stores and is the `seq` of the row it belongs to; it takes insert, update and delete, but no `on conflict`.
 */
export function textTable(dialect: Dialect['name'], table: string, columns: readonly string[]): readonly string[] {
  const fixed = (statement: Sql): string => render(statement, 'question');
  const names = columns.map(name);
  if (dialect === 'sqlite') {
    return [
      fixed(
        sql`create virtual table ${name(table)} using fts5(${join(names, ', ')}, tokenize = 'trigram case_sensitive 1')`,
      ),
    ];
  }
  const typed = names.map((column) => sql`${column} text`);
  return [
    'create extension if not exists pg_trgm',
    fixed(sql`create table ${name(table)} (${join([text('rowid bigint primary key'), ...typed], ', ')})`),
    ...columns.map((column) =>
      fixed(
        sql`create index ${name(`${table}__${column}__fragments`)} on ${name(table)} using gin (${name(column)} gin_trgm_ops)`,
      ),
    ),
  ];
}
