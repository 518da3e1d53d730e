import type { Dialect } from '../dialect.ts';
import type { Migration } from '../migrate.ts';

/** Tables whose records refer to themes. */
const tables = ['securable', 'dashboardversion'];

/** LIKE pattern for the UUIDs of an organization's own themes; ids of built-in themes are words. */
const id = '________-____-____-____-____________';
/** Matches a JSON string, or a character outside strings and objects. */
const plainPart = String.raw`[^{}"]|"(?:[^"\\]|\\.)*"`;
/** Matches the members of a theme that precede its id, with up to two levels of nested objects. */
const members = String.raw`(?:${plainPart}|\{(?:${plainPart}|\{(?:${plainPart})*\})*\})*?`;

/** Selects the record's id and the theme's id for each reference to a theme in rows of a table. */
const themesOf = {
  sqlite: (rows: string) =>
    `select distinct r.id, j.value from ${rows} r, json_tree(r.record) j
      where r.record like '%"theme":{%"id":"${id}"%' and j.key = 'id' and j.value like '${id}' and j.path like '%.theme'`,
  // Uses a regular expression, since jsonb rejects the NUL character, which strings in a record may contain.
  postgres: (rows: string) =>
    String.raw`select distinct r.id, m[1] from ${rows} r,
      regexp_matches(r.record, '"theme":\{${members}"id":"([0-9a-f-]{36})"', 'g') m`,
} as const satisfies Record<Dialect['name'], (rows: string) => string>;

const insert = (dialect: Dialect['name'], rows: string): string =>
  `insert into theme_use (source_id, theme_id) ${themesOf[dialect](rows)} on conflict do nothing;`;
const forget = 'delete from theme_use where source_id = old.id;';

/** Returns the statements that create the triggers of a table in SQLite. */
export function sqliteTriggers(table: string): readonly string[] {
  const note = insert('sqlite', '(select new.id as id, new.record as record)');
  const trigger = (name: string, event: string, work: string): string =>
    `create trigger ${table}__themes_${name} after ${event} on ${table} begin ${work} end`;
  return [
    trigger('insert', 'insert', note),
    trigger('update', 'update of record', `${forget} ${note}`),
    trigger('delete', 'delete', forget),
  ];
}

const postgresTrigger = (table: string): string =>
  `create trigger ${table}__themes after insert or update of record or delete on ${table}
    for each row execute function note_themes()`;

const noteThemes = `create function note_themes() returns trigger language plpgsql as $note$ begin
  if tg_op <> 'INSERT' then ${forget} end if;
  if tg_op <> 'DELETE' then ${insert('postgres', '(select new.id as id, new.record as record)')} end if;
  return null;
end $note$`;

/** Stores which themes dashboards and their versions use, so that searches of themes need not parse the records. */
export const usesOfThemes: Migration = {
  id: 20,
  name: 'uses of themes',
  addsOnly: true,
  statements: (dialect) => [
    `create table theme_use (source_id text not null, theme_id text not null,
      primary key (theme_id, source_id))${dialect === 'sqlite' ? ' without rowid' : ''}`,
    'create index theme_use_source on theme_use (source_id)',
    ...tables.map((table) => insert(dialect, table)),
    ...(dialect === 'sqlite' ? tables.flatMap(sqliteTriggers) : [noteThemes, ...tables.map(postgresTrigger)]),
  ],
};
