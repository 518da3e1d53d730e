import {
  emptyListAsObject,
  fold,
  inWords,
  isList,
  isObject,
  oneOf,
  unknownWord,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import type { Faults } from '../problems/problem.ts';
import type { Resource } from '../resource/define.ts';
import { kinds } from '../declare/kinds.ts';
import type { Registry } from '../resource/registry.ts';
import { searchedFields } from '../resource/tables.ts';
import { everything, type Find, type Include, type Order } from './find.ts';
import { findable, namedField, writeOnly, readWhere, type SearchUsage } from './read-where.ts';

/** The members of `find`. */
export const findMembers: readonly string[] = [
  'where',
  'search',
  'include',
  'attributes',
  'order',
  'limit',
  'offset',
  'count',
] as const;
const includeMembers = [
  'model',
  'as',
  'attributes',
  'where',
  'required',
  'jointype',
  'order',
  'limit',
  'include',
] as const;
/** Words that clients use instead of `required`: true if the word means a required include. */
const joinTypes: Readonly<Record<string, boolean>> = { inner: true, left: false };

/** Limits of pages: specification/search#order-and-pages */
const limits = { initial: 1000, most: 10_000, offset: 1_000_000_000 } as const;
/** Limits of includes: specification/search#includes */
const includeDeepest = 3;
const includeMost = 30;

/**
 * Returns the name of included rows in the answer, such as `embedFilterGroups` for `EmbedFilterGroups`. An "s" is
 * appended if the record already has a member of that name.
 */
export function aliasOf({ fields, embeds = {} }: Resource, role: string): string {
  const alias = role.charAt(0).toLowerCase() + role.slice(1);
  return Object.hasOwn(fields, alias) || Object.hasOwn(embeds, alias) ? `${alias}s` : alias;
}

const isUnset = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  (isObject(value) && Object.keys(value).length === 0) ||
  (isList(value) && value.length === 0);

function unknownMembers(object: JsonObject, knownNames: readonly string[], at: string, faults: Faults): void {
  for (const name of Object.keys(object))
    if (!knownNames.includes(name)) faults.add(`${at}.${name}`, () => unknownWord(name, knownNames), 'find_invalid');
}

function whole(value: Json | undefined, fallback: number, max: number, at: string, faults: Faults): number {
  if (value === undefined || value === null) return fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max) return value;
  faults.add(at, `must be a whole number from 0 to ${max}`, 'find_invalid');
  return fallback;
}

function attributes(resource: Resource, value: Json | undefined, at: string, faults: Faults): readonly string[] | null {
  if (isUnset(value)) return null;
  const knownNames = [...findable(resource), ...writeOnly(resource), ...Object.keys(resource.embeds ?? {})];
  if (!isList(value) || value.length > 200) {
    faults.add(at, 'must be a list of field names', 'find_invalid');
    return null;
  }
  return value.flatMap((name, index) => {
    // A write-only field is accepted. If the record has no value in it, the answer shows no mask.
    if (typeof name === 'string' && knownNames.includes(name))
      return resource.fields[name]?.hidden === true ? [] : name;
    faults.add(
      `${at}[${index}]`,
      typeof name === 'string' ? unknownWord(name, knownNames) : 'must be a field name',
      'find_invalid',
    );
    return [];
  });
}

const isDirection = (value: Json | undefined): boolean => typeof value === 'string' && /^(?:asc|desc)$/iu.test(value);

function orderOf(resource: Resource, value: Json, at: string, faults: Faults): Order[] {
  const [name, direction = 'asc'] = typeof value === 'string' ? [value] : isList(value) ? value : [];
  if (isList(value) && (isObject(name ?? null) || value.length > 2)) {
    faults.add(
      at,
      'orders by a field of the record itself; to order included records, write "order" inside their include',
      'find_invalid',
    );
    return [];
  }
  if (typeof name !== 'string' || !isDirection(direction) || (isList(value) && value.length > 2)) {
    faults.add(at, 'must be a field name, or [field, "asc" or "desc"]', 'find_invalid');
    return [];
  }
  const orderField = namedField(resource, name, at, faults);
  if (orderField === undefined) return [];
  if (kinds[orderField.field.kind].holds === null) {
    faults.add(at, 'holds no text, number, time or flag, so nothing is ordered by it', 'find_invalid');
    return [];
  }
  return [
    { field: orderField.name, language: orderField.language, descending: inWords(direction).toLowerCase() === 'desc' },
  ];
}

