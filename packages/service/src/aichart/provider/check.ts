import {
  isFilterType,
  isDataItemType,
  isList,
  isObject,
  member,
  objectOr,
  slotsOf,
  splits,
  type DataItemType,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import { objectIn } from './answer-object.ts';
import type { Ask } from '../engine.ts';
import { familyOf } from '../decide/families.ts';
import type { Group, Plan, Quantity } from '../plan.ts';
import type { Profile } from '../profile.ts';
import { faultsOf } from '../write/plan-faults.ts';
import { grains } from '../grain.ts';
import { aggregations, allowedTypes } from './prompt.ts';

/**
 * Result of checking a model's answer: a plan, or the faults of the answer. The texts of faults contain no part of the
 * answer. specification/ai-charts#provider
 */
export type PlanCheck = { readonly plan: Plan } | { readonly faults: readonly string[] };

interface PlacedColumn {
  readonly column: number;
  readonly aggregation: Quantity['aggregation'];
  readonly grain: Group['grain'];
}

const wordOf = <const Word extends string>(words: readonly Word[], value: Json | undefined): Word | null =>
  words.find((word) => word === value) ?? null;

function placedColumn(entry: Json, profile: Profile): PlacedColumn | null {
  if (!isObject(entry)) return null;
  const id = member(entry, 'column');
  const index = typeof id === 'string' && /^c\d{1,4}$/u.test(id) ? Number(id.slice(1)) : -1;
  const column = profile.columns[index];
  if (column === undefined || column.isFormula === true) return null;
  return {
    column: index,
    aggregation: wordOf(aggregations, member(entry, 'aggregation')),
    grain: wordOf(grains, member(entry, 'grain')),
  };
}

type SlotColumns = ReadonlyMap<string, readonly PlacedColumn[]>;

/** Reads the slots of an answer, and adds their faults to `faults`. Accepts only known slots and columns. */
function slotsIn(answer: JsonObject, type: DataItemType, profile: Profile, faults: string[]): SlotColumns {
  const columnsBySlot = new Map<string, readonly PlacedColumn[]>();
  const slots = member(answer, 'slots');
  if (!isList(slots) || slots.length > 20) {
    faults.push('"slots" must be a list');
    return columnsBySlot;
  }
  slots.forEach((slot, at) => {
    const name = isObject(slot) ? member(slot, 'name') : undefined;
    const columns = isObject(slot) ? member(slot, 'columns') : undefined;
    const rule = slotsOf(type).find((slot) => slot.name === name);
    if (rule === undefined || !isList(columns))
      return void faults.push(`slots[${at}] is no slot of ${type}, or has no list of columns`);
    const placements = columns.slice(0, 50).map((entry) => placedColumn(entry, profile));
    if (placements.includes(null)) faults.push(`slots[${at}] names a column that is not in the dataset`);
    columnsBySlot.set(
      rule.name,
      placements.filter((placement) => placement !== null),
    );
  });
  return columnsBySlot;
}

/**
 * Returns the quantity of a column in an answer. Numbers are aggregated. For other columns, rows are counted unless the
 * answer asks for distinct values.
 */
function quantity(profile: Profile, { column, aggregation }: PlacedColumn): Quantity {
  if (aggregation === 'count') return { column: null, aggregation };
  if (aggregation === 'distinctcount' || profile.columns[column]?.type === 'numeric') return { column, aggregation };
  return { column: null, aggregation: 'count' };
}

function planOf(profile: Profile, type: DataItemType, slots: SlotColumns, answer: JsonObject): Plan {
  const hasStoredValues = isFilterType(type) || familyOf(type) === 'table';
  const group = ({ column, grain }: PlacedColumn): Group => {
    const isTime = profile.columns[column]?.type === 'datetime';
    return {
      column,
      grain: isTime ? (grain ?? (hasStoredValues ? null : 'month')) : null,
    };
  };
  const columnsIn = (name: string): readonly PlacedColumn[] => slots.get(name) ?? [];
  const measures = columnsIn('measure').map((placement) => quantity(profile, placement));
  const rows: readonly Quantity[] = [{ column: null, aggregation: 'count' }];
  const [legend] = slotsOf(type)
    .filter(splits)
    .flatMap(({ name }) => columnsIn(name))
    .map(group);
  const groupSlots = slotsOf(type).filter((slot) => !splits(slot) && !['measure', 'name', 'size'].includes(slot.role));
  const scatter = familyOf(type) === 'points';
  const [x] = columnsIn('x-axis');
  const isNumber = x !== undefined && (profile.columns[x.column]?.type === 'numeric' || x.aggregation !== null);
  const sort = member(answer, 'sort');
  const by = objectOr(sort);
  const order = wordOf(['asc', 'desc'], member(by, 'order'));
  const limit = member(answer, 'limit');
  return {
    type,
    groups: scatter
      ? x === undefined || isNumber
        ? []
        : [group(x)]
      : groupSlots.flatMap(({ name }) => columnsIn(name)).map(group),
    legend: legend ?? null,
    quantities: scatter
      ? columnsIn('y-axis').slice(0, 1).map(scattered)
      : measures.length > 0 || hasStoredValues
        ? measures
        : rows,
    across: scatter && x !== undefined && isNumber ? scattered(x) : null,
    sort: order === null ? null : { by: member(by, 'by') === 'group' ? 'group' : 'quantity', order },
    limit: typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= 1000 ? limit : null,
    conditions: [],
    assumed: [],
    reasons: [{ rule: 'an outside model chose it, and it was checked', weight: 1 }],
  };
}

const scattered = ({ column, aggregation }: PlacedColumn): Quantity =>
  aggregation === 'count' ? { column: null, aggregation } : { column, aggregation };

/**
 * Checks a model's answer. The model can only choose among the types, slots and columns that it was given. No text of
 * the answer is used; titles and formats come from this service.
 */
export function checkAnswer(text: string, profile: Profile, query: Ask): PlanCheck {
  const answer = objectIn(text);
  if (answer === undefined) return { faults: ['the answer is not one JSON object'] };
  const type = member(answer, 'type');
  if (typeof type !== 'string' || !isDataItemType(type) || !allowedTypes(query).includes(type))
    return { faults: ['"type" is none of those allowed'] };
  const faults: string[] = [];
  const slots = slotsIn(answer, type, profile, faults);
  if (faults.length > 0) return { faults };
  const plan = planOf(profile, type, slots, answer);
  const planFaults = faultsOf(profile, plan);
  return planFaults.length > 0 ? { faults: planFaults } : { plan };
}
