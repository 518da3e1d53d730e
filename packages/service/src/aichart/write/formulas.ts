import type { ComputedValue, Quantity } from '../plan.ts';
import { settle } from '../decide/arrange.ts';
import type { Profile } from '../profile.ts';
import { spanCondition } from './time-formulas.ts';

/** A formula with its number format. */
export interface WrittenFormula {
  readonly formula: string;
  readonly format: string;
}

/** Writes a text of a formula. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Functions of formulas, by aggregation. */
const functionNames = {
  sum: 'sum',
  average: 'avg',
  min: 'min',
  max: 'max',
  median: 'median',
  stddev: 'stddev',
  count: 'count',
  distinctcount: 'distinctcount',
} as const;

/** Writes the aggregate of a quantity. Null if formulas do not have it, or if the column is unknown. */
function aggregateOf(profile: Profile, quantity: Quantity, condition: string | null): string | null {
  const { column, aggregation } = settle(profile, quantity);
  if (profile.columns[column ?? -1]?.isFormula === true) return null;
  const where = condition === null ? '' : ` where ${condition}`;
  if (column === null) return `count(*${where})`;
  const id = profile.columns[column]?.id;
  if (id === undefined || aggregation === null || aggregation === 'cumulativesum') return null;
  return `${functionNames[aggregation]}({${id}}${where})`;
}

/**
 * Writes the formula of a computed quantity over the rows that fulfil a condition; null if it cannot be written.
 */
function written(
  profile: Profile,
  column: number | null,
  computed: ComputedValue,
  condition: string | null,
): WrittenFormula | null {
  if (computed.kind === 'during') {
    const id = profile.columns[computed.time]?.id;
    const during = id === undefined ? null : spanCondition(id, computed.span, computed.shift);
    if (during === null) return null;
    return formulaOf(profile, computed.of, condition === null ? during : `(${condition}) and (${during})`);
  }
  if (computed.kind === 'percentile') {
    const id = profile.columns[column ?? -1]?.id;
    const where = condition === null ? '' : ` where ${condition}`;
    return id === undefined ? null : { formula: `percentile({${id}}, ${computed.percent}${where})`, format: ',.2f' };
  }
  if (computed.kind === 'rate') {
    const { id, isBoolean } = profile.columns[column ?? -1] ?? {};
    if (id === undefined || computed.values.length === 0) return null;
    const having =
      isBoolean === true
        ? `{${id}} ${computed.isExcluded ? '!=' : '='} true`
        : `{${id}} ${computed.isExcluded ? 'not in' : 'in'} (${computed.values.map(quoted).join(', ')})`;
    const both = condition === null ? having : `${having} and (${condition})`;
    const whole: Quantity =
      computed.of === undefined ? { column: null, aggregation: 'count' } : { column: computed.of, aggregation: 'sum' };
    const [part, all] = [aggregateOf(profile, whole, both), aggregateOf(profile, whole, condition)];
    return part === null || all === null ? null : { formula: `${part} / ${all}`, format: '.1%' };
  }
  const [left, right] = [computed.of, computed.to].map((part) => aggregateOf(profile, part, condition));
  if (left === undefined || right === undefined || left === null || right === null) return null;
  return computed.kind === 'ratio'
    ? { formula: `${left} / ${right}`, format: computed.isShare ? '.1%' : ',.2f' }
    : { formula: `${left} - ${right}`, format: ',.2f' };
}

/**
 * Writes the formula of a quantity over the rows that fulfil a condition, or over all if that is null; null if formulas
 * cannot express it.
 */
export function formulaOf(profile: Profile, quantity: Quantity, condition: string | null): WrittenFormula | null {
  if (quantity.computed !== undefined) return written(profile, quantity.column, quantity.computed, condition);
  const formula = aggregateOf(profile, quantity, condition);
  const { aggregation } = settle(profile, quantity);
  return formula === null ? null : { formula, format: aggregation === 'average' ? ',.2f' : ',.0f' };
}
