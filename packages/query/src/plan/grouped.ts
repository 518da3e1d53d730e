import { column, selectOf, type Select, type SelectColumn } from '../expression.ts';
import { QueryProblem } from '../problem.ts';
import type { Measure } from '../query.ts';
import type { ResolvedQuery } from './resolved-query.ts';
import { named, orderOf, partOf, type PlanCell } from './cells.ts';
import { havingOf, measuresIn, settledMeasure } from './expressions/conditions.ts';
import { factsOf } from './facts.ts';
import { groupsOf, type PlacedMeasure } from './groups.ts';
import { measureOf } from './measures.ts';

/** Adds the running sums over the groups of a select. */
function withRunning(groupedSelect: Select, runningNames: ReadonlySet<string>, keys: readonly SelectColumn[]): Select {
  if (runningNames.size === 0) return groupedSelect;
  const order = keys.map(({ as, of }) => column('r', as, of.type));
  const columns = groupedSelect.columns.map(({ as, of }): SelectColumn => {
    const groupedColumn = column('r', as, of.type);
    return {
      as,
      of: runningNames.has(as) ? { kind: 'running', of: groupedColumn, order, type: of.type } : groupedColumn,
    };
  });
  return selectOf(groupedSelect, 'r', columns);
}

/** Plans a query whose rows are grouped by its dimensions. */
export function groupedPlan(resolvedQuery: ResolvedQuery): {
  readonly body: Select;
  readonly cells: readonly PlanCell[];
} {
  const { query, context, groupings, ordering } = resolvedQuery;
  const { model } = context;
  const placedMeasure = (measure: Measure, at: string): PlacedMeasure => ({ ...measureOf(context, measure, at), at });
  const measures = query.measures.map((measure, index) => placedMeasure(measure, `measures[${index}]`));
  const others = ordering.flatMap((key) => (key.kind === 'other' ? [placedMeasure(key.measure, key.at)] : []));
  const testedMeasures = measuresIn(query.having).map(({ measure, at }) =>
    placedMeasure(settledMeasure(query, measure), at),
  );
  const groups = groupsOf(resolvedQuery, factsOf(model, [...measures, ...others, ...testedMeasures]));
  let takenKeys = 0;
  const dimensions = named(
    groupings.map((grouping) => {
      const width = grouping.bins === null ? 1 : 3;
      takenKeys += width;
      return partOf(grouping, groups.keys.slice(takenKeys - width, takenKeys));
    }),
    'd',
  );
  const namedValues = (list: readonly PlacedMeasure[], letter: string) =>
    named(
      list.map((entry) => ({ columns: [groups.valueOf(entry)], cell: entry.cell, answer: (columns) => columns })),
      letter,
    );
  const values = namedValues(measures, 'm');
  const hiddenValues = namedValues(others, 'o');
  const having = havingOf(context, query.having, (measure, at) => {
    const entry = placedMeasure(settledMeasure(query, measure), at);
    if (entry.running) throw new QueryProblem('unsupported', at, 'running sums are not compared in having');
    return groups.valueOf(entry);
  });
  const groupedSelect: Select = {
    ...selectOf(groups.rows.from, groups.rows.as, [...dimensions.columns, ...values.columns, ...hiddenValues.columns]),
    ...groups.rows,
    grouped: dimensions.columns.length,
    having,
  };
  const runningNames = new Set([
    ...measures.flatMap((measure, index) => (measure.running ? [`m${index}`] : [])),
    ...others.flatMap((other, index) => (other.running ? [`o${index}`] : [])),
  ]);
  const body: Select = {
    ...withRunning(groupedSelect, runningNames, dimensions.columns),
    order: orderOf(ordering, dimensions.cells, values.cells, hiddenValues.columns),
    limit: resolvedQuery.limit,
    offset: query.limit.offset,
  };
  return { body, cells: [...dimensions.cells, ...values.cells] };
}
