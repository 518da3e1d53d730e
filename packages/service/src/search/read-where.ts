import {
  inWords,
  isLanguage,
  isList,
  isObject,
  isUuid,
  parseTimestamp,
  unknownWord,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import type { Faults } from '../problems/problem.ts';
import type { Resource } from '../resource/define.ts';
import type { Field } from '../declare/fields.ts';
import { kinds } from '../declare/kinds.ts';
import { accepted } from '../declare/properties.ts';
import { operators, type Comparable, type Condition, type Operator } from './find.ts';

/** Limits of a `where`. specification/search#where */
const maxDepth = 8;
const maxConditions = 200;
const longestList = 10_000;
/**
 * Maximum number of wildcards in all patterns of one `find`. Matching takes time proportional to their number times the
 * length of the texts.
 */
const maxWildcards = 100;

/** Fields that a search can use: readable and not secret. specification/search#visibility */
export const findable = (resource: Resource): readonly string[] =>
  Object.entries(resource.fields)
    .filter(
      ([, field]) =>
        field.hidden !== true && field.transient !== true && field.kind !== 'secret' && field.kind !== 'sealed',
    )
    .map(([name]) => name);

/** Returns the write-only fields of a resource. An answer shows them masked or not at all. */
export const writeOnly = (resource: Resource): readonly string[] =>
  Object.entries(resource.fields)
    .filter(
      ([, field]) =>
        field.kind === 'secret' ||
        field.kind === 'sealed' ||
        (field.hidden === true && accepted(field, undefined).length > 0),
    )
    .map(([name]) => name);

export interface NamedField {
  readonly name: string;
  readonly field: Field;
  readonly language: string | null;
}

/** Resolves a field by name, as a whole or by language: `name`, `name.en`. */
export function namedField(resource: Resource, word: string, at: string, faults: Faults): NamedField | undefined {
  const names = findable(resource);
  const dot = word.indexOf('.');
  const name = dot < 0 ? word : word.slice(0, dot);
  const field = names.includes(name) ? resource.fields[name] : undefined;
  if (field === undefined) {
    faults.add(at, () => unknownWord(name, names), 'find_invalid');
    return undefined;
  }
  if (dot < 0) return { name, field, language: null };
  const language = word.slice(dot + 1);
  if (field.kind === 'multilingual' && isLanguage(language)) return { name, field, language };
  faults.add(
    at,
    field.kind === 'multilingual'
      ? `names no language; write a language code, as in "${name}.en"`
      : `has no parts; use "${name}"`,
    'find_invalid',
  );
  return undefined;
}

const plainOperator = (word: string): Operator | undefined => {
  const operatorName = word.startsWith('$') ? word.slice(1) : word;
  return Object.hasOwn(operators, operatorName)
    ? Object.keys(operators).find((name): name is Operator => name === operatorName)
    : undefined;
};

/**
 * What all `where` conditions of one `find` use together. It is limited, since stores limit the number of bound values.
 */
export interface SearchUsage {
  terms: number;
  values: number;
  wildcards: number;
}

class Reader {
  readonly #resource: Resource;
  readonly #faults: Faults;
  readonly #spent: SearchUsage;

  constructor(resource: Resource, faults: Faults, usage: SearchUsage) {
    this.#resource = resource;
    this.#faults = faults;
    this.#spent = usage;
  }

  #fault(at: string, message: string): void {
    this.#faults.add(at, message, 'find_invalid');
  }

  /** Reads a scalar and checks it against the kind of the field. Returns undefined after a fault. */
  #scalar({ field }: NamedField, value: Json, at: string, pattern: boolean): Comparable | undefined {
    const { holds } = kinds[field.kind];
    if (value === null) return null;
    if (holds === 'boolean') {
      if (typeof value === 'boolean') return value ? 1 : 0;
      return this.#refuse(at, 'must be true, false or null');
    }
    if (holds === 'number') return typeof value === 'number' ? value : this.#refuse(at, 'must be a number or null');
    if (typeof value !== 'string' || value.length > 10_000)
      return this.#refuse(at, 'must be a text of at most 10000 characters, or null');
    if (pattern) return value;
    if (field.searchedAs !== undefined) return inWords(field.searchedAs(value));
    if (field.kind === 'timestamp')
      return (
        parseTimestamp(value) ??
        this.#refuse(at, 'must be an ISO 8601 time with a zone, such as "2026-01-31T09:30:00.000Z"')
      );
    const isId = kinds[field.kind].label.startsWith('UUID');
    if (isId) return isUuid(value) ? value.toLowerCase() : this.#refuse(at, 'must be a UUID');
    return value;
  }

  #refuse(at: string, message: string): undefined {
    this.#fault(at, message);
    return undefined;
  }

  #list(whereField: NamedField, value: Json, at: string): readonly Comparable[] {
    if (!isList(value) || value.length > longestList) {
      this.#fault(at, `must be a list of at most ${longestList}`);
      return [];
    }
    this.#spent.values += value.length;
    if (this.#spent.values > longestList) {
      this.#fault(at, `makes more than ${longestList} values in all lists together`);
      return [];
    }
    return value.flatMap(
      (item, index) => this.#scalar(whereField, item, `${at}[${index}]`, false) ?? (item === null ? [null] : []),
    );
  }

  #compare(whereField: NamedField, operator: Operator, value: Json, at: string): Condition {
    this.#spent.terms += 1;
    const compareWith = (values: readonly Comparable[]): Condition => ({
      kind: 'compare',
      field: whereField.name,
      language: whereField.language,
      operator,
      values,
    });
    const takes = operators[operator];
    if (takes === 'flag') {
      if (typeof value !== 'boolean') this.#fault(at, 'must be true or false');
      return compareWith([value === true ? 1 : 0]);
    }
    const { holds } = kinds[whereField.field.kind];
    if (holds === null && !(takes === 'value' && value === null)) {
      this.#fault(at, 'can only be compared with null');
      return compareWith([null]);
    }
    if (takes === 'list') return compareWith(this.#list(whereField, value, at));
    if (takes === 'pair') {
      const pair = this.#list(whereField, value, at);
      if (pair.length !== 2 || pair.includes(null)) this.#fault(at, 'must be a list of two values, the lower first');
      return compareWith(pair);
    }
    const isText = takes === 'pattern' || takes === 'text';
    if (isText && holds !== 'text') this.#fault(at, 'can only be used on texts');
    const scalar = this.#scalar(whereField, value, at, isText);
    if (scalar === null && takes !== 'value') this.#fault(at, 'must not be null; use isNull');
    if (takes === 'pattern' && typeof scalar === 'string') this.#wildcards(scalar, at);
    if (takes === 'pattern' && typeof scalar === 'string' && /(?<!\\)(?:\\\\)*\\$/u.test(scalar)) {
      this.#fault(at, 'must not end with a single backslash; write two for the sign itself');
    }
    return compareWith([scalar ?? null]);
  }

  #wildcards(pattern: string, at: string): void {
    this.#spent.wildcards += pattern.replaceAll(/\\./gsu, '').replaceAll(/[^%_]/gu, '').length;
    if (this.#spent.wildcards > maxWildcards)
      this.#fault(at, `makes more than ${maxWildcards} of the signs % and _ in all patterns together`);
  }

  #field(word: string, value: Json, at: string): Condition {
    const whereField = namedField(this.#resource, word, at, this.#faults);
    if (whereField === undefined) return { kind: 'and', of: [] };
    if (isList(value)) return this.#compare(whereField, 'in', value, at);
    if (!isObject(value)) return this.#compare(whereField, 'eq', value, at);
    const entries = Object.entries(value);
    if (entries.length === 0) this.#fault(at, 'needs a value or an operator');
    const of = entries.map(([name, operand]): Condition => {
      const operator = plainOperator(name);
      if (operator !== undefined) return this.#compare(whereField, operator, operand, `${at}.${name}`);
      const isOfLanguage = whereField.field.kind === 'multilingual' && whereField.language === null && isLanguage(name);
      this.#fault(
        `${at}.${name}`,
        isOfLanguage
          ? `is a language; write "${whereField.name}.${name}" for it`
          : unknownWord(name, Object.keys(operators)),
      );
      return { kind: 'and', of: [] };
    });
    return { kind: 'and', of };
  }

  #members(where: JsonObject, at: string, depth: number): Condition {
    if (depth > maxDepth) {
      this.#fault(at, `is nested more than ${maxDepth} deep`);
      return { kind: 'and', of: [] };
    }
    const of = Object.entries(where).map(([word, value]): Condition => {
      if (this.#spent.terms > maxConditions) return { kind: 'and', of: [] };
      const place = `${at}.${word}`;
      const group = /^\$?(and|or|not)$/u.exec(word)?.[1];
      if (group === undefined) return this.#field(word, value, place);
      return this.#group(group === 'not' ? 'not' : group === 'or' ? 'or' : 'and', value, place, depth + 1);
    });
    return { kind: 'and', of };
  }

  #group(kind: 'and' | 'or' | 'not', value: Json, at: string, depth: number): Condition {
    const parts = isList(value) ? value : [value];
    if (parts.length === 0) this.#fault(at, 'must not be empty');
    const of = parts.slice(0, maxConditions + 1).map((part, index) => {
      const place = isList(value) ? `${at}[${index}]` : at;
      if (isObject(part) && Object.keys(part).length > 0) {
        if (kind !== 'or' || isList(value)) return this.#members(part, place, depth);
        const members = this.#members(part, place, depth);
        return members.kind === 'and' ? { kind: 'or' as const, of: members.of } : members;
      }
      this.#fault(place, 'must be an object with at least one member');
      return { kind: 'and' as const, of: [] };
    });
    return kind === 'not' ? { kind: 'not', of: { kind: 'and', of } } : { kind, of };
  }

  read(where: JsonObject, at: string): Condition {
    const condition = this.#members(where, at, 0);
    if (this.#spent.terms > maxConditions) this.#fault(at, `has more than ${maxConditions} terms`);
    return condition;
  }
}

/** Reads a `where`, and records each fault at its path. All `where` conditions of a `find` share one usage. */
export const readWhere = (
  resource: Resource,
  where: JsonObject,
  at: string,
  faults: Faults,
  usage: SearchUsage = { terms: 0, values: 0, wildcards: 0 },
): Condition => new Reader(resource, faults, usage).read(where, at);
