import type { JsonObject } from '@inlay/contract';
import { columnsOf, condition, permits } from '../access/permits.ts';
import { forVariety } from '../declare/variety.ts';
import type { Resource } from '../resource/define.ts';
import { mainTable, recordOf, storedColumns, storedOf, tableOf } from '../resource/tables.ts';
import { withWarnings } from '../declare/warnings.ts';
import type { Warning } from '../declare/warning.ts';
import type { SearchContext, VisibleRecord } from '../search/visible-records.ts';
import { sql } from '../store/sql.ts';

/** Returns warnings of a referenced record, if the caller may see it. */
async function warningsOfOther(
  context: SearchContext,
  id: string,
  field: string,
  of: string,
): Promise<readonly Warning[]> {
  const { caller, registry, reader } = context;
  const other = registry.resource(of);
  const role = forVariety(other.roles.get ?? 'nobody', undefined);
  if (caller === null || role === undefined || role === 'nobody' || other.warns === undefined) return [];
  const allowed = condition(permits(role, caller, columnsOf(mainTable)));
  const [row] = await reader.rows(
    sql`select ${storedColumns(mainTable)} from ${tableOf(other)} t where t.id = ${id} and ${allowed}`,
  );
  if (row === undefined) return [];
  return other.warns.of(recordOf(storedOf(row))).map((entry) => ({ ...entry, path: `${field}.${entry.path}` }));
}

async function warningsOf(context: SearchContext, resource: Resource, { stored, hiddenFields }: VisibleRecord) {
  const record: JsonObject = recordOf(stored);
  const own = resource.warns?.of(record) ?? [];
  const others = Object.entries(resource.warns?.from ?? {}).map(async ([field, of]) => {
    const id = hiddenFields.includes(field) ? null : (record[field] ?? null);
    return typeof id === 'string' ? warningsOfOther(context, id, field, of) : [];
  });
  return [...own, ...(await Promise.all(others)).flat()];
}

/**
 * Ends the JSON of a single record. Adds the warnings of the record and of records it refers to, if there are any.
 * Lists have no warnings, as they are read in bulk. `further`: other members, such as warnings of the write itself.
 */
export async function endWithWarnings(
  context: SearchContext,
  resource: Resource,
  record: VisibleRecord,
  further: JsonObject = {},
): Promise<string> {
  const members = withWarnings(
    further,
    resource.warns === undefined ? [] : await warningsOf(context, resource, record),
  );
  return Object.keys(members).length === 0 ? '}' : `,${JSON.stringify(members).slice(1)}`;
}
