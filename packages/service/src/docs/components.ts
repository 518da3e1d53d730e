import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import { schemaRef, withDefault } from './schema.ts';

/** Keywords that contain schemas: a single schema, a list of schemas, or schemas by name. */
const places = {
  items: 'one',
  additionalProperties: 'one',
  propertyNames: 'one',
  not: 'one',
  anyOf: 'list',
  oneOf: 'list',
  allOf: 'list',
  properties: 'names',
  patternProperties: 'names',
} as const;

const isPlace = (keyword: string): keyword is keyof typeof places => Object.hasOwn(places, keyword);

/** Applies a change to each direct subschema. */
function withInner(schema: JsonObject, change: (inner: JsonObject) => JsonObject): JsonObject {
  const apply = (value: Json): Json => (isObject(value) ? change(value) : value);
  const changeAt = {
    one: apply,
    list: (value: Json): Json => (isList(value) ? value.map(apply) : value),
    names: (value: Json): Json =>
      isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, innerSchema]) => [name, apply(innerSchema)]))
        : value,
  } as const;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [
      keyword,
      isPlace(keyword) ? changeAt[places[keyword]](value) : value,
    ]),
  );
}

const typeOf = (value: Json): string => (value === null ? 'null' : Number.isInteger(value) ? 'integer' : typeof value);

function typesOf({ type, enum: words, const: only }: JsonObject): Json | undefined {
  if (type !== undefined) return type;
  const types = [...new Set((isList(words) ? words : only === undefined ? [] : [only]).map(typeOf))];
  return types.length > 1 ? types : types[0];
}

/** Makes null, if it is in an enumeration, a separate choice. */
function nullApart(schema: JsonObject): JsonObject {
  const { type: _type, enum: words, ...otherKeywords } = schema;
  if (!isList(words) || !words.includes(null)) return schema;
  return { ...otherKeywords, anyOf: [{ enum: words.filter((word) => word !== null) }, { type: 'null' }] };
}

const objectKeywords = ['properties', 'additionalProperties'];

/**
 * Adds what generators do not infer, without changing the accepted values: the type of constants and enumerations, and
 * that an object without described members accepts any members. Defaults become text, since generators treat a member
 * with a default as required.
 */
export function withTypes(schema: JsonObject): JsonObject {
  const { default: defaultValue = null, ...schemaWithTypes } = withInner(nullApart(schema), withTypes);
  const type = typesOf(schemaWithTypes);
  const isObjectHere = type === 'object' || (isList(type) && type.includes('object'));
  const isFree = isObjectHere && !objectKeywords.some((name) => Object.hasOwn(schemaWithTypes, name));
  return {
    ...(type === undefined ? {} : { type }),
    ...schemaWithTypes,
    ...(defaultValue === null ? {} : withDefault(schemaWithTypes, defaultValue)),
    ...(isFree ? { additionalProperties: true } : {}),
  };
}

/**
 * Adds types, makes every titled schema a component of that name, and puts a reference in its place. Generators name
 * classes after components, and some drop inline objects of a choice. Raises Error if two different schemas share a
 * name.
 */
export function withTitled(schemas: JsonObject): JsonObject {
  const titled = new Map<string, JsonObject>();
  const place = (schema: JsonObject): JsonObject => {
    const { title, ...untitled } = withInner(schema, place);
    if (typeof title !== 'string') return untitled;
    const knownSchema = titled.get(title) ?? untitled;
    if (JSON.stringify(knownSchema) !== JSON.stringify(untitled) || Object.hasOwn(schemas, title))
      throw new Error(`Two different schemas are named ${title}`);
    titled.set(title, untitled);
    return schemaRef(title);
  };
  const others = withInner(withInner({ properties: schemas }, withTypes), place)['properties'] ?? null;
  return { ...(isObject(others) ? others : {}), ...Object.fromEntries(titled) };
}