function order(resource: Resource, value: Json | undefined, at: string, faults: Faults): readonly Order[] {
  if (value === undefined || isUnset(value)) return [];
  if (!isList(value) || value.length > 10) {
    faults.add(at, 'must be a list of at most 10 [field, "asc" or "desc"]', 'find_invalid');
    return [];
  }
  // Also accepts a single pair without an outer list.
  const flat = value.length === 2 && typeof value[0] === 'string' && isDirection(value[1]);
  return flat
    ? orderOf(resource, value, at, faults)
    : value.flatMap((entry, index) => orderOf(resource, entry, `${at}[${index}]`, faults));
}

function phrase(resource: Resource, value: Json | undefined, faults: Faults): Find['phrase'] {
  if (value === undefined || isUnset(value)) return null;
  const at = 'find.search';
  if (!isObject(value)) {
    faults.add(at, 'must be an object {keyphrase, match_types}', 'find_invalid');
    return null;
  }
  unknownMembers(value, ['keyphrase', 'match_types'], at, faults);
  const { keyphrase, match_types: types } = value;
  const texts = searchedFields(resource);
  if (typeof keyphrase !== 'string' || keyphrase.length > 500) {
    faults.add(`${at}.keyphrase`, 'must be a text of at most 500 characters', 'find_invalid');
    return null;
  }
  if (texts.length === 0) {
    faults.add(at, `${resource.name} has no text to search in`, 'find_invalid');
    return null;
  }
  const typeNames = isUnset(types)
    ? texts.filter((field) => field === 'name' || resource.fields[field]?.searched === 'always')
    : types;
  if (!isList(typeNames)) {
    faults.add(`${at}.match_types`, `must be a list of: ${texts.join(', ')}`, 'find_invalid');
    return null;
  }
  typeNames.forEach((field, index) => {
    if (!texts.some((text) => text === field))
      faults.add(`${at}.match_types[${index}]`, unknownWord(inWords(field), texts), 'find_invalid');
  });
  const words = fold(keyphrase)
    .split(/\s+/u)
    .filter((word) => word !== '');
  if (words.length > 20) faults.add(`${at}.keyphrase`, 'must have at most 20 words', 'find_invalid');
  const fields = texts.filter((text) => typeNames.includes(text));
  return words.length === 0 ? null : { words, fields };
}

type FoundAssociation = NonNullable<ReturnType<Registry['association']>>;

class Includes {
  #count = 0;
  readonly #registry: Registry;
  readonly #faults: Faults;
  readonly #spent: SearchUsage;

  constructor(registry: Registry, faults: Faults, usage: SearchUsage) {
    this.#registry = registry;
    this.#faults = faults;
    this.#spent = usage;
  }

