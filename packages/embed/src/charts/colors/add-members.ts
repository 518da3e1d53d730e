import { member, type Item, type ItemQuery, type Json } from '@inlay/contract';
import { columnOf, keyOf } from '../frame/key.ts';
import type { MemberColors } from '../frame/member-colors.ts';

/** Slots whose members get colours. */
const colored = ['legend', 'color', 'category', 'levels'];

/**
 * Registers the members of an answer with the colours of the page. Returns true if the colour of a known member
 * changed.
 */
export function addMembers(
  colors: MemberColors,
  { options }: Item,
  { dimensions }: ItemQuery,
  rows: readonly (readonly Json[])[],
): boolean {
  const isOne = member(options, 'oneColor') !== false;
  const places = dimensions.flatMap((dimension, place) =>
    !isOne || colored.includes(dimension.slot) ? [{ dimension, place }] : [],
  );
  const changes = places.map(({ dimension, place }) =>
    colors.add(
      columnOf(dimension),
      rows.map((row) => keyOf(row[place])),
    ),
  );
  return changes.includes(true);
}
