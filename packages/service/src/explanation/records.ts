import type { Json, JsonObject } from '@inlay/contract';
import { recordOf, storedOf, mainTable, storedColumns, tableOf } from '../resource/tables.ts';
import { visible } from '../search/compile.ts';
import { scopeOf, type SearchContext } from '../search/visible-records.ts';
import { list, sql } from '../store/sql.ts';

/** A record by resource and id. */
export interface RecordKey {
  readonly resource: string;
  readonly id: string;
}

/** Describes records as far as a caller may see them: `{type, id, name}`. */
export type DescribeRecord = (key: RecordKey) => JsonObject;

const textOf = ({ resource, id }: RecordKey): string => `${resource} ${id}`;

/** Loads the names of records that the caller may see. Other records are described by their type alone. */
export async function loadNames(context: SearchContext, keys: readonly RecordKey[]): Promise<DescribeRecord> {
  const names = new Map<string, Json>();
  const loads = [...Map.groupBy(keys, ({ resource }) => resource)].map(async ([word, ofResource]) => {
    const resource = context.registry.resource(word);
    const ids = [...new Set(ofResource.map(({ id }) => id))];
    const rows = await context.reader.rows(
      sql`select ${storedColumns(mainTable)} from ${tableOf(resource)} t
        where t.id in ${list(ids)} and ${visible(scopeOf(context, resource, mainTable))}`,
    );
    for (const stored of rows.map(storedOf))
      names.set(textOf({ resource: word, id: stored.id }), recordOf(stored)['name'] ?? null);
  });
  await Promise.all(loads);
  return (key) => {
    const name = names.get(textOf(key));
    return { type: key.resource, id: name === undefined ? null : key.id, name: name ?? null };
  };
}
