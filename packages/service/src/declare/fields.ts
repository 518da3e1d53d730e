import type { Fault, Json, JsonObject } from '@inlay/contract';
import type { Right, Role } from './roles.ts';
import type { ProblemCode } from '../problems/catalogue.ts';
import type { ByVariety } from './variety.ts';
import type { Kind } from './kinds.ts';
import type { Warning } from './warning.ts';

export type Accept = readonly ('create' | 'update')[];

/** The generator of a value in a new record. */
export type GeneratedValue = 'now' | 'id' | 'caller' | 'organization' | 'suborganization' | 'slug';

/** A field of a resource. Its check, column, schema and documentation follow from this. */
export interface Field {
  readonly kind: Kind;
  /** One sentence for the reference pages. */
  readonly description: string;
  /** The operations that may set it; in others it is read-only. */
  readonly accept: ByVariety<Accept>;
  /** Its value without input, and after `null`. */
  readonly default: Json;
  readonly generated?: GeneratedValue;
  /** Whether a create needs it. */
  readonly required: boolean;
  /** Kept in a column of its own: indexed, referred to, or needed for access. */
  readonly column: boolean;
  /** An index with the organization before it and the id after it gives pages in its order. */
  readonly paged?: true;
  /** No two records may hold the same value. */
  readonly unique?: true;
  /** The code of the problem of a duplicate. */
  readonly conflictCode?: ProblemCode;
  /** The closed set of its values. */
  readonly values?: readonly string[];
  readonly pattern?: { readonly expression: RegExp; readonly says: string };
  readonly minimum?: number;
  readonly maximum?: number;
  readonly whole?: true;
  /** A duration in words may be sent: of a time, for the time so much after the write; of a number, for its seconds. */
  readonly durations?: true;
  readonly maxLength?: number;
  /** A check beyond kind and bounds. */
  readonly check?: (value: Json, at: string, fault: Fault) => void;
  /** The stored form of a valid value. */
  readonly stored?: (value: Json) => Json;
  /** Other accepted values, with the value of the closed set that each means. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Where something inside of what is stored stood in the value that was sent: `[0].column_id`, `[0].parameters[0].column_id`. */
  readonly placeAsSent?: (sent: Json, inside: string) => string;
  /** Converts a value of another form before the check, such as a duration in words. */
  readonly reads?: (value: Json) => Json;
  /** The value that a search compares with, where the value itself is never stored. */
  readonly searchedAs?: (value: Json) => Json;
  /** The varieties of the resource it applies to; null for the others. */
  readonly of?: readonly string[];
  /** For a reference: the resource, the right the caller needs on it, and what a delete over there does here. */
  readonly to?: string;
  /** The variety the referenced record must be of, such as `dataset`. */
  readonly targetOf?: string;
  readonly right?: Right;
  /** The reference whose record is asked for what stands here: to change it takes the right that it takes to refer there. */
  readonly askedOf?: string;
  readonly onDelete?: 'refuse' | 'delete' | 'clear';
  /** The columns that a value names. Each must exist, and the caller must hold *read* on its dataset. */
  readonly columns?: (value: Json, at: string) => readonly NamedColumn[];
  /** The warnings of a write of this value. */
  readonly warns?: (value: Json, at: string) => readonly Warning[];
  /** Members of an object that are secrets. */
  readonly secretMembers?: readonly string[];
  /** The members an object may have; others are refused. */
  readonly members?: readonly string[];
  /** JSON schema of the inside of an object or list, for the docs; `check` is what holds. */
  readonly shape?: JsonObject;
  /** JSON schema of where objects stand inside, where `shape` says less: an empty list there is an empty object. */
  readonly objects?: JsonObject;
  /** An update merges the object by member instead of replacing it. */
  readonly merged?: true;
  /** Who sees it; null for others, in answers and searches. */
  readonly shownTo?: Role;
  /** Of a link: visible only to callers who may make the link, since it describes what others see. */
  readonly shownToLinker?: true;
  /** A search by key phrase may look here, in its folded text; always, where the phrase names no fields. */
  readonly searched?: true | 'always';
  /** Stored, but no part of the record. */
  readonly hidden?: true;
  /** Another name of this field of the same resource, which gets the value. */
  readonly aliasOf?: string;
  /** Accepted, but not stored. */
  readonly transient?: true;
}

/** A column that a setting names. */
export interface NamedColumn {
  /** Its place in the request. */
  readonly at: string;
  readonly columnId: string;
  /** The dataset that must own it, with its place in the request; null for none. */
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

/** One builder a kind: `field.text('What it is.', { accept: ['create'] })`. Unset options: accepted, null, optional. */
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

/** The same field, set by the service only. */
export const readOnly = (given: Field): Field => ({ ...given, accept: [] });

export type Fields = Readonly<Record<string, Field>>;
