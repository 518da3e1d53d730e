import {
  declarationOf,
  isFilterType,
  slotsOf,
  type DataItemType,
  type Json,
  type JsonObject,
  type SlotRole,
  type SlotRule,
} from '@inlay/contract';
import { settle } from '../decide/arrange.ts';
import { hasRole } from '../decide/families.ts';
import { grainForms } from '../grain.ts';
import type { ComputedValue, Group, Plan, Quantity } from '../plan.ts';
import type { Profile } from '../profile.ts';
import { filtersOf } from './filters.ts';
import { formulaOf } from './formulas.ts';
import { measureName, nameIn, titles } from './titles.ts';

/** The content of a slot: a group or a quantity. */
type Entry =
  | { readonly kind: 'group'; readonly group: Group }
  | { readonly kind: 'quantity'; readonly quantity: Quantity };

const group = (value: Group): Entry => ({ kind: 'group', group: value });
const quantity = (value: Quantity): Entry => ({ kind: 'quantity', quantity: value });

/** Returns the quantities except the row count, which a chart shows if its measure slot is empty. */
const measuredEntries = (plan: Plan): readonly Entry[] =>
  plan.quantities.filter(({ column, computed }) => column !== null || computed !== undefined).map(quantity);

type SlotFill = (plan: Plan, slot: SlotRule, slots: readonly SlotRule[]) => readonly Entry[];

const groupEntries: SlotFill = ({ groups }) => groups.map(group);
const colored: SlotFill = ({ legend }) => (legend === null ? [] : [group(legend)]);
const noEntries: SlotFill = () => [];

/**
 * For each role of a slot: returns the entries that fill the slot. If the slot takes a single column, only the first
 * entry is used.
 */
const filledBy: Readonly<Record<SlotRole, SlotFill>> = {
  category: ({ groups }, slot, slots) =>
    groups.slice(slots.filter(({ role }) => role === 'category').indexOf(slot)).map(group),
  level: groupEntries,
  place: groupEntries,
  point: groupEntries,
  time: groupEntries,
  bins: groupEntries,
  choice: groupEntries,
  period: groupEntries,
  range: groupEntries,
  series: colored,
  color: colored,
  column: colored,
  mark: colored,
  name: noEntries,
  size: noEntries,
  measure: (plan, { required }, slots) => {
    if (required) return plan.quantities.map(quantity);
    const takesAll = plan.legend === null || slots.some(({ role }) => role === 'column');
    return takesAll ? measuredEntries(plan) : measuredEntries(plan).slice(0, 1);
  },
  target: ({ quantities }) => quantities.slice(1).map(quantity),
  across: (plan, slot, slots) => (plan.across === null ? groupEntries(plan, slot, slots) : [quantity(plan.across)]),
  up: ({ quantities }) => quantities.map(quantity),
  field: ({ groups, quantities }) => [...groups.map(group), ...quantities.map(quantity)],
};

/** True if items of this type show times and numbers as they are, neither grouped by period nor in bins. */
const hasRawValues = (type: DataItemType): boolean => isFilterType(type) || hasRole(type, 'field');

function groupEntry(profile: Profile, { type }: Plan, { column, grain }: Group, takes: string): JsonObject {
  const profiledColumn = profile.columns[column];
  if (profiledColumn === undefined) return {};
  if (profiledColumn.type === 'datetime') {
    if (hasRawValues(type) && grain === null)
      return profiledColumn.format === null ? {} : { format: profiledColumn.format };
    const { level, format, part } = grainForms[grain ?? 'month'];
    return { level, format, ...(part === null ? {} : { datetimeDisplayMode: part }) };
  }
  if (profiledColumn.type !== 'numeric') return {};
  const format = profiledColumn.format ?? ',.0f';
  if (takes !== 'category') return { format, aggregationFunc: hasRole(type, 'field') ? 'none' : 'sum' };
  return {
    format,
    bins: {
      enabled: true,
      number: profiledColumn.role === 'amount' ? 10 : Math.min(100, Math.max(2, (profiledColumn.span ?? 49) + 1)),
    },
  };
}

/** Returns the content of a slot for a quantity that a formula computes; null if there is no such formula. */
function formulaContent(profile: Profile, quantity: Quantity, computed: ComputedValue): JsonObject | null {
  const written = formulaOf(profile, quantity.column, computed);
  if (written === null) return null;
  const label = measureName(profile, quantity, profile.languages[0] ?? 'en');
  return { type: 'numeric', label, datasetId: profile.dataset.id, ...written };
}

