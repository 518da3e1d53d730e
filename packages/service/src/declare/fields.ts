import type { Fault, Json, JsonObject } from '@inlay/contract';
import type { Right, Role } from './roles.ts';
import type { ProblemCode } from '../problems/catalogue.ts';
import type { ByVariety } from './variety.ts';
import type { Kind } from './kinds.ts';
import type { Warning } from './warning.ts';

export type Accept = readonly ('create' | 'update')[];

/** How to generate a value of a new record. */
export type GeneratedValue = 'now' | 'id' | 'caller' | 'organization' | 'suborganization' | 'slug';

/** Declares a field of a resource. Its check, column, schema and documentation are derived from this. */
export interface Field {
  readonly kind: Kind;
  /** One sentence for the reference pages. */
  readonly description: string;
  /** Operations that may set it; in others it is read-only. */
  readonly accept: ByVariety<Accept>;
  /** Value if not set, and after `null`. */
  readonly default: Json;
  readonly generated?: GeneratedValue;
  /** True if a create requires it. */
  readonly required: boolean;
  /** Stored in a column of its own: indexed, referenced, or needed for access checks. */
  readonly column: boolean;
  /** Has an index between organization and id, so that pages can be read in its order. */
  readonly paged?: true;
  /** Two records must not have the same value. */
  readonly unique?: true;
  /** Problem code for a duplicate. */
  readonly conflictCode?: ProblemCode;
  /** Allowed values. */
  readonly values?: readonly string[];
  readonly pattern?: { readonly expression: RegExp; readonly message: string };
  readonly minimum?: number;
  readonly maximum?: number;
  readonly whole?: true;
  /** Accepts a duration in words: for a time, the time that much after the write; for a number, its seconds. */
  readonly durations?: true;
  readonly maxLength?: number;
  /** Check in addition to kind and limits. */
  readonly check?: (value: Json, at: string, fault: Fault) => void;
  /** Converts a valid value to its stored form. */
  readonly stored?: (value: Json) => Json;
  /** Alternative input values, mapped to allowed values. */
  readonly aliases?: Readonly<Record<string, string>>;
  /**
   * Converts a path within the stored value to the path within the sent value: `[0].column_id`,
   * `[0].parameters[0].column_id`.
   */
  readonly placeAsSent?: (sent: Json, inside: string) => string;
  /** Converts a value before the check, such as a duration in words. */
  readonly reads?: (value: Json) => Json;
  /** Converts a search value to the stored form of a field whose values are never stored as sent. */
  readonly searchedAs?: (value: Json) => Json;
  /** Varieties of the resource that have it; null for others. */
  readonly of?: readonly string[];
  /**
   * For a reference: the target resource, the right that the caller needs on it, and the effect of deleting the target.
   */
  readonly to?: string;
  /** Required variety of the referenced record, such as `dataset`. */
  readonly targetOf?: string;
  readonly right?: Right;
  /** Reference whose target provides this value: changing the value requires the right to refer to the target. */
  readonly askedOf?: string;
  readonly onDelete?: 'refuse' | 'delete' | 'clear';
  /** Columns referenced in a value. Each must exist, and the caller must have *read* on its dataset. */
  readonly columns?: (value: Json, at: string) => readonly NamedColumn[];
  /** Returns warnings about a written value. */
  readonly warns?: (value: Json, at: string) => readonly Warning[];
  /** Members of an object that are secret. */
  readonly secretMembers?: readonly string[];
  /** Allowed members of an object. */
  readonly members?: readonly string[];
  /** JSON schema of an object or list for the docs; only `check` is enforced. */
  readonly shape?: JsonObject;
  /**
   * JSON schema that locates nested objects if `shape` does not: an empty list in their place becomes an empty object.
   */
  readonly objects?: JsonObject;
  /** An update merges the object by member instead of replacing it. */
  readonly merged?: true;
  /** Role that may see it; null for others in answers and searches. */
  readonly shownTo?: Role;
  /** For link properties: visible only to callers who may create the link, since it restricts what others see. */
  readonly shownToLinker?: true;
  /** Searched by key phrases in its folded text; `always` even if the search specifies other fields. */
  readonly searched?: true | 'always';
  /** Stored, but not part of the record. */
  readonly hidden?: true;
  /** Alias of another field of the same resource, which gets the value. */
  readonly aliasOf?: string;
  /** Accepted, but not stored. */
  readonly transient?: true;
}

/** A column referenced in a setting. */
export interface NamedColumn {
  /** Path in the request. */
  readonly at: string;
  readonly columnId: string;
  /** The dataset that must contain it, with its path in the request; null for any. */
  readonly dataset: { readonly at: string; readonly id: string } | null;
}

type Options = Partial<Omit<Field, 'kind' | 'description'>>;
type Builder = (sentence: string, options?: Options) => Field;

const both = ['create', 'update'] as const;

const builder =
  (kind: Kind, base: Options = {}): Builder =>
  (sentence, options = {}) => ({
    kind,
    description: sentence,
    accept: both,
    default: null,
    required: false,
    column: false,
    ...base,
    ...options,
  });

/**
 * A builder per kind: `field.text('Description.', { accept: ['create'] })`. Defaults: accepted by all operations, null,
 * optional.
 */
export const field = {
  uuid: builder('uuid'),
  reference: builder('reference', { column: true, onDelete: 'clear' }),
  text: builder('text'),
  secret: builder('secret'),
  sealed: builder('sealed'),
  boolean: builder('boolean', { default: false }),
  number: builder('number'),
  timestamp: builder('timestamp'),
  multilingual: builder('multilingual'),
  object: builder('object'),
  list: builder('list'),
} as const satisfies Readonly<Record<Kind, Builder>>;

/** Returns the field with no operation that may set it. */
export const readOnly = (field: Field): Field => ({ ...field, accept: [] });

export type Fields = Readonly<Record<string, Field>>;
