import type { Condition } from '../plan.ts';
import type { Profile } from '../profile.ts';
import { quoted } from './formulas.ts';
import { spanCondition } from './time-formulas.ts';

/** Writes a condition of a question on rows; null if formulas cannot express it. */
function written(profile: Profile, condition: Condition): string | null {
  const id = condition.column === null ? undefined : profile.columns[condition.column]?.id;
  if (id === undefined) return null;
  switch (condition.kind) {
    case 'values':
      return `{${id}} ${condition.isExcluded ? 'not in' : 'in'} (${condition.values.map(quoted).join(', ')})`;
    case 'span': {
      const spans = condition.spans.map((span) => spanCondition(id, span, null, condition.isExcluded));
      if (spans.length === 0 || spans.includes(null)) return null;
      return spans.length === 1
        ? (spans[0] ?? null)
        : spans.map((span) => `(${span})`).join(condition.isExcluded ? ' and ' : ' or ');
    }
    case 'bound': {
      const [low, high] = condition.values;
      return condition.operator === 'between'
        ? `{${id}} between ${low} and ${high ?? low}`
        : `{${id}} ${condition.operator} ${low}`;
    }
    case 'groupBound':
      return null;
  }
}

/**
 * Writes conditions, all of which hold, as the `where` of an aggregate: null without conditions, undefined if formulas
 * cannot express one of them.
 */
export function rowCondition(profile: Profile, conditions: readonly Condition[]): string | null | undefined {
  const parts = conditions.map((condition) => written(profile, condition));
  if (parts.includes(null)) return undefined;
  if (parts.length <= 1) return parts[0] ?? null;
  return parts.map((part) => `(${part})`).join(' and ');
}
