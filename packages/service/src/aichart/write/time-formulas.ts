import { unitOfLevel } from '../decide/conditions.ts';
import type { SpanShift } from '../plan.ts';
import type { TimeSpan, TimeUnit } from '../read/conditions/clauses.ts';

/** A moment that ends or starts a span, as the text of a formula. */
interface SpanEdges {
  /** Null if the span has no start. */
  readonly from: string | null;
  /** Null if the span has no end. */
  readonly until: string | null;
}

const added = (unit: TimeUnit, by: number, of: string): string => (by === 0 ? of : `dateadd('${unit}', ${by}, ${of})`);
const startOf = (unit: TimeUnit): string => `datetrunc('${unit}', now())`;
const dayAfter = (day: string): string => added('day', 1, `date('${day}')`);

/** Returns the edges of a span; null if formulas cannot express it. */
function edgesOf(span: TimeSpan): SpanEdges | null {
  if (span.kind === 'parts') return null;
  if (span.kind === 'between')
    return {
      from: span.from === null ? null : `date('${span.from}')`,
      until: span.to === null ? null : dayAfter(span.to),
    };
  if (span.kind === 'period') {
    const start = `date('${span.start}')`;
    return { from: start, until: added(unitOfLevel(span.level), 1, start) };
  }
  const { unit, quantity } = span;
  switch (span.expression) {
    case 'last_now':
      return { from: added(unit, -quantity, 'now()'), until: 'now()' };
    case 'to_date':
      return { from: added(unit, 1 - quantity, startOf(unit)), until: 'now()' };
    case 'last_completed':
      return { from: added(unit, -quantity, startOf(unit)), until: startOf(unit) };
    case 'ago':
      return { from: added(unit, -quantity, startOf(unit)), until: added(unit, 1 - quantity, startOf(unit)) };
    case 'more_than_ago':
      return { from: null, until: added(unit, -quantity, 'now()') };
    case 'next_now':
      return { from: 'now()', until: added(unit, quantity, 'now()') };
    case 'next_full':
      return { from: added(unit, 1, startOf(unit)), until: added(unit, quantity + 1, startOf(unit)) };
    case 'last_available':
      return null;
  }
}

const partFunctions = { weekday: 'weekday', month: 'month', hour: 'hour', quarter: 'quarter' } as const;

/**
 * Writes the condition of a formula that a column of times lies in a span, moved back by `shift`. Null if formulas cannot
 * express it.
 */
export function spanCondition(id: string, span: TimeSpan, shift: SpanShift | null, isExcluded = false): string | null {
  if (span.kind === 'parts')
    return `${partFunctions[span.part]}({${id}}) ${isExcluded ? 'not in' : 'in'} (${span.values.join(', ')})`;
  const edges = edgesOf(span);
  if (edges === null) return null;
  const moved = (edge: string): string => (shift === null ? edge : added(shift.unit, -shift.by, edge));
  const tests = [
    ...(edges.from === null ? [] : [`{${id}} ${isExcluded ? '<' : '>='} ${moved(edges.from)}`]),
    ...(edges.until === null ? [] : [`{${id}} ${isExcluded ? '>=' : '<'} ${moved(edges.until)}`]),
  ];
  return tests.length === 0 ? null : tests.join(isExcluded ? ' or ' : ' and ');
}
