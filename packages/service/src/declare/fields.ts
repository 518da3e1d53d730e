import type { Fault, Json, JsonObject } from '@inlay/contract';
import type { Right, Role } from './roles.ts';
import type { ProblemCode } from '../problems/catalogue.ts';
import type { ByVariety } from './variety.ts';
import type { Kind } from './kinds.ts';
import type { Warning } from './warning.ts';

export type Accept = readonly ('create' | 'update')[];

/** How to generate the value of a field of a new record. */
export type GeneratedValue = 'now' | 'id' | 'caller' | 'owner' | 'organization' | 'suborganization' | 'slug';

/** Declares a field of a resource. Its check, column, schema and documentation are derived from this. */
export interface Field {
  readonly kind: Kind;
  /** One sentence for the reference pages. */
  readonly description: string;
  /** Operations that may set the field. In other operations the field is read-only. */
  readonly accept: ByVariety<Accept>;
  /** Value of the field if it is not sent or sent as `null`. */
  readonly default: Json;
  readonly generated?: GeneratedValue;
  /** True if a create must send the field. */
  readonly required: boolean;
  /**
   * True if the field is stored in a column of its own, because it is indexed, referenced, or needed for access checks.
   */
  readonly column: boolean;
  /**
   * True if an index has the field between organization and id, so that pages can be read in the order of the field.
   */
  readonly paged?: true;
  /** True if two records must not have the same value. */
  readonly unique?: true;
  /** Problem code for a duplicate. */
  readonly conflictCode?: ProblemCode;
  /** Allowed values. */
  readonly values?: readonly string[];
  readonly pattern?: { readonly expression: RegExp; readonly message: string };
  readonly minimum?: number;
  readonly maximum?: number;
  readonly whole?: true;
  /**
   * True if the field accepts a duration in words. A time is set to that duration after the write, a number to its
   * seconds.
   */
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
  /**
   * Converts a search value to the stored form, for a field whose values are always converted before they are stored.
   */
  readonly searchedAs?: (value: Json) => Json;
  /**
   * Varieties of the resource that have the field; null in records of other varieties. If undefined, all varieties have
   * it.
   */
  readonly of?: readonly string[];
  /**
   * For a reference: the target resource, the right that the caller needs on it, and the effect of deleting the target.
   */
  readonly to?: string;
  /** Required variety of the referenced record, such as `dataset`. */
  readonly targetOf?: string;
  readonly right?: Right;
  /** Of a list: returns the ids in a valid value that refer to records of `to`, with their places inside the value. */
  readonly references?: (value: Json) => readonly NamedRecord[];
  /** Reference whose target provides this value: changing the value requires the right to refer to the target. */
  readonly askedOf?: string;
  readonly onDelete?: 'refuse' | 'delete' | 'clear';
  /** Returns the columns that a value references. Each must exist, and the caller must have *read* on its dataset. */
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
   * JSON schema that locates nested objects if `shape` does not. An empty list where an object is expected becomes an
   * empty object.
   */
  readonly objects?: JsonObject;
  /** True if an update merges the object by member instead of replacing it. */
  readonly merged?: true;
  /** Role that may see the field. For other callers, the field is null in answers and searches. */
  readonly shownTo?: Role;
  /**
   * For link properties: true if only callers who may create the link see the property, since it restricts what others
   * see.
   */
  readonly shownToLinker?: true;
  /** True if key phrases search the folded text of the field. `always`: even if the search specifies other fields. */
  readonly searched?: true | 'always';
  /** True if the field is stored, but not part of the record that callers see. */
  readonly hidden?: true;
  /** Name of another field of the same resource, which gets the value of this one. */
  readonly aliasOf?: string;
  /** True if the field is accepted, but not stored. */
  readonly transient?: true;
}

/** The id of a record inside a value, such as `[0].id`. */
export interface NamedRecord {
  readonly inside: string;
  readonly id: string;
}

/** A column referenced in a setting. */
export interface NamedColumn {
  /** Path of the column in the request. */
  readonly at: string;
  readonly columnId: string;
  /**
   * The dataset that must contain the column, with the path of the dataset in the request; null if any dataset may
   * contain it.
   */
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
 * A builder per kind: `field.text('Description.', { accept: ['create'] })`. By default, a field is accepted by all
 * operations, null, and optional.
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
  multilingualList: builder('multilingualList'),
  object: builder('object'),
  list: builder('list'),
} as const satisfies Readonly<Record<Kind, Builder>>;

/** Returns the field as read-only: no operation may set it. */
export const readOnly = (field: Field): Field => ({ ...field, accept: [] });

export type Fields = Readonly<Record<string, Field>>;
