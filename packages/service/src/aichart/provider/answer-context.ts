import { isObject, listOr, member, type Json } from '@inlay/contract';
import type { Quantity } from '../plan.ts';
import type { Profile } from '../profile.ts';
import { maxTextLength, maxTexts } from './prompt.ts';
import { aggregations } from './schema.ts';

/** A value of a column, as a filter takes it. */
export interface ColumnValue {
  readonly column: number;
  readonly value: string;
}

/** Returns the value that a text of an answer names, if possible in this column; null if none is found. */
export type FindValue = (column: number, text: string) => ColumnValue | null;

/** What the parts of an answer are read with. */
export interface AnswerContext {
  readonly profile: Profile;
  readonly find: FindValue;
  /** Adds a fault. Its text contains no part of the answer. */
  readonly fault: (text: string) => void;
  /** Called if a measure has none of its values. */
  readonly miss: () => void;
}

/** Returns the word of a closed list that a value is; null if it is none of them. */
export const wordOf = <const Word extends string>(words: readonly Word[], value: Json | undefined): Word | null =>
  words.find((word) => word === value) ?? null;

/** Returns the index of the column that an id of an answer names; null if the dataset has no such column. */
export function columnIn({ columns }: Profile, id: Json | undefined): number | null {
  const index = typeof id === 'string' && /^c\d{1,4}$/u.test(id) ? Number(id.slice(1)) : -1;
  return columns[index] === undefined ? null : index;
}

const isText = (value: Json): value is string =>
  typeof value === 'string' && value !== '' && value.length <= maxTextLength;

/** Returns the texts of a list that may be values; null if it is none, or has more or longer ones than are looked up. */
export function textsIn(value: Json | undefined): readonly string[] | null {
  const list = listOr(value);
  const texts = list.filter(isText);
  return texts.length === list.length && texts.length > 0 && texts.length <= maxTexts ? texts : null;
}

/** Returns the quantity of a part of a formula; null if it is none that formulas have. */
export function quantityIn(profile: Profile, value: Json | undefined): Quantity | null {
  if (!isObject(value)) return null;
  const id = member(value, 'column') ?? null;
  if (id === null) return { column: null, aggregation: 'count' };
  const column = columnIn(profile, id);
  const aggregation = wordOf(aggregations, member(value, 'aggregation'));
  if (column === null || aggregation === 'cumulativesum') return null;
  if (aggregation === 'count') return { column: null, aggregation };
  const isNumber = profile.columns[column]?.type === 'numeric';
  return isNumber || aggregation === 'distinctcount' ? { column, aggregation } : null;
}
