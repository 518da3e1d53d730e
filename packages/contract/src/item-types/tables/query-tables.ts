// Tables of what elements need of the declarations. The build of the elements writes their values in place of this file, so that
// they load no declarations.
import { slotRoles, splits, type QueryPart } from '../declare/slot.ts';
import { declarations, type ItemDeclaration } from '../index.ts';

const all: readonly ItemDeclaration[] = declarations;
const charts = all.filter((one) => one.kind === 'chart');
const filters = all.filter((one) => one.kind === 'filter');
const slots = all.flatMap((one) => one.slots);

export const filterTypes: readonly string[] = filters.map(({ type }) => type);
export const contentTypes: readonly string[] = all.filter(({ kind }) => kind === 'content').map(({ type }) => type);
/** Types that show one number. */
export const numberTypes: readonly string[] = charts
  .filter(({ family }) => family === 'figure')
  .map(({ type }) => type);
/** Types that show the number of rows without a measure. */
export const countingTypes: readonly string[] = charts.filter(({ countsRows }) => countsRows).map(({ type }) => type);
/** Types that cut a number into bins. */
export const binningTypes: readonly string[] = charts.filter(({ family }) => family === 'bins').map(({ type }) => type);
/** By type the rows that it shows as they are. */
export const plainRowTypes: Readonly<Record<string, 'any' | 'numeric'>> = Object.fromEntries(
  charts.flatMap(({ type, plainRows }) => (plainRows === undefined ? [] : [[type, plainRows]])),
);
/** By type the slot of the members that come by the first measure, largest first. */
export const largestFirstSlots: Readonly<Record<string, string>> = Object.fromEntries(
  charts.flatMap(({ type, largestFirst, slots: [first] }) =>
    largestFirst === true && first !== undefined ? [[type, first.name]] : [],
  ),
);
/** Types that query one member, since viewers search for the others. */
export const searchTypes: readonly string[] = filters
  .filter(({ filtersBy }) => filtersBy === 'text')
  .map(({ type }) => type);

const firstParts = new Map(slots.toReversed().map(({ name, role }) => [name, slotRoles[role].part]));
/** By slot what its columns are in a query, as the first type has it; dimensions are left out. */
export const slotParts: Readonly<Record<string, QueryPart>> = Object.fromEntries(
  [...firstParts].filter(([, part]) => part !== 'dimension'),
);
/** The same by type and slot, where it differs. */
export const ownSlotParts: Readonly<Record<string, QueryPart>> = Object.fromEntries(
  all.flatMap(({ type, slots: own }) =>
    own
      .filter(({ name, role }) => slotRoles[role].part !== firstParts.get(name))
      .map(({ name, role }) => [`${type} ${name}`, slotRoles[role].part]),
  ),
);
/** Slots whose members split those of the others. */
export const splittingSlots: readonly string[] = [...new Set(slots.filter(splits).map(({ name }) => name))];
