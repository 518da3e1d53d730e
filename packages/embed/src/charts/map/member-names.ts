import { inWords, isObject, member, type Json } from '@inlay/contract';
import type { Field } from '../frame/frame.ts';

/** Everything by which a member may be named: what filters compare with, what viewers read, and its name in each language. */
export function namesIn(field: Field, cell: Json): readonly string[] {
  const names = isObject(cell) ? member(cell, 'name') : null;
  const listed = names !== undefined && isObject(names) ? Object.values(names) : [];
  return [field.literal(cell), field.text(cell), ...listed]
    .map((one) => inWords(one ?? ''))
    .filter((one) => one !== '');
}
