import { listOr, timestamp, type Json, type JsonObject } from '@inlay/contract';
import { ownerFor, type Caller } from '../access/caller.ts';
import type { Registry } from '../resource/registry.ts';
import type { Change, Work } from '../resource/rules.ts';
import {
  columnFields,
  insertRecord,
  recordOf,
  replaceRecord,
  mainTable,
  storedColumns,
  storedOf,
  tableOf,
  type StoredRecord,
} from '../resource/tables.ts';
import type { Resource } from '../resource/define.ts';
import { derived } from '../declare/derived.ts';
import type { GeneratedValue } from '../declare/fields.ts';
import { freshRecord, varietyOf, withProperties } from '../declare/properties.ts';
import { isWarning, withWarnings } from '../declare/warnings.ts';
import type { Secrets } from '../declare/secrets.ts';
import { insert, sql, type RowInsert } from '../store/sql.ts';
import type { Transaction } from '../store/store.ts';
import type { Seals } from './seals.ts';

/** The clock, randomness and keys of writes. */
export interface WriteEnvironment {
  readonly registry: Registry;
  readonly now: () => number;
  readonly id: (unixMs: number) => string;
  /** Returns random text with this many bits, base64url-encoded. */
  readonly random: (bits: number) => string;
  readonly seals: Seals;
}

/** A write in progress. */
export interface WriteContext {
  readonly environment: WriteEnvironment;
  readonly transaction: Transaction;
  readonly caller: Caller | null;
  readonly now: string;
}

/** Begins a write. All timestamps of the write are equal. */
export const beginWrite = (
  environment: WriteEnvironment,
  transaction: Transaction,
  caller: Caller | null,
): WriteContext => ({
  environment,
  transaction,
  caller,
  now: timestamp(environment.now()),
});

/** Loads a stored record and locks it until the commit; null if it does not exist. */
export async function load(
  { transaction }: WriteContext,
  resource: Resource,
  id: string,
): Promise<StoredRecord | null> {
  const rows = await transaction.rows(
    sql`select ${storedColumns(mainTable)} from ${tableOf(resource)} t where t.id = ${id}${transaction.dialect.forUpdate}`,
  );
  return rows[0] === undefined ? null : storedOf(rows[0]);
}

/** Fields with generated values. Each has its name, its generator, and true if it is a hidden column. */
const generatedOf = derived((resource): readonly (readonly [string, GeneratedValue, boolean])[] =>
  Object.entries(resource.fields).flatMap(([name, { generated: made, hidden }]) =>
    made === undefined ? [] : [[name, made, hidden === true]],
  ),
);

/** Generates values for a new record: fields of the record (`record`), and hidden columns (`hidden`). */
export function generatedFields(
  context: WriteContext,
  resource: Resource,
  id: string,
  organizationId: string | null,
): { readonly record: JsonObject; readonly hidden: JsonObject } {
  const { environment, caller, now } = context;
  const values = {
    now: () => now,
    id: () => environment.id(environment.now()),
    caller: () => caller?.userId ?? null,
    owner: () => (caller === null ? null : ownerFor(caller)),
    organization: () => organizationId,
    suborganization: () => caller?.suborganization ?? null,
    slug: () => environment.random(128),
  } as const;
  const record: Record<string, Json> = {};
  const hidden: Record<string, Json> = {};
  for (const [name, made, apart] of generatedOf(resource)) {
    const value = name === 'id' ? id : values[made]();
    if (apart) hidden[name] = value;
    else record[name] = value;
  }
  return { record, hidden };
}

/** Returns the later of two times. A change must not be earlier than the previous one, even if the clock goes back. */
export const laterOf = (now: string, before: Json | undefined): string =>
  typeof before === 'string' && before > now ? before : now;

const hiddenNames = derived((resource): readonly string[] =>
  columnFields(resource).flatMap(([name, field]) => (field.hidden === true ? [name] : [])),
);

/** Updates fields of a record because of a rule or a cascade. */
export async function changeRecord(
  context: WriteContext,
  resource: Resource,
  id: string,
  fields: JsonObject,
): Promise<void> {
  const stored = await load(context, resource, id);
  if (stored === null) return;
  const before = recordOf(stored);
  const shown = Object.fromEntries(Object.entries(fields).filter(([name]) => !hiddenNames(resource).includes(name)));
  const hidden = Object.fromEntries(Object.entries(fields).filter(([name]) => hiddenNames(resource).includes(name)));
  const touched =
    resource.fields['updated_at']?.hidden === true ? {} : { updated_at: laterOf(context.now, before['updated_at']) };
  await replaceRecord(context.transaction, resource, stored, {
    record: { ...before, ...shown, ...touched },
    hidden: { updated_at: context.now, ...hidden },
    organizationId: stored.organizationId,
    sealed: stored.sealed,
    secretKey: context.environment.seals.keyOf(stored.sealed),
  });
}

/**
 * The grantor of a link, and the row filters of the grantor as JSON. `grantorId` is null if the link does not depend on
 * its grantor.
 */
