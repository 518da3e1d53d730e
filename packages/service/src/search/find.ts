import type { Json } from '@inlay/contract';
import type { Association, Resource } from '../resource/define.ts';

/** Operators of `where`, each with the kind of its operand. specification/search#where */
export const operators = {
  eq: 'value',
  ne: 'value',
  gt: 'bound',
  gte: 'bound',
  lt: 'bound',
  lte: 'bound',
  in: 'list',
  notIn: 'list',
  like: 'pattern',
  notLike: 'pattern',
  iLike: 'pattern',
  notILike: 'pattern',
  between: 'pair',
  notBetween: 'pair',
  startsWith: 'text',
  endsWith: 'text',
  contains: 'text',
  isNull: 'flag',
} as const;
export type Operator = keyof typeof operators;

/** A scalar that can be compared. Booleans are 0 and 1. */
export type Comparable = string | number | null;

/** A checked `where`. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | {
      readonly kind: 'compare';
      readonly field: string;
      /** Language of a multilingual field; null for any language. */
      readonly language: string | null;
      readonly operator: Operator;
      readonly values: readonly Comparable[];
    };

export interface Order {
  readonly field: string;
  readonly language: string | null;
  readonly descending: boolean;
}

/** A checked `include`. specification/search#includes */
export interface Include {
  readonly alias: string;
  readonly role: string;
  readonly association: Association;
  readonly target: Resource;
  readonly attributes: readonly string[] | null;
  readonly where: Condition;
  readonly required: boolean;
  readonly order: readonly Order[];
  readonly limit: number;
  readonly include: readonly Include[];
}

/** A checked `find`. */
export interface Find {
  readonly where: Condition;
  readonly phrase: { readonly words: readonly string[]; readonly fields: readonly string[] } | null;
  readonly include: readonly Include[];
  readonly attributes: readonly string[] | null;
  readonly order: readonly Order[];
  readonly limit: number;
  readonly offset: number;
  /** True to count all rows, ignoring the limit. */
  readonly count: boolean;
  /** Field values fixed by the path, such as `type` on `/dashboard`. */
  readonly fixed?: readonly { readonly field: string; readonly value: Json }[];
}

export const everything: Condition = { kind: 'and', of: [] };

export const isEverything = (where: Condition): boolean => where.kind === 'and' && where.of.length === 0;
