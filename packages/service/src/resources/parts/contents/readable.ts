import { isUuid, textOr } from '@inlay/contract';
import type { Caller } from '../../../access/caller.ts';
import { columnsOf, condition, permits } from '../../../access/permits.ts';
import { forVariety } from '../../../declare/variety.ts';
import type { Resource } from '../../../resource/define.ts';
import { list, name, sql, text } from '../../../store/sql.ts';
import type { Reader } from '../../../store/store.ts';

/** Maximum number of ids per statement. Databases accept a few tens of thousands of values. */
const idsTogether = 1000;

/** Returns a column's value of each record that a caller may read, by id. */
export async function readable(
  reader: Reader,
  caller: Caller,
  resource: Resource,
  ids: readonly string[],
  column = 'id',
): Promise<ReadonlyMap<string, string>> {
  const role = resource.roles.get === undefined ? undefined : forVariety(resource.roles.get, undefined);
  const values = new Map<string, string>();
  if (role === undefined) return values;
  const allowed = condition(permits(role, caller, columnsOf(text('t'))));
  const mayRead = resource.softDelete === true ? sql`${allowed} and t.deleted_at is null` : allowed;
  const uuids = [...new Set(ids)].filter(isUuid);
  for (let start = 0; start < uuids.length; start += idsTogether) {
    const some = list(uuids.slice(start, start + idsTogether));
    const rows = await reader.rows(
      sql`select t.id, t.${name(column)} as held from ${name(resource.name)} t where t.id in ${some} and ${mayRead}`,
    );
    for (const row of rows) values.set(String(row['id']), textOr(row['held'], ''));
  }
  return values;
}
