import type { Migration } from '../migrate.ts';

/** Searched fields of the tables whose records contain objects and may therefore be long. */
const searched = {
  account: ['name', 'description'],
  securable: ['name', 'description', 'subtitle'],
  theme: ['name'],
  plugin: ['name', 'description'],
  dashboardversion: ['name'],
} as const;

/**
 * Renames the column `record` to `texts` and adds a new column `record` after all others. Each row is then written only
 * once, and SQLite can read `texts` without reading the long record.
 */
const onSqlite = (table: string, fields: readonly string[]): readonly string[] => [
  `alter table "${table}" rename column "record" to "texts"`,
  `alter table "${table}" add column "record" text not null default ''`,
  `update "${table}" set "record" = "texts",
    "texts" = json_object(${fields.map((field) => `'${field}', "texts" -> '$.${field}'`).join(', ')})`,
];

/**
 * Stores the searched fields as `jsonb`, so that searches parse nothing. `jsonb` rejects the NUL character and lone
 * surrogates. Records with these characters become searchable again when they are next written.
 */
const onPostgres = (table: string, fields: readonly string[]): readonly string[] => [
  `alter table "${table}" add column "texts" jsonb not null default '{}'`,
  `update "${table}" set "texts" =
    (case when "record" ~ '\\\\u(0000|[dD][89abAB])' then '{}'
      else json_build_object(${fields.map((field) => `'${field}', "record"::json -> '${field}'`).join(', ')})::text end)::jsonb`,
  `analyze "${table}"`,
];

/**
 * Adds a column with the searched fields, so that searches for exact words read a short text instead of the whole
 * record.
 */
export const textsOfRecords: Migration = {
  id: 16,
  name: 'texts of records',
  statements: (dialect) =>
    Object.entries(searched).flatMap(([table, fields]) =>
      dialect === 'sqlite' ? onSqlite(table, fields) : onPostgres(table, fields),
    ),
};
