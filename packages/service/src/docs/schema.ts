import { inWords, objectOr, withArticle, type Json, type JsonObject } from '@inlay/contract';
import { findable, writeOnly } from '../search/read-where.ts';
import { aliasOf } from '../search/read.ts';
import type { Association, Resource } from '../resource/define.ts';
import { explanationShape } from '../declare/explanation.ts';
import type { Field, Fields } from '../declare/fields.ts';
import { kinds } from '../declare/kinds.ts';
import { accepted, applies, initialOf } from '../declare/properties.ts';
import { roleNames, storedSide, type Registry } from '../resource/registry.ts';
import { searchedFields } from '../resource/tables.ts';
import { warningMembers } from '../declare/warnings.ts';

/** Returns the name of a component, such as `Embedfiltergroup` for `embedfiltergroup`. */
export const componentOf = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns a reference to a component schema of the OpenAPI description. */
export const schemaRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

const uuid: JsonObject = { type: 'string', format: 'uuid' };

export function nullable(schema: JsonObject): JsonObject {
  const { type, enum: words, anyOf, ...otherKeywords } = schema;
  if (Array.isArray(anyOf)) return { ...otherKeywords, anyOf: [...anyOf, { type: 'null' }] };
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  const alsoNull = Array.isArray(words) ? { enum: [...words, null] } : {};
  return { ...otherKeywords, type: [type, 'null'], ...alsoNull };
}

const membersOf = ({ members, shape = {} }: Field): JsonObject =>
  members === undefined
    ? {}
    : {
        properties: { ...Object.fromEntries(members.map((name) => [name, {}])), ...objectOr(shape['properties']) },
        additionalProperties: false,
      };

/** Returns the name of the component with a field's values, such as `SecurableType`. */
const valuesName = ({ name: resource }: Resource, name: string): string =>
  [resource, ...name.split('_')].map(componentOf).join('');

/**
 * Returns the schema of a field without its limits. A titled schema becomes the only member of a choice, so that the
 * field can have a description of its own.
 */
function bareSchema({ kind, shape, values: words }: Field, name: string | undefined): JsonObject {
  const { schema: ofKind }: { schema: JsonObject } = kinds[kind];
  const schema = shape?.['title'] === undefined ? { ...ofKind, ...shape } : shape;
  const withValues =
    words === undefined ? schema : { ...schema, ...(name === undefined ? {} : { title: name }), enum: words };
  return withValues['title'] === undefined ? withValues : { anyOf: [withValues] };
}

/** True if a regular expression works in validators of every language. Many languages lack Unicode classes. */
const isPortable = ({ source }: RegExp): boolean => !source.includes(String.raw`\p{`);

/**
 * Returns the JSON schema of a field that is not null, including limits of texts and numbers. `valuesAs` is the name of
 * the component with its values.
 */
function fieldSchema(field: Field, valuesAs?: string): JsonObject {
  const { kind, description: sentence, values: words, pattern, minimum, maximum, whole } = field;
  const isLong = words === undefined && (kind === 'text' || kind === 'secret');
  const { maxLength = isLong ? 10_000 : undefined } = field;
  return {
    ...bareSchema(field, valuesAs),
    ...(whole === true ? { type: 'integer' } : {}),
    description: sentence,
    ...(pattern === undefined || !isPortable(pattern.expression) ? {} : { pattern: pattern.expression.source }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...membersOf(field),
  };
}

/** Returns the fields of a resource's records, in order. */
export const shownFields = (resource: Resource): readonly (readonly [string, Field])[] =>
  Object.entries(resource.fields).filter(([, { hidden, transient }]) => hidden !== true && transient !== true);

/** Returns the schema of a field in a record. If the field does not apply to the variety, only null is valid. */
function shownSchema(name: string, field: Field, resource: Resource, variety: string | undefined): JsonObject {
  const { description: sentence, kind } = field;
  if (variety !== undefined && !applies(field, variety)) {
    return { type: 'null', description: `${sentence} Null for ${withArticle(variety)}.` };
  }
  if (variety !== undefined && name === resource.variety?.field) return { const: variety, description: sentence };
  const schema = fieldSchema(field, valuesName(resource, name));
  const withTimePattern = kind === 'timestamp' ? { ...schema, pattern: '\\.\\d{3}Z$' } : schema;
  const withMaskNote =
    kind === 'secret'
      ? { ...withTimePattern, description: `${sentence} \`********\` where one is stored.` }
      : withTimePattern;
  return name === 'id' ? { ...withMaskNote, readOnly: true } : nullable(withMaskNote);
}

const closedObject = (properties: JsonObject, requiredNames: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  required: requiredNames,
  additionalProperties: false,
});

/** Returns the schema of a complete record. It has every field; an unset field is null. */
export function recordSchema(resource: Resource, variety?: string): JsonObject {
  const fields = shownFields(resource).map(([name, field]) => [name, shownSchema(name, field, resource, variety)]);
  const embedSchemas = Object.entries(resource.embeds ?? {}).map(([alias, target]) => [
    alias,
    schemaRef(componentOf(target)),
  ]);
  const properties: JsonObject = Object.fromEntries([...fields, ...embedSchemas]);
  const warnings: JsonObject = resource.warns === undefined ? {} : warningMembers;
  return {
    description: resource.description,
    ...closedObject({ ...properties, ...warnings }, Object.keys(properties)),
  };
}

/** Returns the schema of included records under an alias: a record or a list of records. */
function includedSchema({ to, relation: through, single }: Association): JsonObject {
  const row = schemaRef(`${componentOf(to)}Row`);
  const isSingle = through.kind === 'reference' || single === true;
  return isSingle ? { anyOf: [row, { type: 'null' }] } : { type: 'array', items: row };
}

