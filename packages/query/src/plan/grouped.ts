import { column, selectOf, type Select, type SelectColumn } from '../expression.ts';
import { QueryProblem } from '../problem.ts';
import type { Measure } from '../query.ts';
import type { ResolvedQuery } from './resolved-query.ts';
import { named, orderOf, partOf, type PlanCell } from './cells.ts';
import { havingOf, measuresIn, settledMeasure } from './expressions/conditions.ts';
import { factsOf } from './facts.ts';
import { groupsOf, type PlacedMeasure } from './groups.ts';
import { measureOf } from './measures.ts';

/** Running sums over groups. */
function withRunning(grouped: Select, running: ReadonlySet<string>, keys: readonly SelectColumn[]): Select {
  if (running.size === 0) return grouped;
  const order = keys.map(({ as, of }) => column('r', as, of.type));
  const columns = grouped.columns.map(({ as, of }): SelectColumn => {
    const own = column('r', as, of.type);
    return { as, of: running.has(as) ? { kind: 'running', of: own, order, type: of.type } : own };
  });
  return selectOf(grouped, 'r', columns);
}

/** Rows rolled up by the dimensions. */
export function groupedPlan(resolved: ResolvedQuery): { readonly body: Select; readonly cells: readonly PlanCell[] } {
  const { query, context, groupings, ordering } = resolved;
  const { model } = context;
  const measured = (measure: Measure, at: string): PlacedMeasure => ({ ...measureOf(context, measure, at), at });
  const measures = query.measures.map((measure, index) => measured(measure, `measures[${index}]`));
  const others = ordering.flatMap((key) => (key.kind === 'other' ? [measured(key.measure, key.at)] : []));
  const tested = measuresIn(query.having).map(({ measure, at }) => measured(settledMeasure(query, measure), at));
  const groups = groupsOf(resolved, factsOf(model, [...measures, ...others, ...tested]));
  let taken = 0;
  const dimensions = named(
    groupings.map((grouping) => {
      const width = grouping.bins === null ? 1 : 3;
      taken += width;
      return partOf(grouping, groups.keys.slice(taken - width, taken));
    }),
    'd',
  );
  const valued = (list: readonly PlacedMeasure[], letter: string) =>
    named(
      list.map((entry) => ({ columns: [groups.valueOf(entry)], cell: entry.cell, answer: (columns) => columns })),
      letter,
    );
  const values = valued(measures, 'm');
  const hidden = valued(others, 'o');
  const having = havingOf(context, query.having, (measure, at) => {
    const entry = measured(settledMeasure(query, measure), at);
    if (entry.running) throw new QueryProblem('unsupported', at, 'running sums are not compared in having');
    return groups.valueOf(entry);
  });
  const grouped: Select = {
    ...selectOf(groups.rows.from, groups.rows.as, [...dimensions.columns, ...values.columns, ...hidden.columns]),
    ...groups.rows,
    grouped: dimensions.columns.length,
    having,
  };
  const running = new Set([
    ...measures.flatMap((measure, index) => (measure.running ? [`m${index}`] : [])),
    ...others.flatMap((other, index) => (other.running ? [`o${index}`] : [])),
  ]);
  const body: Select = {
    ...withRunning(grouped, running, dimensions.columns),
    order: orderOf(ordering, dimensions.cells, values.cells, hidden.columns),
    limit: resolved.limit,
    offset: query.limit.offset,
  };
  return { body, cells: [...dimensions.cells, ...values.cells] };
}