  #association(resource: Resource, word: Json | undefined, at: string): FoundAssociation | undefined {
    const association = typeof word === 'string' ? this.#registry.association(resource, word) : undefined;
    if (association !== undefined) return association;
    const names = Object.keys(resource.associations ?? {});
    const message = typeof word === 'string' ? unknownWord(word, names) : oneOf(names, word);
    this.#faults.add(at, message, 'find_invalid');
    return undefined;
  }

  /** True if a word names the association, or the resource that it leads to, in singular or plural. */
  #isModelOf(resource: Resource, [role, { to }]: FoundAssociation, word: Json | undefined): boolean {
    if (typeof word !== 'string') return false;
    return word.toLowerCase().replace(/s$/u, '') === to || this.#registry.association(resource, word)?.[0] === role;
  }

  read(resource: Resource, value: Json | undefined, at: string, depth: number): readonly Include[] {
    if (value === undefined || isUnset(value)) return [];
    if (!isList(value) || depth > includeDeepest) {
      this.#faults.add(
        at,
        depth > includeDeepest ? `is nested more than ${includeDeepest} deep` : 'must be a list',
        'find_invalid',
      );
      return [];
    }
    return value.flatMap((entry, index) => this.#one(resource, entry, `${at}[${index}]`, depth));
  }

  #one(resource: Resource, value: Json, at: string, depth: number): Include[] {
    const faults = this.#faults;
    this.#count += 1;
    if (!isObject(value) || this.#count > includeMost) {
      faults.add(
        at,
        this.#count > includeMost ? `is more than ${includeMost}` : 'must be an object {model, …}',
        'find_invalid',
      );
      return [];
    }
    unknownMembers(value, includeMembers, at, faults);
    const { model, as, required } = value;
    const isNamed = as !== undefined && as !== null;
    const includedAssociation = this.#association(resource, isNamed ? as : model, isNamed ? `${at}.as` : `${at}.model`);
    if (includedAssociation === undefined) return [];
    if (isNamed && !this.#isModelOf(resource, includedAssociation, model)) {
      const fitting = [includedAssociation[0], includedAssociation[1].to].map((word) => `"${word}"`).join(' or ');
      faults.add(`${at}.model`, `must be ${fitting}, as \`as\` says`, 'find_invalid');
    }
    if (required !== undefined && typeof required !== 'boolean')
      faults.add(`${at}.required`, 'must be true or false', 'find_invalid');
    const joinType = value['jointype'] ?? null;
    const joins = typeof joinType === 'string' && Object.hasOwn(joinTypes, joinType) ? joinTypes[joinType] : undefined;
    if (joinType !== null && joins === undefined)
      faults.add(`${at}.jointype`, oneOf(Object.keys(joinTypes), joinType), 'find_invalid');
    if (joins !== undefined && typeof required === 'boolean' && joins !== required)
      faults.add(`${at}.jointype`, 'says something else than `required`', 'find_invalid');
    const [role, association] = includedAssociation;
    const target = this.#registry.resource(association.to);
    const where = emptyListAsObject(value['where']);
    if (!isUnset(where) && !isObject(where)) faults.add(`${at}.where`, 'must be an object', 'find_invalid');
    return [
      {
        alias: aliasOf(resource, role),
        role,
        association,
        target,
        attributes: attributes(target, value['attributes'], `${at}.attributes`, faults),
        where: isObject(where) ? readWhere(target, where, `${at}.where`, faults, this.#spent) : everything,
        required: required === true || joins === true,
        order: order(target, value['order'], `${at}.order`, faults),
        limit: whole(value['limit'], limits.initial, limits.most, `${at}.limit`, faults),
        include: this.read(target, value['include'], `${at}.include`, depth + 1),
      },
    ];
  }
}

function readCount(value: Json | undefined, faults: Faults): boolean {
  if (value === undefined || value === null || typeof value === 'boolean') return value !== false;
  faults.add('find.count', 'must be true or false', 'find_invalid');
  return true;
}

/** Reads a `find`; records each fault at its path. */
export function readFind(registry: Registry, resource: Resource, find: JsonObject, faults: Faults): Find {
  unknownMembers(find, findMembers, 'find', faults);
  const where = emptyListAsObject(find['where']);
  const usage: SearchUsage = { terms: 0, values: 0, wildcards: 0 };
  if (!isUnset(where) && !isObject(where)) faults.add('find.where', 'must be an object', 'find_invalid');
  return {
    where: isObject(where) ? readWhere(resource, where, 'find.where', faults, usage) : everything,
    phrase: phrase(resource, find['search'], faults),
    include: new Includes(registry, faults, usage).read(resource, find['include'], 'find.include', 1),
    attributes: attributes(resource, find['attributes'], 'find.attributes', faults),
    order: order(resource, find['order'], 'find.order', faults),
    limit: whole(find['limit'], limits.initial, limits.most, 'find.limit', faults),
    offset: whole(find['offset'], 0, limits.offset, 'find.offset', faults),
    count: readCount(find['count'], faults),
  };
}
