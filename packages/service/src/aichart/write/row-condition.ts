import type { Condition, RowBound, SpanCondition, ValueCondition } from '../plan.ts';
import type { Profile } from '../profile.ts';
import { quoted } from './formulas.ts';
import { spanCondition } from './time-formulas.ts';

/** Writes texts that a column has or has not. */
function valuesCondition(profile: Profile, { column, values, isExcluded }: ValueCondition): string | null {
  const { id, isBoolean } = profile.columns[column] ?? {};
  if (id === undefined) return null;
  if (isBoolean === true) return `{${id}} ${isExcluded ? '!=' : '='} true`;
  return `{${id}} ${isExcluded ? 'not in' : 'in'} (${values.map(quoted).join(', ')})`;
}

function spansCondition(profile: Profile, { column, spans, isExcluded }: SpanCondition): string | null {
  const id = profile.columns[column]?.id;
  const parts = spans.map((span) => (id === undefined ? null : spanCondition(id, span, null, isExcluded)));
  return joined(parts, isExcluded ? 'and' : 'or');
}

function boundCondition(profile: Profile, { column, operator, values: [low, high] }: RowBound): string | null {
  const id = profile.columns[column]?.id;
  if (id === undefined) return null;
  return operator === 'between' ? `{${id}} between ${low} and ${high ?? low}` : `{${id}} ${operator} ${low}`;
}

/** Joins conditions; null if there are none, or if one of them is null. */
function joined(parts: readonly (string | null)[], by: 'and' | 'or'): string | null {
  if (parts.length === 0 || parts.includes(null)) return null;
  const [first = null] = parts;
  return parts.length === 1 ? first : parts.map((part) => `(${part})`).join(` ${by} `);
}

/** Writes a condition of a question on rows; null if formulas cannot express it. */
function written(profile: Profile, condition: Condition): string | null {
  switch (condition.kind) {
    case 'values':
      return valuesCondition(profile, condition);
    case 'empty': {
      const id = profile.columns[condition.column]?.id;
      return id === undefined ? null : `{${id}} is ${condition.isExcluded ? 'not ' : ''}null`;
    }
    case 'span':
      return spansCondition(profile, condition);
    case 'bound':
      return boundCondition(profile, condition);
    case 'either':
      return joined(
        condition.of.map((one) => written(profile, one)),
        'or',
      );
    case 'groupBound':
      return null;
  }
}

/**
 * Writes conditions, all of which hold, as the `where` of an aggregate: null without conditions, undefined if formulas
 * cannot express one of them.
 */
export const rowCondition = (profile: Profile, conditions: readonly Condition[]): string | null | undefined =>
  conditions.length === 0
    ? null
    : (joined(
        conditions.map((condition) => written(profile, condition)),
        'and',
      ) ?? undefined);
