import {
  durationSeconds,
  isObject,
  oneOf,
  sameJson,
  unknownWord,
  withArticle,
  withEmptyObjects,
  type Fault,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import type { Faults } from '../problems/problem.ts';
import type { Declaration } from './declaration.ts';
import { isByVariety } from './variety.ts';
import { derived } from './derived.ts';
import type { Accept, Field } from './fields.ts';
import { kinds } from './kinds.ts';
import { isWarningMember } from './warnings.ts';

/** Text that replaces a stored secret in every answer except the one to the request that set it. */
export const mask = '********';

/** Checked properties. `set`: the properties to set; `echoes`: read-only properties that were sent back. */
export interface Properties {
  readonly set: JsonObject;
  readonly echoes: JsonObject;
}

function checkBounds(field: Field, value: Json, at: string, fault: Fault): void {
  if (typeof value === 'string') {
    if (field.values !== undefined && !field.values.includes(value)) fault(at, oneOf(field.values, value));
    const { maxLength = 10_000 } = field;
    if (value.length > maxLength) fault(at, `must have at most ${maxLength} characters`);
    else if (field.pattern !== undefined && !field.pattern.expression.test(value)) fault(at, field.pattern.message);
  }
  if (typeof value === 'number') {
    if (field.whole === true && !Number.isInteger(value)) fault(at, 'must be a whole number');
    if (field.minimum !== undefined && value < field.minimum) fault(at, `must be at least ${field.minimum}`);
    if (field.maximum !== undefined && value > field.maximum) fault(at, `must be at most ${field.maximum}`);
  }
  if (isObject(value) && field.members !== undefined) {
    const { members } = field;
    for (const name of Object.keys(value))
      if (!members.includes(name)) fault(`${at}.${name}`, unknownWord(name, members));
  }
}

/** Replaces an empty list by an empty object wherever the field expects an object. */
const withObjects = (field: Field, value: Json): Json =>
  typeof value === 'object'
    ? withEmptyObjects(value, { ...kinds[field.kind].schema, ...(field.objects ?? field.shape) })
    : value;

/** Checks a value of a field and returns its stored form; reports every fault at its path. */
export function checkField(field: Field, value: Json, at: string, faults: Faults): Json {
  if (value === null) return null;
  let sound = true;
  const orDuration = field.durations === true ? ', or a duration such as "24 hours"' : '';
  const fault: Fault = (place, message) => {
    sound = false;
    faults.add(place, `${message}${orDuration}`);
  };
  const canonical = typeof value === 'string' ? (field.aliases?.[value] ?? value) : value;
  const read = field.reads === undefined ? canonical : field.reads(canonical);
  // A rule resolves the duration at the time of the write.
  if (field.durations === true && typeof read === 'string' && durationSeconds(read) !== null) return read;
  if (typeof read !== 'string' && field.kind === 'text' && field.pattern !== undefined)
    fault(at, field.pattern.message);
  const checked = sound ? kinds[field.kind].check(withObjects(field, read), at, fault) : read;
  if (sound) checkBounds(field, checked, at, fault);
  if (sound) field.check?.(checked, at, fault);
  return sound && field.stored !== undefined ? field.stored(checked) : checked;
}

/** Returns the operations that may set a field of a variety, or of any variety if none is specified. */
export function accepted(field: Field, variety: string | undefined): Accept {
  if (!applies(field, variety) && variety !== undefined) return [];
  if (!isByVariety(field.accept)) return field.accept;
  return variety === undefined ? Object.values(field.accept.byVariety).flat() : (field.accept.byVariety[variety] ?? []);
}

/** Names of properties in requests. */
const knownNames = derived((resource): readonly string[] =>
  Object.entries(resource.fields)
    .filter(([, field]) => field.hidden !== true || accepted(field, undefined).length > 0)
    .map(([name]) => name),
);

/**
 * Returns the properties that an operation may set. If the request has a valid variety, only properties of that
 * variety.
 */
function writableNames(
  resource: Declaration,
  operation: 'create' | 'update',
  properties: JsonObject,
): readonly string[] {
  const sent = varietyOf(resource, properties);
  const variety = sent !== undefined && resource.variety?.of.includes(sent) === true ? sent : undefined;
  return Object.entries(resource.fields)
    .filter(([, field]) => accepted(field, variety).includes(operation))
    .map(([name]) => name);
}

const requiredNames = derived((resource): readonly string[] =>
  Object.keys(resource.fields).filter((name) => resource.fields[name]?.required === true),
);

const isMask = (field: Field, value: Json): boolean =>
  (field.kind === 'secret' || field.kind === 'sealed') && value === mask;

/**
 * Removes masks from secret members of an object: a masked member stays unchanged on update, and is a fault on create.
 */
function withoutMasks(field: Field, value: Json, at: string, operation: 'create' | 'update', faults: Faults): Json {
  if (!isObject(value) || field.secretMembers === undefined) return value;
  const masked = field.secretMembers.filter((member) => Object.hasOwn(value, member) && value[member] === mask);
  if (operation === 'create')
    for (const member of masked) faults.add(`${at}.${member}`, 'is the mask of a secret, not a secret');
  return Object.fromEntries(Object.entries(value).filter(([name]) => !masked.includes(name)));
}

/** Renames properties sent under an alias. */
function renamed(resource: Declaration, properties: JsonObject, faults: Faults): JsonObject {
  const aliases = Object.entries(properties).flatMap(([name, value]) => {
    const target = Object.hasOwn(resource.fields, name) ? resource.fields[name]?.aliasOf : undefined;
    return target === undefined ? [] : [{ name, target, value }];
  });
  if (aliases.length === 0) return properties;
  for (const { name, target, value } of aliases)
    if (value !== null && !sameJson(properties[target] ?? value, value))
      faults.add(`properties.${name}`, `is another name of ${target} and has another value; send one of the two`);
  const named = Object.entries(properties).filter(([name]) => !aliases.some((alias) => alias.name === name));
  return { ...Object.fromEntries(aliases.map(({ target, value }) => [target, value])), ...Object.fromEntries(named) };
}

/** Checks the `properties` of a create or update against the declaration. specification/operations#properties */
export function checkProperties(
  resource: Declaration,
  operation: 'create' | 'update',
  sent: JsonObject,
  faults: Faults,
): Properties {
  const properties = renamed(resource, sent, faults);
  const set: Record<string, Json> = {};
  const echoes: Record<string, Json> = {};
  const known = knownNames(resource);
  for (const [name, value] of Object.entries(properties)) {
    const at = `properties.${name}`;
    const field = known.includes(name) ? resource.fields[name] : undefined;
    if (Object.hasOwn(resource.embeds ?? {}, name)) echoes[name] = value;
    else if (field === undefined && isWarningMember(name)) continue;
    else if (field === undefined)
      faults.add(at, () => unknownWord(name, writableNames(resource, operation, properties)), 'field_unknown');
    else if (!accepted(field, undefined).includes(operation)) echoes[name] = withObjects(field, value);
    else if (isMask(field, value)) {
      if (operation === 'create') faults.add(at, 'is the mask of a secret, not a secret');
    } else if (value === null && field.required) faults.add(at, 'is required and cannot be null');
    else set[name] = withoutMasks(field, checkField(field, value, at, faults), at, operation, faults);
  }
  if (operation === 'create') {
    for (const name of requiredNames(resource)) {
      if (!Object.hasOwn(properties, name)) faults.add(`properties.${name}`, 'is required');
    }
  }
  return { set, echoes };
}

/** True if a field applies to a variety of its resource. */
export const applies = (field: Field, variety: string | undefined): boolean =>
  field.of === undefined || (variety !== undefined && field.of.includes(variety));

/** Returns the variety of a record, such as `dataset`; undefined if the resource has none. */
export function varietyOf(resource: Declaration, record: JsonObject): string | undefined {
  const value = resource.variety === undefined ? undefined : record[resource.variety.field];
  return typeof value === 'string' ? value : undefined;
}

/** Returns why an operation cannot set a field. */
function readOnlyReason(resource: Declaration, field: Field | undefined, variety: string | undefined): string {
  if (field === undefined) return 'is set by the service';
  if (!applies(field, variety)) return `does not apply to ${withArticle(variety ?? resource.name)}`;
  return accepted(field, variety).length === 0 ? 'is set by the service' : 'cannot be changed by an update';
}

/**
 * Checks properties against the stored record. A read-only field may be sent back with its current value. Returns the
 * properties to set.
 */
export function checkAgainst(
  resource: Declaration,
  operation: 'create' | 'update',
  properties: Properties,
  record: JsonObject,
  faults: Faults,
): JsonObject {
  const variety = varietyOf(resource, record);
  const settable = ([name]: readonly [string, Json]): boolean => {
    const field = resource.fields[name];
    return field !== undefined && accepted(field, variety).includes(operation);
  };
  const set = Object.entries(properties.set);
  const echoes = [...Object.entries(properties.echoes), ...set.filter((entry) => !settable(entry))];
  for (const [name, value] of echoes) {
    if (sameJson(value, record[name] ?? null)) continue;
    const field = resource.fields[name];
    // For an unknown variety, which is reported as a fault of its own, the fields cannot be checked.
    if (field?.of !== undefined && variety !== undefined && resource.variety?.of.includes(variety) !== true) continue;
    const rest = operation === 'create' ? 'leave it out' : 'leave it out or send it as it is';
    faults.add(`properties.${name}`, `${readOnlyReason(resource, field, variety)}; ${rest}`, 'field_read_only');
  }
  return Object.fromEntries(set.filter(settable));
}

/** Returns the default value of a field. */
export const initialOf = (field: Field, variety: string | undefined): Json =>
  applies(field, variety) ? field.default : null;

const newRecord = ({ fields, variety: declared }: Declaration, variety: string | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, field]) => field.hidden !== true && field.transient !== true)
      .map(([name, field]) => [
        name,
        variety !== undefined && name === declared?.field ? variety : initialOf(field, variety),
      ]),
  );

const newRecords = derived(
  (resource): ReadonlyMap<string | undefined, JsonObject> =>
    new Map([undefined, ...(resource.variety?.of ?? [])].map((variety) => [variety, newRecord(resource, variety)])),
);

/** Returns the visible fields of a new record of a variety with their default values. */
export const freshRecord = (resource: Declaration, variety: string | undefined): JsonObject =>
  newRecords(resource).get(variety) ?? newRecord(resource, variety);

/** Applies properties to a record: null resets to the default, merged objects are merged by member. */
export function withProperties(resource: Declaration, record: JsonObject, set: JsonObject): JsonObject {
  const variety = varietyOf(resource, record);
  const changed: Record<string, Json> = { ...record };
  for (const [name, value] of Object.entries(set)) {
    const field = resource.fields[name];
    if (field === undefined || field.hidden === true || field.transient === true) continue;
    const stored = changed[name] ?? null;
    if (value === null) changed[name] = initialOf(field, variety);
    else if (field.merged === true && isObject(value) && isObject(stored)) changed[name] = { ...stored, ...value };
    else changed[name] = value;
  }
  return changed;
}
