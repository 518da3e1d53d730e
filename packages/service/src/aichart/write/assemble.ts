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
import type { Words } from '../dataset.ts';
import { grainForms, isPartOfTime } from '../grain.ts';
import type { Group, Order, Plan, Quantity } from '../plan.ts';
import type { Profile } from '../profile.ts';
import { filtersOf } from './filters.ts';
import { formulaOf } from './formulas.ts';
import { isOverplotted, membersBeforeOthers, seriesBeforeOthers } from './legible.ts';
import { placedConditions, type PlacedConditions } from './placed-conditions.ts';
import { conditionTitles, groupName, measureName, nameIn, titles } from './titles.ts';

/** The content of a slot: a group or a quantity. */
type Entry =
  | { readonly kind: 'group'; readonly group: Group }
  | { readonly kind: 'quantity'; readonly quantity: Quantity };

const group = (value: Group): Entry => ({ kind: 'group', group: value });
const flat = (column: number): Entry => group({ column, grain: null });
const quantity = (value: Quantity): Entry => ({ kind: 'quantity', quantity: value });

/** Returns the quantities except the row count, which a chart shows if its measure slot is empty. */
const measuredEntries = ({ quantities, where }: DrawnPlan): readonly Entry[] =>
  quantities
    .filter(({ column, computed }) => column !== null || computed !== undefined || where !== null)
    .map(quantity);

/** A plan with the condition that the formulas of its measures have; null if they have none. */
interface DrawnPlan extends Plan {
  readonly where: string | null;
}

type SlotFill = (plan: DrawnPlan, slot: SlotRule, slots: readonly SlotRule[]) => readonly Entry[];

/** For each role of a scatter plot whose points lie in bins: the numbers of both axes, and the number of their rows. */
const filledInBins: Readonly<Partial<Record<SlotRole, (plan: Plan) => readonly Entry[]>>> = {
  across: ({ across }) => (across?.column === null || across === null ? [] : [flat(across.column)]),
  up: ({ quantities }) => quantities.flatMap(({ column }) => (column === null ? [] : [flat(column)])),
  size: () => [quantity({ column: null, aggregation: 'count' })],
};

/** Number of bins on each axis of a scatter plot in bins. */
const binsOfAxis = 20;

const largestFirst: Order = { by: 'quantity', order: 'desc' };

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
      number: hasRole(type, 'across')
        ? binsOfAxis
        : profiledColumn.role === 'amount'
          ? 10
          : Math.min(100, Math.max(2, (profiledColumn.span ?? 49) + 1)),
    },
  };
}

/** Returns the content of a slot for a quantity that a formula computes; null if there is no such formula. */
function formulaContent(
  profile: Profile,
  quantity: Quantity,
  where: string | null,
  language: string,
): JsonObject | null {
  const written = formulaOf(profile, quantity, where);
  if (written === null) return null;
  const label = measureName(profile, quantity, language);
  return { type: 'numeric', label, datasetId: profile.dataset.id, ...written };
}

/** Returns the label of an entry: its name, with the part of a time or the aggregation that the question asks for. */
function labelOf(profile: Profile, entry: Entry, language: string): string {
  if (entry.kind === 'quantity') return measureName(profile, entry.quantity, language);
  const { column, grain } = entry.group;
  return isPartOfTime(grain) ? groupName(profile, entry.group, language) : nameIn(profile, column, language);
}

/** Returns the content of a slot in the format of the API; null if the column does not exist. */
function content(profile: Profile, plan: DrawnPlan, entry: Entry, takes: string, language: string): JsonObject | null {
  if (entry.kind === 'quantity' && (entry.quantity.computed !== undefined || plan.where !== null))
    return formulaContent(profile, entry.quantity, plan.where, language);
  const column = entry.kind === 'group' ? entry.group.column : (entry.quantity.column ?? countable(profile));
  const profiledColumn = profile.columns[column];
  if (profiledColumn === undefined) return null;
  const { id, type, format: ownFormat } = profiledColumn;
  const datasetId = profile.dataset.id;
  if (profiledColumn.isFormula === true) {
    if (entry.kind === 'group') return null;
    const label = nameIn(profile, column, language);
    return { type, label, formulaId: id, datasetId, ...(ownFormat === null ? {} : { format: ownFormat }) };
  }
  const base = { type, label: labelOf(profile, entry, language), columnId: id, datasetId };
  const subtype = profiledColumn.subtype === null ? {} : { subtype: profiledColumn.subtype };
  if (entry.kind === 'group') return { ...base, ...subtype, ...groupEntry(profile, plan, entry.group, takes) };
  // Points without groups are rows, whose numbers are not aggregated.
  const isOfRows = hasRole(plan.type, 'across') && plan.legend === null && plan.groups.length === 0;
  const { column: drawnColumn, aggregation } = isOfRows ? entry.quantity : settle(profile, entry.quantity);
  if (drawnColumn === null) return { ...base, aggregationFunc: 'count' };
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
  readonly conditions: readonly WrittenCondition[];
}

