import type { Json, JsonObject } from '@inlay/contract';
import type { Resource } from '../../resource/define.ts';
import { mainTable, recordOf, storedColumns, storedOf, tableOf, type StoredRecord } from '../../resource/tables.ts';
import { visibleAfterWrite } from '../../search/find-one.ts';
import { sql } from '../../store/sql.ts';
import type { AuthorizationContext } from './held-roles.ts';

/**
 * Returns the record as the caller sees it. Values that a request sends back are compared with this record, since a
 * comparison with the stored record would reveal hidden values.
 */
export async function shownTo(
  { reader, registry, caller }: AuthorizationContext,
  resource: Resource,
  before: StoredRecord | null,
  { echoes }: { readonly echoes: JsonObject },
): Promise<JsonObject> {
  if (before === null) return {};
  const record = current(resource, recordOf(before));
  if (Object.keys(echoes).length === 0) return record;
  const { hiddenFields } = await visibleAfterWrite({ reader, registry, caller }, resource, before);
  return { ...record, ...Object.fromEntries(hiddenFields.map((field) => [field, null])) };
}

/** Returns the record as the caller sees it, with embedded records if the request sends any back. */
export async function withEmbedded(
  { reader, registry, caller }: AuthorizationContext,
  resource: Resource,
  organizationId: string | null,
  record: JsonObject,
  echoes: JsonObject,
): Promise<JsonObject> {
  const shown: Record<string, Json> = { ...record };
  for (const [alias, of] of Object.entries(resource.embeds ?? {})) {
    if (!Object.hasOwn(echoes, alias)) continue;
    const rows = await reader.rows(
      sql`select ${storedColumns(mainTable)} from ${tableOf(registry.resource(of))} t where t.id = ${organizationId}`,
    );
    shown[alias] = rows[0] === undefined ? null : recordOf(storedOf(rows[0]));
  }
  return resource.present === undefined || caller === null ? shown : resource.present(shown, caller);
}

/** Upgrades a stored record to the current structure. */
export const current = (resource: Resource, record: JsonObject): JsonObject =>
  resource.older?.(record) === true && resource.upgrade !== undefined ? resource.upgrade(record) : record;
