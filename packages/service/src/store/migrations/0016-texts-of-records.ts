import type { Migration } from '../migrate.ts';

/** The searched fields of records that hold an object, which may be long. */
const searched = {
  account: ['name', 'description'],
  securable: ['name', 'description', 'subtitle'],
  theme: ['name'],
  plugin: ['name', 'description'],
  dashboardversion: ['name'],
} as const;

/** The column takes the place of the record, which moves behind all others: each row is written once. */
const onSqlite = (table: string, fields: readonly string[]): readonly string[] => [
  `alter table "${table}" rename column "record" to "texts"`,
  `alter table "${table}" add column "record" text not null default ''`,
  `update "${table}" set "record" = "texts",
    "texts" = json_object(${fields.map((field) => `'${field}', "texts" -> '$.${field}'`).join(', ')})`,
];

/** Already read as JSON, so that a search parses nothing. What it refuses, NUL and halves of letters, is searched once the record is written again. */
const onPostgres = (table: string, fields: readonly string[]): readonly string[] => [
  `alter table "${table}" add column "texts" jsonb not null default '{}'`,
  `update "${table}" set "texts" =
    (case when "record" ~ '\\\\u(0000|[dD][89abAB])' then '{}'
      else json_build_object(${fields.map((field) => `'${field}', "record"::json -> '${field}'`).join(', ')})::text end)::jsonb`,
  `analyze "${table}"`,
];

/** What is searched word for word is read from a short text, and not from the whole record. */
export const textsOfRecords: Migration = {
  id: 16,
  name: 'texts of records',
  statements: (dialect) =>
    Object.entries(searched).flatMap(([table, fields]) =>
      dialect === 'sqlite' ? onSqlite(table, fields) : onPostgres(table, fields),
    ),
};