/** A condition of a chart: what the title says of it, in the order of the title, and which filters of the item it is. */
export interface WrittenCondition {
  readonly title: Words;
  /** Indexes among the filters; empty if the formulas of the measures have the condition. */
  readonly filters: readonly number[];
}

/** Writes the filters of an item, and which of them are which condition. */
function writtenConditions(
  profile: Profile,
  { applied, filters: filtered }: PlacedConditions,
  language: string,
): { readonly filters: readonly JsonObject[]; readonly conditions: readonly WrittenCondition[] } {
  const filters: JsonObject[] = [];
  const conditions = applied.map((condition) => {
    const first = filters.length;
    if (filtered.includes(condition)) filters.push(...filtersOf(profile, condition, language));
    const indexes = filters.slice(first).map((_, at) => first + at);
    return { title: conditionTitles(profile, condition), filters: indexes };
  });
  return { filters, conditions };
}

/**
 * Converts a plan to a dashboard item and to the equivalent function call. Labels are in the language of the question;
 * if it is null, in that of the columns.
 */
export function assemble(
  profile: Profile,
  plan: Plan,
  aichartId: string,
  questionLanguage: string | null = null,
): AssembledChart {
  const language = questionLanguage ?? profile.languages[0] ?? 'en';
  const title: Record<string, string> = { ...titles(profile, plan) };
  const isInBins = isOverplotted(profile, plan);
  const placed = placedConditions(profile, plan);
  const drawn = { ...plan, where: placed.where };
  const slots = slotsOf(plan.type).map((slot, _, slotDeclarations) => {
    const inBins = isInBins ? filledInBins[slot.role] : undefined;
    const filled = inBins === undefined ? filledBy[slot.role](drawn, slot, slotDeclarations) : inBins(plan);
    const entries = filled
      .map((entry) => content(profile, drawn, entry, inBins === undefined ? slot.takes : 'category', language))
      .filter((entry) => entry !== null);
    return { name: slot.name, content: slot.many ? entries : entries.slice(0, 1) };
  });
  const members = membersBeforeOthers(profile, plan);
  const order = plan.sort ?? (members === null ? null : largestFirst);
  const sort = order === null ? {} : { sort: { by: sortSlot(plan.type, order), order: order.order } };
  const limit = members !== null ? { limit: members, others: true } : plan.limit === null ? {} : { limit: plan.limit };
  // Formulas with a condition are not added up.
  const series = placed.where === null ? seriesBeforeOthers(profile, plan) : null;
  const seriesLimit = series === null ? {} : { seriesLimit: series };
  const { filters, conditions } = writtenConditions(profile, placed, language);
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
      options: { title, ...sort, ...limit, ...seriesLimit },
      content: {},
      slots,
      ...(filters.length === 0 ? {} : { filters: [...filters] }),
      aichartId,
    },
    conditions,
    functionCall: functionName(plan.type),
    functionResponse: { title: Object.values(title)[0] ?? '', ...Object.fromEntries(called) },
  };
}

/** Returns the name of the slot by which rows are sorted: the first one with groups or with measures. */
function sortSlot(type: DataItemType, { by }: Order): string {
  const slots = slotsOf(type);
  const [role, takes] = by === 'group' ? (['across', 'category'] as const) : (['up', 'measure'] as const);
  const match =
    slots.find((slot) => slot.role === role) ??
    slots.find((slot) => slot.takes === takes) ??
    slots.find((slot) => slot.takes === 'either');
  return match?.name ?? slots[0]?.name ?? '';
}
