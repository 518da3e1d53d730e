import { partRule, type PartKind } from '../../model/part.ts';
import type { Operation } from '../operation.ts';

/** Names and ids that lead to a value from the outside in, such as `views`, `desktop`, `items`, `sales`, `title`. */
type Place = readonly string[];

/** What an operation changes: the value at a place with all in it, or only where a part stands in its list. */
interface Footprint {
  readonly place: Place;
  readonly isStanding: boolean;
}

/** Returns the place of a part. */
function placeOfPart(address: string): Place {
  let kind: PartKind = 'contents';
  return (address === '' ? [] : address.split('/')).flatMap((step) => {
    const [word, id = ''] = step.split(':');
    const [list, innerKind] = Object.entries(partRule(kind).lists).find(([, inner]) => inner === word) ?? ['', kind];
    kind = innerKind;
    return [list, decodeURIComponent(id)];
  });
}

/** Returns the id of the part at an address. */
const idOfAddress = (address: string): string => decodeURIComponent(address.slice(address.lastIndexOf(':') + 1));

const whole = (place: Place): Footprint => ({ place, isStanding: false });

/** Returns what an operation changes. `insertedId` is the id of the part that an `insert` adds. */
export function footprintsOf(operation: Operation, insertedId: string): readonly Footprint[] {
  switch (operation.kind) {
    case 'set':
    case 'unset':
      return [whole([...placeOfPart(operation.part), ...operation.path])];
    case 'insert':
      return [whole([...placeOfPart(operation.parent), operation.list, insertedId])];
    case 'remove':
      return [whole(placeOfPart(operation.part))];
    case 'move': {
      const from = placeOfPart(operation.part);
      const to = [...placeOfPart(operation.parent), operation.list, idOfAddress(operation.part)];
      const isElsewhere = from.join('\n') !== to.join('\n');
      return [{ place: from, isStanding: true }, ...(isElsewhere ? [whole(to)] : [])];
    }
  }
}

const isWithin = (outer: Place, inner: Place): boolean => outer.every((word, index) => inner[index] === word);

/** True if two footprints are of the same thing, or if one contains the other. */
export function touch(left: Footprint, right: Footprint): boolean {
  if (left.isStanding && right.isStanding)
    return left.place.length === right.place.length && isWithin(left.place, right.place);
  if (left.isStanding) return isWithin(right.place, left.place);
  if (right.isStanding) return isWithin(left.place, right.place);
  return isWithin(left.place, right.place) || isWithin(right.place, left.place);
}
