import type { Migration } from '../migrate.ts';

/** Searched fields of records that contain objects and may thus be long. */
const searched = {
  account: ['name', 'description'],
  securable: ['name', 'description', 'subtitle'],
  theme: ['name'],
  plugin: ['name', 'description'],
  dashboardversion: ['name'],
} as const;

/**
 * Renames the column and adds `record` after all others, so that each row is written once and `texts` is read without
 * the long record.
 */
const onSqlite = (table: string, fields: readonly string[]): readonly string[] => [
  `alter table "${table}" rename column "record" to "texts"`,
  `alter table "${table}" add column "record" text not null default ''`,
  `update "${table}" set "record" = "texts",
    "texts" = json_object(${fields.map((field) => `'${field}', "texts" -> '$.${field}'`).join(', ')})`,
];

/**
 * Stores the texts as `jsonb`, so that searches parse nothing. Records with NUL or lone surrogates, which `jsonb`
 * rejects, are searchable again after their next write.
 */
const onPostgres = (table: string, fields: readonly string[]): readonly string[] => [
  `alter table "${table}" add column "texts" jsonb not null default '{}'`,
  `update "${table}" set "texts" =
    (case when "record" ~ '\\\\u(0000|[dD][89abAB])' then '{}'
      else json_build_object(${fields.map((field) => `'${field}', "record"::json -> '${field}'`).join(', ')})::text end)::jsonb`,
  `analyze "${table}"`,
];

/** Lets searches for exact words read a short text instead of the whole record. */
export const textsOfRecords: Migration = {
  id: 16,
  name: 'texts of records',
  statements: (dialect) =>
    Object.entries(searched).flatMap(([table, fields]) =>
      dialect === 'sqlite' ? onSqlite(table, fields) : onPostgres(table, fields),
    ),
};
