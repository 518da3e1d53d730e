import type { JsonObject } from '@inlay/contract';

/** Matches the text of records, which begin with their id. */
const start = `{"id":"${'_'.repeat(36)}",`;

/**
 * Returns the SQL expression for the text of a record with additional members. The rest of the text stays as it is,
 * so the members of objects keep their order, and numbers their digits.
 */
export const withFields = (record: string, fields: JsonObject): string =>
  `(case when ${record} like '${start}%' then substr(${record}, 1, ${start.length}) || '${JSON.stringify(fields).slice(1, -1)},' || substr(${record}, ${start.length + 1})
    else '{' || '${JSON.stringify(fields).slice(1, -1)},' || substr(${record}, 2) end)`;
