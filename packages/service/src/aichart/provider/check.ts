import {
  isFilterType,
  isDataItemType,
  isList,
  isObject,
  listOr,
  member,
  objectOr,
  slotsOf,
  splits,
  type DataItemType,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import type { CheckedReply } from '../../model/client.ts';
import { objectIn } from './answer-object.ts';
import { compared, withConditions } from '../decide/conditions.ts';
import { familyOf } from '../decide/families.ts';
import type { Ask } from '../engine.ts';
import { grains } from '../grain.ts';
import type { Condition, Group, Plan, Quantity } from '../plan.ts';
import type { Profile } from '../profile.ts';
import { formulaOf } from '../write/formulas.ts';
import { placedConditions } from '../write/placed-conditions.ts';
import { faultsOf } from '../write/plan-faults.ts';
import { columnIn, wordOf, type AnswerContext, type FindValue } from './answer-context.ts';
import { comparisonIn, conditionsIn } from './check-conditions.ts';
import { formulaQuantity } from './check-formula.ts';
import { allowedTypes } from './prompt.ts';
import { aggregations, lacks } from './schema.ts';

/** What a model answered, as far as it passed the checks. */
export interface CheckedAnswer {
  /** What the dataset lacks for an answer; null if there is a chart. */
  readonly lack: (typeof lacks)[number] | null;
  /** True if the chart keeps the filters of the messages before. */
  readonly isFollowUp: boolean;
  /** Words of the question that the chart does not express, as the model says. */
  readonly unread: readonly string[];
  /** The texts that the answer has for values, to be looked up. */
  readonly values: readonly string[];
  /**
   * Returns the chart with the values that were found, and with the conditions of the chart before; null if it cannot be
   * drawn, as without the values of a rate.
   */
  readonly planWith: (find: FindValue, before: readonly Condition[]) => Plan | null;
}

/** A column in a slot of an answer, or a formula, which has the quantity that it computes. */
interface PlacedColumn {
  readonly column: number;
  readonly aggregation: Quantity['aggregation'];
  readonly grain: Group['grain'];
  readonly formula: Quantity | null;
}

function placedColumn({ profile }: AnswerContext, entry: Json): PlacedColumn | null {
  if (!isObject(entry)) return null;
  const column = columnIn(profile, member(entry, 'column'));
  if (column === null || profile.columns[column]?.isFormula === true) return null;
  return {
    column,
    aggregation: wordOf(aggregations, member(entry, 'aggregation')),
    grain: wordOf(grains, member(entry, 'grain')),
    formula: null,
  };
}

function placedFormula(context: AnswerContext, formula: Json, at: string): PlacedColumn | null {
  const quantity = formulaQuantity(context, formula, at);
  return quantity === null
    ? null
    : { column: quantity.column ?? -1, aggregation: quantity.aggregation, grain: null, formula: quantity };
}

const maxSlots = 20;
const maxSlotColumns = 50;
const maxLimit = 1000;
/** Maximum number of texts of an answer that are looked up. */
const maxValues = 40;

type SlotColumns = ReadonlyMap<string, readonly PlacedColumn[]>;

/** Reads the slots of an answer, and adds their faults. Accepts only known slots and columns. */
function slotsIn(context: AnswerContext, answer: JsonObject, type: DataItemType): SlotColumns {
  const { fault } = context;
  const columnsBySlot = new Map<string, readonly PlacedColumn[]>();
  const slots = member(answer, 'slots');
  if (!isList(slots) || slots.length > maxSlots) {
    fault(`"slots" must be a list of at most ${maxSlots}`);
    return columnsBySlot;
  }
  slots.forEach((slot, at) => {
    const name = isObject(slot) ? member(slot, 'name') : undefined;
    const columns = isObject(slot) ? member(slot, 'columns') : undefined;
    const rule = slotsOf(type).find((slot) => slot.name === name);
    if (rule === undefined || !isList(columns)) {
      fault(`slots[${at}] is no slot of ${type}, or has no list of columns`);
      return;
    }
    if (columns.length > maxSlotColumns) fault(`slots[${at}] has more than ${maxSlotColumns} columns`);
    const placements = columns.slice(0, maxSlotColumns).flatMap((entry) => {
      const formula = isObject(entry) ? member(entry, 'formula') : undefined;
      if (formula !== undefined) {
        if (rule.name !== 'measure') fault(`slots[${at}] takes no formula`);
        return placedFormula(context, formula, `slots[${at}]`) ?? [];
      }
      const placed = placedColumn(context, entry);
      if (placed === null) fault(`slots[${at}] names a column that is not in the dataset`);
      return placed ?? [];
    });
    columnsBySlot.set(rule.name, placements);
  });
  return columnsBySlot;
}

/**
 * Returns the quantity of a column in an answer. Numbers are aggregated. For other columns, rows are counted unless the
 * answer asks for distinct values.
 */
function quantity(profile: Profile, { column, aggregation, formula }: PlacedColumn): Quantity {
  if (formula !== null) return formula;
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
    limit: limitIn(answer),
    conditions: [],
    assumed: [],
    reasons: [{ rule: 'an outside model chose it, and it was checked', weight: 1 }],
  };
}

