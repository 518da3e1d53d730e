import { inWords, isObject, member, type Json } from '@inlay/contract';
import type { Field } from '../frame/frame.ts';

/**
 * Returns all names of a member: the value by which a filter matches it, its display text, and its name in each
 * language.
 */
export function namesIn(field: Field, cell: Json): readonly string[] {
  const names = isObject(cell) ? member(cell, 'name') : null;
  const listedNames = names !== undefined && isObject(names) ? Object.values(names) : [];
  return [field.literal(cell), field.text(cell), ...listedNames]
    .map((name) => inWords(name ?? ''))
    .filter((name) => name !== '');
}
