import type { Dialect } from '../dialect.ts';
import { name, render, sql, text, join, type Sql } from '../sql.ts';
import { tableStatements, type Table } from './record-table.ts';

const inlineText = (statement: Sql): string => render(statement, 'question');

/** Returns the name of the SQLite index of a text table. */
const indexOf = (table: string): Sql => name(`${table}_index`);

/**
 * SQLite updates the index in batches: `text_indexed` has the number of the last indexed row, and searches scan the
 * rows after it. Triggers update the index when an indexed row changes.
 */
function sqliteTextTable(table: string, columns: readonly string[]): readonly string[] {
  const [texts, index] = [name(table), indexOf(table)];
  const names = join(columns.map(name), ', ');
  const of = (row: string): Sql =>
    join(
      columns.map((column) => sql`${text(row)}.${name(column)}`),
      ', ',
    );
  const isIndexed = (row: string): Sql =>
    sql`${text(row)}.rowid <= (select until from text_indexed where text_table = ${text(`'${table}'`)})`;
  const take = sql`insert into ${index} (${index}, rowid, ${names}) values ('delete', old.rowid, ${of('old')});`;
  const insertText = sql`insert into ${index} (rowid, ${names}) values (new.rowid, ${of('new')});`;
  const trigger = (event: 'insert' | 'update' | 'delete', row: 'old' | 'new', work: Sql): Sql =>
    sql`create trigger ${name(`${table}__${event}`)} after ${text(event)} on ${texts} when ${isIndexed(row)} begin ${work} end`;
  return [
    sql`create table if not exists text_indexed (text_table text primary key, until integer not null) without rowid`,
    sql`create table ${texts} (rowid integer primary key, ${join(
      columns.map((column) => sql`${name(column)} text`),
      ', ',
    )})`,
    sql`create virtual table ${index} using fts5(${names}, content = ${texts}, content_rowid = 'rowid',
      columnsize = 0, tokenize = 'trigram case_sensitive 1')`,
    trigger('insert', 'new', insertText),
    trigger('update', 'old', sql`${take} ${insertText}`),
    trigger('delete', 'old', take),
    sql`insert into text_indexed (text_table, until) values (${text(`'${table}'`)}, 0)`,
  ].map(inlineText);
}

function textTable(dialect: Dialect['name'], table: string, columns: readonly string[]): readonly string[] {
  if (dialect === 'sqlite') return sqliteTextTable(table, columns);
  const typed = columns.map((column) => sql`${name(column)} text`);
  return [
    'create extension if not exists pg_trgm',
    inlineText(sql`create table ${name(table)} (${join([text('rowid bigint primary key'), ...typed], ', ')})`),
    ...columns.map((column) =>
      inlineText(
        sql`create index ${name(`${table}__${column}__fragments`)} on ${name(table)} using gin (${name(column)} gin_trgm_ops)`,
      ),
    ),
  ];
}

/** Returns the SQL statements of the first migrations, which create a table with its folded text in a second table. */
export const tableBesideTexts = (
  dialect: Dialect['name'],
  table: string,
  { searched, ...rest }: Table,
): readonly string[] => [
  ...tableStatements(dialect, table, rest),
  ...(searched === undefined ? [] : textTable(dialect, `${table}_text`, searched)),
];