/** Returns the number of groups of an answer; null if it has none, or a wrong one. */
function limitIn(answer: JsonObject): number | null {
  const limit = member(answer, 'limit');
  return typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= maxLimit ? limit : null;
}

const scattered = ({ column, aggregation }: PlacedColumn): Quantity =>
  aggregation === 'count' ? { column: null, aggregation } : { column, aggregation };

/** True if each formula of a plan can be written. */
const hasWritableFormulas = (profile: Profile, { quantities }: Plan): boolean =>
  quantities.every((quantity) => quantity.computed === undefined || formulaOf(profile, quantity, null) !== null);

/** Reads the chart of an answer, and adds its faults. */
function chartIn(context: AnswerContext, answer: JsonObject, type: DataItemType, before: readonly Condition[]): Plan {
  const { profile, fault } = context;
  const chart = planOf(profile, type, slotsIn(context, answer, type), answer);
  if ((member(answer, 'limit') ?? null) !== null && chart.limit === null)
    fault(`"limit" must be null or a whole number from 1 to ${maxLimit}`);
  if (isFilterType(type)) return chart;
  const conditions = conditionsIn(context, member(answer, 'conditions'));
  const comparison = comparisonIn(context, member(answer, 'comparison'));
  // A comparison takes the place of the period that the chart had before.
  const kept = { ...chart, conditions: before };
  const shown = comparison === null ? kept : compared(profile, kept, comparison.time, comparison.clause, null);
  return withConditions(shown, conditions);
}

/**
 * Checks a model's answer. The model can only choose among the types, slots, columns and conditions that it was given.
 * No text of the answer is shown: titles and formats come from this service, and values are looked up. The faults contain
 * no part of the answer. specification/ai-charts#provider
 */
export function checkAnswer(text: string, profile: Profile, query: Ask): CheckedReply<CheckedAnswer> {
  const answer = objectIn(text);
  if (answer === undefined) return { faults: ['the answer is not one JSON object'] };
  const lack = wordOf(lacks, member(answer, 'cannot'));
  const common = {
    lack,
    isFollowUp: member(answer, 'follow_up') === true,
    unread: listOr(member(answer, 'unread')).filter((word) => typeof word === 'string'),
  };
  if (lack !== null) return { answer: { ...common, values: [], planWith: () => null } };
  const type = member(answer, 'type');
  if (typeof type !== 'string' || !isDataItemType(type) || !allowedTypes(query).includes(type))
    return { faults: ['"type" is none of those allowed'] };
  const faults: string[] = [];
  const values = new Set<string>();
  // Every text counts as found here, so that no fault tells a model which values there are.
  const collect: FindValue = (column, value) => {
    values.add(value);
    return { column, value };
  };
  const context = { profile, find: collect, fault: (fault: string) => void faults.push(fault), miss: () => undefined };
  const dryPlan = chartIn(context, answer, type, []);
  if (values.size > maxValues) faults.push(`the answer has more than ${maxValues} values`);
  if (faults.length === 0) faults.push(...faultsOf(profile, dryPlan));
  const isComputable = hasWritableFormulas(profile, dryPlan) && placedConditions(profile, dryPlan).left.length === 0;
  if (faults.length === 0 && !isComputable) faults.push('a measure cannot be computed over these spans');
  if (faults.length > 0) return { faults };
  const planWith: CheckedAnswer['planWith'] = (find, before) => {
    let isWhole = true;
    const miss = (): void => {
      isWhole = false;
    };
    const plan = chartIn({ profile, find, fault: () => undefined, miss }, answer, type, before);
    return isWhole && hasWritableFormulas(profile, plan) && faultsOf(profile, plan).length === 0 ? plan : null;
  };
  return { answer: { ...common, values: [...values], planWith } };
}
