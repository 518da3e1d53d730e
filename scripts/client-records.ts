import { isList, isObject, listIn, member, objectIn, type Json, type JsonObject } from '@inlay/contract';

/** Schemas whose members the documents describe and whose values programs build themselves. */
const plainObjects = new Set(['DashboardContents', 'Where', 'Include']);

const refOf = (schema: JsonObject): string | null => {
  const ref = member(schema, '$ref');
  return typeof ref === 'string' ? ref.slice(ref.lastIndexOf('/') + 1) : null;
};

const comment = (schema: JsonObject, indent: string): string => {
  const text = member(schema, 'description');
  return typeof text === 'string' ? `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/gu, ' ')} */\n` : '';
};

/** Writes JSON Schemas of an OpenAPI document as types of TypeScript. */
class TypeWriter {
  readonly #schemas: JsonObject;
  readonly #written = new Map<string, string>();

  constructor(schemas: JsonObject) {
    this.#schemas = schemas;
  }

  /** Returns the declarations so far. */
  declarations(): string {
    return [...this.#written.values()].join('\n');
  }

  /** Declares a schema, with the schemas that it names. */
  declare(name: string): string {
    if (plainObjects.has(name)) return 'JsonObject';
    if (!this.#written.has(name)) {
      this.#written.set(name, '');
      const schema = objectIn(this.#schemas, name);
      this.#written.set(name, `${comment(schema, '')}export type ${name} = ${this.#typeOf(schema, '')};\n`);
    }
    return name;
  }

  /** Returns the type of a schema, and declares the schemas that it names. */
  typeOf(schema: Json): string {
    return this.#typeOf(schema, '');
  }

  #typeOf(schema: Json | undefined, indent: string): string {
    if (!isObject(schema)) return 'Json';
    const ref = refOf(schema);
    if (ref !== null) return this.declare(ref);
    const either = ['anyOf', 'oneOf'].map((name) => listIn(schema, name)).find((list) => list.length > 0);
    if (either !== undefined) return this.#union(either.map((one) => this.#typeOf(one, indent)));
    const constant = member(schema, 'const');
    if (constant !== undefined) return JSON.stringify(constant);
    const values = listIn(schema, 'enum');
    if (values.length > 0) return this.#union(values.map((value) => JSON.stringify(value)));
    const type = member(schema, 'type');
    return this.#union((isList(type) ? type : [type]).map((one) => this.#named(one, schema, indent)));
  }

  #union(types: readonly string[]): string {
    return [...new Set(types)].join(' | ') || 'Json';
  }

  #named(type: Json | undefined, schema: JsonObject, indent: string): string {
    switch (type) {
      case 'string':
      case 'boolean':
      case 'null':
        return type;
      case 'integer':
      case 'number':
        return 'number';
      case 'array':
        return `readonly (${this.#typeOf(member(schema, 'items'), indent)})[]`;
      case 'object':
        return this.#object(schema, indent);
      default:
        return 'Json';
    }
  }

  #object(schema: JsonObject, indent: string): string {
    const members = Object.entries(objectIn(schema, 'properties'));
    const further = member(schema, 'additionalProperties');
    if (members.length === 0)
      return isObject(further) ? `{ readonly [name: string]: ${this.#typeOf(further, indent)} }` : 'JsonObject';
    const required = listIn(schema, 'required');
    const inner = `${indent}  `;
    const lines = members.map(([name, value]) => {
      const key = /^[a-z_]\w*$/iu.test(name) ? name : JSON.stringify(name);
      const text = isObject(value) ? comment(value, inner) : '';
      return `${text}${inner}readonly ${key}${required.includes(name) ? '' : '?'}: ${this.#typeOf(value, inner)};`;
    });
    return `{\n${lines.join('\n')}\n${indent}}`;
  }
}

/** The suffixes of the schemas of a resource; of several, the first that it has. */
const parts = { record: [''], create: ['Create'], update: ['Update'], created: ['Created', ''] } as const;

/** Returns the types of the resources of an OpenAPI document, for its clients. */
export function clientRecords(openApi: JsonObject): string {
  const schemas = objectIn(objectIn(openApi, 'components'), 'schemas');
  const writer = new TypeWriter(schemas);
  const resources = Object.keys(objectIn(openApi, 'paths')).flatMap(
    (path) => /^\/[\d.]+\/(\w+)$/u.exec(path)?.[1] ?? [],
  );
  const table = resources.flatMap((name) => {
    const schema = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
    if (!Object.hasOwn(schemas, schema)) return [];
    const types = Object.entries(parts).map(([part, suffixes]) => {
      const suffix = suffixes.find((one) => Object.hasOwn(schemas, `${schema}${one}`));
      return `readonly ${part}: ${suffix === undefined ? 'never' : writer.declare(`${schema}${suffix}`)};`;
    });
    const explained = member(objectIn(objectIn(schemas, `${schema}Row`), 'properties'), 'explanation');
    const explanation = explained === undefined ? [] : [`readonly explanation: ${writer.typeOf(explained)};`];
    return [`  readonly ${name}: { ${[...types, ...explanation].join(' ')} };`];
  });
  return `// Written by \`npm run docs\` from the declarations of the resources.
import type { Json, JsonObject } from '@inlay/contract';

/**
 * By resource: a record, the properties that a create and an update take, the record that a create returns, and the
 * explanation of access to a record.
 */
export interface Resources {
${table.join('\n')}
}

${writer.declarations()}`;
}
