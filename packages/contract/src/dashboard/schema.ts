import { newestContents } from '../contents.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Member, MemberKind, Members } from '../members/member.ts';
import { contentsMembers } from './members.ts';

const schemaOfKind: Readonly<Record<Exclude<MemberKind, object>, JsonObject>> = {
  text: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  words: { anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: { type: 'string' } }] },
  color: { type: 'string' },
  quantity: { type: ['number', 'string'] },
  any: {},
};

function kindSchema(kind: MemberKind): JsonObject {
  if (typeof kind === 'string') return schemaOfKind[kind];
  if (!('each' in kind)) return membersSchema(kind);
  return { type: 'array', items: typeof kind.each === 'object' ? membersSchema(kind.each) : schemaOfKind[kind.each] };
}

/** Extends a schema to allow null, which means the same as a missing member. */
function orNull(schema: JsonObject): JsonObject {
  const { type, anyOf, ...otherKeywords } = schema;
  if (Array.isArray(anyOf)) return { ...otherKeywords, anyOf: [...anyOf, { type: 'null' }] };
  if (type === undefined) return schema;
  return { ...otherKeywords, type: [...(Array.isArray(type) ? type : [type]), 'null'] };
}

function memberSchema({ kind, description, values, default: initial, required, whole }: Member): JsonObject {
  const kindOwnSchema = whole === undefined ? kindSchema(kind) : { type: 'integer', minimum: whole };
  const schema = required === true ? kindOwnSchema : orNull(kindOwnSchema);
  const allowedValues: readonly Json[] | undefined =
    values === undefined ? undefined : required === true ? values : [...values, null];
  return {
    description,
    ...(allowedValues === undefined ? schema : { enum: allowedValues }),
    ...(initial === undefined ? {} : { default: initial }),
  };
}

/** Returns the JSON Schema of an object with these members. It allows further members. */
export function membersSchema({ members }: Members): JsonObject {
  const requiredNames = Object.entries(members).flatMap(([name, value]) =>
    value.required === true && value.unless === undefined ? [name] : [],
  );
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(members).map(([name, value]) => [name, memberSchema(value)])),
    ...(requiredNames.length === 0 ? {} : { required: requiredNames }),
  };
}

/** Returns the JSON Schema (2020-12) of the newest structure of contents. */
export const contentsSchema = (): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: `Contents of a dashboard, structure ${newestContents}`,
  ...membersSchema(contentsMembers),
});