export interface Grantor {
  readonly grantorId: string | null;
  readonly filters: string | null;
}

/** Table and columns for inserting a link. */
const newLink: RowInsert = {
  table: 'link',
  columns: ['first_id', 'target_id', 'association', 'level', 'properties', 'created_at'],
};
const upsertLink: RowInsert = {
  ...newLink,
  columns: [...newLink.columns, 'giver_id', 'given'],
  conflict: `on conflict (first_id, target_id, association) do update
      set level = excluded.level, properties = excluded.properties, giver_id = excluded.giver_id, given = excluded.given`,
};

/** Inserts a link, or sets the level and properties of an existing one. */
export async function putLink(
  { transaction, now }: WriteContext,
  firstId: string,
  association: string,
  targetId: string,
  level: number | null,
  properties: JsonObject,
  { grantorId, filters }: Grantor = { grantorId: null, filters: null },
): Promise<void> {
  const propertiesText = Object.keys(properties).length === 0 ? null : JSON.stringify(properties);
  await transaction.run(
    insert(upsertLink, [firstId, targetId, association, level, propertiesText, now, grantorId, filters]),
  );
}

/** Inserts a link between a new record and another one. */
export async function addLink(
  { transaction, now }: WriteContext,
  firstId: string,
  association: string,
  targetId: string,
  level: number | null,
): Promise<void> {
  await transaction.run(insert(newLink, [firstId, targetId, association, level, null, now]));
}

/** Creates the interface through which rules write. */
export function workOf(context: WriteContext): Work {
  const { environment, transaction } = context;
  const { registry } = environment;
  return {
    transaction,
    id: () => environment.id(environment.now()),
    random: environment.random,
    record: async (name, id) => {
      const stored = await load(context, registry.resource(name), id);
      return stored === null ? null : recordOf(stored);
    },
    insert: async (name, fields, hidden = {}) => {
      const resource = registry.resource(name);
      const id = typeof fields['id'] === 'string' ? fields['id'] : environment.id(environment.now());
      const organizationId =
        name === 'organization' ? id : stringOr(fields['organization_id'], context.caller?.organizationId ?? null);
      const made = generatedFields(context, resource, id, organizationId);
      const variety = varietyOf(resource, fields);
      const record = withProperties(resource, { ...freshRecord(resource, variety), ...made.record }, fields);
      await insertRecord(transaction, resource, id, {
        record,
        hidden: { ...made.hidden, created_at: context.now, updated_at: context.now, ...hidden },
        organizationId,
        sealed: {},
        secretKey: null,
      });
    },
    change: (name, id, fields) => changeRecord(context, registry.resource(name), id, fields),
    link: (firstId, association, targetId, level) => addLink(context, firstId, association, targetId, level),
  };
}

const stringOr = (value: Json | undefined, other: string | null): string | null =>
  typeof value === 'string' ? value : other;

/** True if any rule of the operation runs after the record is stored and may change it. */
export const hasLaterRules = ({ rules = [] }: Resource, operation: Change['operation']): boolean =>
  rules.some(({ on, afterwards }) => afterwards === true && on.includes(operation));

/**
 * Runs the rules that apply before the record is stored, or those that apply afterwards. Each rule sees the changes of
 * the rules before it.
 */
export async function runRules(
  resource: Resource,
  change: Change,
  work: Work,
  afterwards: boolean,
): Promise<RuleResult> {
  let result: RuleResult = {
    after: change.after,
    hidden: {},
    forget: [],
    secrets: {},
    shown: {},
    organizationId: null,
  };
  for (const rule of resource.rules ?? []) {
    if (!rule.on.includes(change.operation) || (rule.afterwards === true) !== afterwards) continue;
    const adjusted = await rule.run({ ...change, after: result.after }, work);
    if (adjusted === undefined) continue;
    result = {
      after: { ...result.after, ...adjusted.record },
      hidden: { ...result.hidden, ...adjusted.hidden },
      forget: [...result.forget, ...(adjusted.forget ?? [])],
      secrets: { ...result.secrets, ...adjusted.secrets },
      shown: withShown(result.shown, adjusted.shown ?? {}),
      organizationId: adjusted.organizationId ?? result.organizationId,
    };
  }
  return result;
}

/** Merges the one-time values of two rules. Warnings of both are kept; of other members, the later rule's values. */
function withShown(
  before: JsonObject,
  { warnings = [], warnings_count: count = 0, ...others }: JsonObject,
): JsonObject {
  const warningList = listOr(warnings).filter(isWarning);
  const merged = withWarnings({ ...before, ...others }, warningList);
  const more = Number(count) - warningList.length;
  return more > 0 ? { ...merged, warnings_count: Number(merged['warnings_count']) + more } : merged;
}

export interface RuleResult {
  readonly after: JsonObject;
  readonly hidden: JsonObject;
  readonly forget: readonly string[];
  readonly secrets: Secrets;
  readonly shown: JsonObject;
  readonly organizationId: string | null;
}