/** Returns the content of a slot in the format of the API; null if the column does not exist. */
function content(profile: Profile, plan: Plan, entry: Entry, takes: string): JsonObject | null {
  if (entry.kind === 'quantity' && entry.quantity.computed !== undefined)
    return formulaContent(profile, entry.quantity, entry.quantity.computed);
  const column = entry.kind === 'group' ? entry.group.column : (entry.quantity.column ?? countable(profile));
  const profiledColumn = profile.columns[column];
  if (profiledColumn === undefined) return null;
  const base = {
    type: profiledColumn.type,
    label: nameIn(profile, column, profile.languages[0] ?? 'en'),
    columnId: profiledColumn.id,
    datasetId: profile.dataset.id,
  };
  const subtype = profiledColumn.subtype === null ? {} : { subtype: profiledColumn.subtype };
  if (entry.kind === 'group') return { ...base, ...subtype, ...groupEntry(profile, plan, entry.group, takes) };
  const { column: drawnColumn, aggregation } = hasRole(plan.type, 'across')
    ? entry.quantity
    : settle(profile, entry.quantity);
  if (drawnColumn === null) return { ...base, label: 'Number of rows', aggregationFunc: 'count' };
  const format =
    profiledColumn.type === 'numeric'
      ? {
          format:
            profiledColumn.format ??
            (aggregation === 'average' || profiledColumn.subtype === 'currency' ? ',.2f' : ',.0f'),
        }
      : {};
  return { ...base, ...subtype, ...format, ...(aggregation === null ? {} : { aggregationFunc: aggregation }) };
}

/** Returns the column for a row count, for which the API requires a column: an identifier, or else the first column. */
const countable = (profile: Profile): number =>
  Math.max(
    0,
    profile.columns.findIndex(({ role }) => role === 'identifier'),
  );

function sizeOf(type: DataItemType): readonly [sizeX: number, sizeY: number] {
  const declaration = declarationOf(type);
  return (declaration.kind === 'content' ? undefined : declaration.size) ?? [24, 20];
}

/** Returns the name of a function: `createBarChart` for `bar-chart`. */
const functionName = (type: DataItemType): string =>
  `create${type
    .split('-')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('')}`;

/** A chart in the format of the API, ready for a dashboard. It has all slots of its type, in order. */
export interface AssembledChart {
  readonly item: JsonObject;
  readonly functionCall: string;
  readonly functionResponse: JsonObject;
}

/** Converts a plan to a dashboard item and to the equivalent function call. */
export function assemble(profile: Profile, plan: Plan, aichartId: string): AssembledChart {
  const title: Record<string, string> = { ...titles(profile, plan) };
  const slots = slotsOf(plan.type).map((slot, _, slotDeclarations) => {
    const entries = filledBy[slot.role](plan, slot, slotDeclarations)
      .map((entry) => content(profile, plan, entry, slot.takes))
      .filter((entry) => entry !== null);
    return { name: slot.name, content: slot.many ? entries : entries.slice(0, 1) };
  });
  const sort = plan.sort === null ? {} : { sort: { by: sortSlot(plan), order: plan.sort.order } };
  const limit = plan.limit === null ? {} : { limit: plan.limit };
  const filters = plan.conditions.flatMap((condition) => filtersOf(profile, condition));
  const [sizeX, sizeY] = sizeOf(plan.type);
  const called = slots.map(({ name, content: entries }): [string, Json] => [
    `s__${name}`,
    entries.map(({ columnId }) => ({
      id: typeof columnId === 'string' ? String(profile.byId.get(columnId)?.position ?? '') : '',
    })),
  ]);
  return {
    item: {
      type: plan.type,
      position: { sizeX, sizeY, row: 0, col: 0 },
      title,
      options: { title, ...sort, ...limit },
      content: {},
      slots,
      ...(filters.length === 0 ? {} : { filters }),
      aichartId,
    },
    functionCall: functionName(plan.type),
    functionResponse: { title: Object.values(title)[0] ?? '', ...Object.fromEntries(called) },
  };
}

/** Returns the name of the slot by which rows are sorted: the first one with groups or with measures. */
function sortSlot({ type, sort }: Plan): string {
  const slots = slotsOf(type);
  const [role, takes] = sort?.by === 'group' ? (['across', 'category'] as const) : (['up', 'measure'] as const);
  const match =
    slots.find((slot) => slot.role === role) ??
    slots.find((slot) => slot.takes === takes) ??
    slots.find((slot) => slot.takes === 'either');
  return match?.name ?? slots[0]?.name ?? '';
}