/** Returns the schema of a record in a search result, which has the requested attributes and includes. */
export function rowSchema(resource: Resource, record: JsonObject): JsonObject {
  const properties: Record<string, Json> = { ...objectOr(record['properties']) };
  for (const [role, association] of Object.entries(resource.associations ?? {})) {
    properties[aliasOf(resource, role)] = includedSchema(association);
  }
  const explanation: JsonObject = resource.explainedTo === undefined ? {} : { explanation: explanationShape };
  const link = { type: 'object', description: 'Of an included record: the flags and properties of its link.' };
  return {
    description: `${resource.description} As searches show it.`,
    ...closedObject({ ...properties, link, ...explanation }, ['id']),
  };
}

/** Appends the default value to the description of a schema, if there is one. */
export function withDefault({ description = '' }: JsonObject, defaultValue: Json): JsonObject {
  const initialText = JSON.stringify(defaultValue);
  return initialText.length > 200 ? {} : { description: `${inWords(description)} Default: \`${initialText}\`.`.trim() };
}

/** Returns the schema of a field in a request. If the field accepts durations, text is also valid. */
function sentSchema(field: Field, valuesAs: string): JsonObject {
  const { description: sentence = '', ...schema } = fieldSchema(field, valuesAs);
  const choice = field.durations === true ? { anyOf: [schema, { type: 'string' }] } : schema;
  return { ...choice, description: sentence };
}

/** Returns the schema of the properties of a create or an update. */
export function propertiesSchema(resource: Resource, operation: 'create' | 'update', variety?: string): JsonObject {
  const openFields = Object.entries(resource.fields).filter(([, field]) =>
    accepted(field, variety).includes(operation),
  );
  const properties = openFields.map(([name, field]) => {
    const schema = sentSchema(field, valuesName(resource, name));
    const defaultValue = initialOf(field, variety);
    const defaultKeyword = operation === 'update' || defaultValue === null ? {} : { default: defaultValue };
    return [name, field.required ? schema : { ...nullable(schema), ...defaultKeyword }];
  });
  const requiredNames = openFields
    .filter(([, field]) => operation === 'create' && field.required)
    .map(([name]) => name);
  return {
    description: `What ${operation === 'create' ? 'a create' : 'an update'} of ${variety ?? resource.name} accepts.`,
    ...closedObject(Object.fromEntries(properties), requiredNames),
  };
}

const fieldsSchema = (fields: Fields): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, nullable(fieldSchema(field))]));

export const deleteSchema = ({ deletes = {} }: Resource): JsonObject => closedObject(fieldsSchema(deletes), []);

/**
 * Returns a schema that requires at least one of the named members. Generators would read `required` in a choice as a
 * separate type for any value.
 */
export const oneOfThem = (names: readonly string[]): JsonObject => ({
  not: { propertyNames: { not: { enum: names } } },
});

/** Returns the schema of the flags and properties of a link. */
export function linkSchema(registry: Registry, association: Association): JsonObject {
  const { levels, properties = {} } = storedSide(registry, association);
  const flags = Object.keys(levels?.flags ?? {});
  const needsFlag = levels !== undefined && levels.default === undefined;
  return {
    ...closedObject(
      { ...Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' }])), ...fieldsSchema(properties) },
      [],
    ),
    ...(needsFlag ? oneOfThem(flags) : {}),
  };
}

/** Returns the writable associations of a resource, or of one of its varieties. */
export const openAssociations = (resource: Resource, variety?: string): readonly (readonly [string, Association])[] =>
  roleNames(resource).flatMap((role) => {
    const association = resource.associations?.[role];
    const fits = variety === undefined || association?.of === undefined || association.of.includes(variety);
    return association === undefined || association.readOnly === true || !fits ? [] : [[role, association] as const];
  });

/** Returns the schema of an entry of `associations` in a create. `link` is the schema of flags and properties. */
export function associationSchema(resource: Resource, link: JsonObject, variety?: string): JsonObject {
  const roles = openAssociations(resource, variety).map(([role]) => role);
  return {
    description: `What a new ${variety ?? resource.name} can be linked to in the same request.`,
    ...closedObject({ role: { enum: roles }, id: uuid, properties: link }, ['role', 'id']),
  };
}

export function findSchema(resource: Resource): JsonObject {
  const texts = searchedFields(resource);
  const names = [...new Set([...findable(resource), ...writeOnly(resource), ...Object.keys(resource.embeds ?? {})])];
  const models = Object.keys(resource.associations ?? {});
  const phrase = closedObject(
    { keyphrase: { type: 'string', maxLength: 500 }, match_types: { type: 'array', items: { enum: texts } } },
    [],
  );
  const members: Readonly<Record<string, JsonObject>> = {
    where: schemaRef('Where'),
    ...(texts.length === 0 ? {} : { search: phrase }),
    ...(models.length === 0
      ? {}
      : {
          include: {
            type: 'array',
            maxItems: 30,
            items: schemaRef('Include'),
            description: `Associations: ${models.join(', ')}.`,
          },
        }),
    attributes: { type: 'array', items: { enum: names } },
    order: schemaRef('Order'),
    limit: { type: 'integer', minimum: 0, maximum: 10_000, description: 'Default: 1000.' },
    offset: { type: 'integer', minimum: 0, description: 'Default: 0.' },
    count: { type: 'boolean', description: 'If false, nothing is counted and `count` is null. Default: true.' },
  };
  // A member that is null means the same as one that is absent.
  return closedObject(
    Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, nullable(schema)])),
    [],
  );
}
