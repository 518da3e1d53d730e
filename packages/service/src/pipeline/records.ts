import { isObject, type Json, type JsonObject } from '@inlay/contract';
import type { Resource } from '../resource/define.ts';
import { recordOf, mainTable, storedColumns, storedOf, tableOf } from '../resource/tables.ts';
import { withPlaces } from '../resource/secrets.ts';
import { included, type Asking, type Seen } from '../search/run.ts';
import type { Find, Include } from '../search/find.ts';
import { list, sql } from '../store/sql.ts';

/** What a record is shown with: some of its fields, and what hangs on it. */
export interface View {
  readonly attributes: Find['attributes'];
  readonly include: readonly Include[];
}

const whole: View = { attributes: null, include: [] };

/** A stored record in today's structure, fields this caller may not see as null. */
function objectOf(resource: Resource, { stored, unseen }: Seen): JsonObject {
  const read = recordOf(stored);
  const record = stored.current || resource.upgrade === undefined ? read : resource.upgrade(read);
  return unseen.length === 0 ? record : { ...record, ...Object.fromEntries(unseen.map((field) => [field, null])) };
}

/** The records of other resources that every record of this one shows, by id. */
async function embedded(asking: Asking, resource: Resource, seen: readonly Seen[]): Promise<readonly JsonObject[]> {
  const wanted = Object.entries(resource.embeds ?? {});
  if (wanted.length === 0) return seen.map(() => ({}));
  const ids = [...new Set(seen.flatMap(({ stored }) => stored.organizationId ?? []))];
  const found = await Promise.all(
    wanted.map(async ([alias, of]) => {
      const other = asking.registry.resource(of);
      const rows = await asking.reader.rows(
        sql`select ${storedColumns(mainTable)} from ${tableOf(other)} t where t.id in ${list(ids)}`,
      );
      return { alias, records: new Map(rows.map(storedOf).map((stored) => [stored.id, recordOf(stored)])) };
    }),
  );
  return seen.map(({ stored }) =>
    Object.fromEntries(found.map(({ alias, records }) => [alias, records.get(stored.organizationId ?? '') ?? null])),
  );
}

const only = (record: JsonObject, attributes: View['attributes']): JsonObject =>
  attributes === null
    ? record
    : Object.fromEntries(Object.entries(record).filter(([field]) => field === 'id' || attributes.includes(field)));

/** Records as the caller may see them, with what was asked to be included (decisions A1, A5, S3, S4). */
export async function recordsOf(
  asking: Asking,
  resource: Resource,
  seen: readonly Seen[],
  view: View = whole,
): Promise<readonly JsonObject[]> {
  const beside = await embedded(asking, resource, seen);
  const hanging = await Promise.all(
    view.include.map(async (include) => {
      const ids = [...new Set(seen.map(({ stored }) => stored.id))];
      const rows = await included(asking, resource, ids, include);
      const records = await recordsOf(asking, include.target, rows, include);
      const byParent = new Map<string, JsonObject[]>();
      rows.forEach(({ parent = '', link }, index) => {
        const record = { ...records[index], ...(link === undefined ? {} : { link }) };
        const held = byParent.get(parent);
        if (held === undefined) byParent.set(parent, [record]);
        else held.push(record);
      });
      const single = include.association.through.kind === 'reference' || include.association.single === true;
      return {
        alias: include.alias,
        of: (id: string): Json => (single ? (byParent.get(id)?.[0] ?? null) : (byParent.get(id) ?? [])),
      };
    }),
  );
  return seen.map((one, index) => {
    const record = { ...objectOf(resource, one), ...beside[index] };
    const presented =
      resource.present === undefined || asking.caller === null ? record : resource.present(record, asking.caller);
    const extra = Object.fromEntries(hanging.map(({ alias, of }) => [alias, of(one.stored.id)]));
    return { ...only(presented, view.attributes), ...extra };
  });
}

const isPlain = (resource: Resource, view: View): boolean =>
  view.attributes === null &&
  view.include.length === 0 &&
  resource.embeds === undefined &&
  resource.present === undefined;

/** Records as JSON text. A stored text that needs nothing is passed on as it is, which is most of a read's speed. */
export async function textsOf(
  asking: Asking,
  resource: Resource,
  seen: readonly Seen[],
  view: View = whole,
): Promise<readonly string[]> {
  if (!isPlain(resource, view))
    return (await recordsOf(asking, resource, seen, view)).map((record) => JSON.stringify(record));
  return seen.map((one) =>
    one.stored.current && one.unseen.length === 0 ? one.stored.text : JSON.stringify(objectOf(resource, one)),
  );
}

/** The record of a write, with the secrets its own request carried and what is shown once (decision A5). */
export async function writtenText(
  asking: Asking,
  resource: Resource,
  seen: Seen,
  carried: JsonObject,
  shown: JsonObject,
): Promise<string> {
  if (Object.keys(carried).length === 0 && Object.keys(shown).length === 0)
    return (await textsOf(asking, resource, [seen]))[0] ?? '';
  const [record] = await recordsOf(asking, resource, [seen]);
  const revealed = Object.entries(carried).map(([place, value]) => [place, unsealed(resource, place, value)] as const);
  return JSON.stringify({ ...withPlaces(record ?? {}, Object.fromEntries(revealed)), ...shown });
}

/** A secret that is an object travels as its text. */
function unsealed(resource: Resource, place: string, value: Json): Json {
  if (resource.fields[place]?.kind !== 'sealed' || typeof value !== 'string') return value;
  const parsed: Json = JSON.parse(value);
  return isObject(parsed) ? parsed : value;
}
