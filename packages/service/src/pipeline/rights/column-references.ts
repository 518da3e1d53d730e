import type { JsonObject } from '@inlay/contract';
import type { Caller } from '../../access/caller.ts';
import { columnsOf, condition, permits } from '../../access/permits.ts';
import { securable } from '../../declare/roles.ts';
import { Faults } from '../../problems/problem.ts';
import type { Fields, NamedColumn } from '../../declare/fields.ts';
import { list, sql, text } from '../../store/sql.ts';
import type { Reader } from '../../store/store.ts';

/**
 * Checks columns referenced in settings. Each column must exist in its dataset, and the caller must have *read* on that
 * dataset. If `only` is not null, all columns must belong to the dataset with this id. Raises Problem
 * `reference_unknown`.
 */
export async function checkColumnReferences(
  reader: Reader,
  caller: Caller | null,
  fields: Fields,
  set: JsonObject,
  { at, only }: { readonly at: string; readonly only: string | null },
): Promise<void> {
  const named = Object.entries(set).flatMap(([name, value]): readonly NamedColumn[] => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return field?.columns?.(value, `${at}.${name}`) ?? [];
  });
  if (named.length === 0) return;
  const mayRead = condition(permits(securable('read'), caller, columnsOf(text('s'))));
  const ids = list([...new Set(named.map(({ columnId }) => columnId))]);
  const rows = await reader.rows(
    sql`select c.id, c.securable_id from "column" c join securable s on s.id = c.securable_id
      where c.id in ${ids} and coalesce(c.kept, '') not like 'retired %' and ${mayRead}`,
  );
  const owners = new Map(rows.map((row) => [String(row['id']), String(row['securable_id'])]));
  const faults = new Faults();
  for (const { at: place, columnId, dataset } of named) {
    const owner = owners.get(columnId);
    if (dataset !== null && only !== null && dataset.id !== only)
      faults.add(dataset.at, 'must be the dataset that is linked', 'reference_unknown');
    else if (owner === undefined)
      faults.add(place, 'there is no such column, or you may not see its dataset', 'reference_unknown');
    else if (dataset !== null && dataset.id !== owner)
      faults.add(place, 'is a column of another dataset than the one named beside it', 'reference_unknown');
  }
  faults.raise();
}
