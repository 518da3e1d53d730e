// Facts about item types that the elements need. The build of the elements replaces this file by the values of its
// constants, so that the elements do not load the declarations.
import { slotRoles, splits, type QueryPart } from '../declare/slot.ts';
import { declarations, type ItemDeclaration } from '../index.ts';

const itemDeclarations: readonly ItemDeclaration[] = declarations;
const charts = itemDeclarations.filter((type) => type.kind === 'chart');
const filters = itemDeclarations.filter((type) => type.kind === 'filter');
const slots = itemDeclarations.flatMap((type) => type.slots);

export const filterTypes: readonly string[] = filters.map(({ type }) => type);
export const contentTypes: readonly string[] = itemDeclarations
  .filter(({ kind }) => kind === 'content')
  .map(({ type }) => type);
/** Types that show a single number. */
export const numberTypes: readonly string[] = charts
  .filter(({ family }) => family === 'figure')
  .map(({ type }) => type);
/** Types whose items show the number of rows if they have no measure. */
export const countingTypes: readonly string[] = charts.filter(({ countsRows }) => countsRows).map(({ type }) => type);
/** Types that divide a number into bins. */
export const binningTypes: readonly string[] = charts.filter(({ family }) => family === 'bins').map(({ type }) => type);
/** Types that may show raw rows. */
export const plainRowTypes: Readonly<Record<string, 'any' | 'numeric'>> = Object.fromEntries(
  charts.flatMap(({ type, plainRows }) => (plainRows === undefined ? [] : [[type, plainRows]])),
);
/** By type: the slot whose members are sorted by the first measure, the largest first. */
export const largestFirstSlots: Readonly<Record<string, string>> = Object.fromEntries(
  charts.flatMap(({ type, largestFirst, slots: [firstSlot] }) =>
    largestFirst === true && firstSlot !== undefined ? [[type, firstSlot.name]] : [],
  ),
);
/** Types that query a single member, since viewers enter a text to search for. */
export const searchTypes: readonly string[] = filters
  .filter(({ filtersBy }) => filtersBy === 'text')
  .map(({ type }) => type);

const firstParts = new Map(slots.toReversed().map(({ name, role }) => [name, slotRoles[role].part]));
/**
 * By slot: how its columns appear in a query. Slots for dimensions are left out. If a slot differs between types, this
 * is the value of the first type.
 */
export const slotParts: Readonly<Record<string, QueryPart>> = Object.fromEntries(
  [...firstParts].filter(([, part]) => part !== 'dimension'),
);
/** By type and slot: how columns appear in a query, for slots that differ from `slotParts`. */
export const ownSlotParts: Readonly<Record<string, QueryPart>> = Object.fromEntries(
  itemDeclarations.flatMap(({ type, slots: typeSlots }) =>
    typeSlots
      .filter(({ name, role }) => slotRoles[role].part !== firstParts.get(name))
      .map(({ name, role }) => [`${type} ${name}`, slotRoles[role].part]),
  ),
);
/** Slots whose members split those of the other slots into parts. */
export const splittingSlots: readonly string[] = [...new Set(slots.filter(splits).map(({ name }) => name))];
