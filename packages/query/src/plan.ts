import { isLanguage } from '@inlay/contract';
import type { Cell } from './cell.ts';
import type { Expression } from './expression.ts';
import type { Model } from './model.ts';
import { havingOf, measuresIn, settledMeasure, whereOf, type Where } from './plan/conditions.ts';
import { groupingOf, keysIn, type Grouping } from './plan/dimensions.ts';
import { datasetOfAggregate, factKey, factsOf, stacked, type Fact, type Groups } from './plan/facts.ts';
import { measureOf, rawMeasureOf, type Measured } from './plan/measures.ts';
import { orderingOf, type SortKey } from './plan/ordering.ts';
import { looksUp, pathBetween } from './plan/paths.ts';
import type { Select, SelectColumn } from './plan/relation.ts';
import type { Ground } from './plan/ground.ts';
import { plain } from './plan/scans.ts';
import { treeFrom, type Tree } from './plan/tree.ts';
import { relationsOf, replace } from './plan/walk.ts';
import { zoneNamed } from './plan/zone.ts';
import { QueryProblem } from './problem.ts';
import type { Condition, Measure, Query } from './query.ts';

/** What a query is answered for. */
export interface Context {
  readonly nowMs: number;
  /** IANA zone where the query names none. */
  readonly timeZone: string;
  /** 1 Monday … 7 Sunday, where the query names none. */
  readonly weekstart: number;
  /** Language of names of members where the query names none. */
  readonly locale: string;
  /** At most so many rows; a plan asks for one more, so that a cut is seen. */
  readonly rowLimit: number;
  /** By dataset id: tests that every row read for this caller must pass, whatever the query says. */
  readonly rowFilters: ReadonlyMap<string, readonly Condition[]>;
}

/** A cell of the answer, made of columns of the body, which goes by the name `q`. */
export interface PlanCell {
  readonly cell: Cell;
  readonly of: readonly Expression[];
}

/** How a query is answered: one select, and the cells made of its rows. Plain data; the same query, the same plan. */
export interface Plan {
  readonly body: Select;
  readonly cells: readonly PlanCell[];
  readonly locale: string;
}

/** A column of the answer before it has a name. */
interface Part {
  readonly columns: readonly Expression[];
  readonly cell: Cell;
  readonly answer: (columns: readonly Expression[]) => readonly Expression[];
}

const column = (relation: string, as: string, type: Expression['type']): Expression => ({
  ...{ kind: 'column', relation, name: as, type },
});

const partOf = ({ answer, cell }: Grouping, keys: readonly Expression[]): Part => ({
  columns: keys,
  cell,
  answer: (columns) => columns.map((one, index) => (index === 0 ? answer(one) : one)),
});

function named(
  parts: readonly Part[],
  letter: string,
): { readonly columns: SelectColumn[]; readonly cells: PlanCell[] } {
  const columns: SelectColumn[] = [];
  const cells = parts.map(({ columns: of, cell, answer }): PlanCell => {
    const own = of.map((expression) => {
      const as = `${letter}${columns.length}`;
      columns.push({ as, of: expression });
      return column('q', as, expression.type);
    });
    return { cell, of: answer(own) };
  });
  return { columns, cells };
}

const firstColumn = (cell: PlanCell | undefined): readonly string[] =>
  cell === undefined ? [] : cell.of.flatMap((one) => columnNames(one)).slice(0, 1);
const columnNames = (expression: Expression): readonly string[] => {
  const found: string[] = [];
  replace(expression, (part) => {
    if (part.kind === 'column') found.push(part.name);
    return null;
  });
  return found;
};

const orderOf = (
  ordering: readonly SortKey[],
  dimensions: readonly PlanCell[],
  measures: readonly PlanCell[],
  others: readonly SelectColumn[],
): Select['order'] => {
  let other = 0;
  return ordering.flatMap((key) => {
    if (key.kind === 'other') {
      const as = others[other]?.as;
      other += 1;
      return as === undefined ? [] : [{ as, direction: key.direction }];
    }
    const names = firstColumn((key.kind === 'dimension' ? dimensions : measures)[key.index]);
    return names.map((as) => ({ as, direction: key.direction }));
  });
};

interface Asked {
  readonly query: Query;
  readonly ground: Ground;
  readonly groupings: readonly Grouping[];
  readonly where: readonly Where[];
  readonly ordering: readonly SortKey[];
  readonly limit: number;
}

const ownFilters =
  ({ where }: Asked) =>
  (datasetId: string): readonly Expression[] =>
    where.filter(({ datasets }) => datasets.length === 1 && datasets[0] === datasetId).map(({ test }) => test);

/** The rows of a dataset with all that the query asks of others; its filters are in them. */
function treeOf(asked: Asked, root: string, more: readonly string[], at: string): Tree {
  const { ground, groupings, where, query } = asked;
  const named = [
    ...groupings.map(({ own }) => own.column.datasetId),
    ...where.flatMap(({ datasets }) => datasets),
    ...more,
  ];
  const others = [...new Set(named)].filter((id) => id !== root);
  const tree = treeFrom(ground, root, others, at, !query.options.rollupData);
  for (const { test, at: place } of where) tree.restrict(test, place);
  return tree;
}

/** The dataset from which most others are looked up: its rows are meant where no measure says so. */
function rootOf(model: Model, datasets: readonly string[]): string {
  const reached = (one: string): number => datasets.filter((other) => looksUp(model, one, other)).length;
  const [first = ''] = datasets;
  return datasets.reduce((best, one) => (reached(one) > reached(best) ? one : best), first);
}

function rawPlan(asked: Asked): Pick<Plan, 'body' | 'cells'> {
  const { query, ground, groupings, ordering } = asked;
  if (query.having.length > 0)
    throw new QueryProblem('expression_invalid', 'having', 'there are no groups where rows are not rolled up');
  const measures = query.measures.map((one, index) => rawMeasureOf(ground, one, `measures[${index}]`));
  const others = ordering.flatMap((key) => (key.kind === 'other' ? [rawMeasureOf(ground, key.measure, key.at)] : []));
  const read = [...measures, ...others].flatMap(({ value }) => relationsOf(value));
  const datasets = [...new Set([...groupings.map(({ own }) => own.column.datasetId), ...read])];
  const tree = treeOf(asked, rootOf(ground.model, datasets), datasets, 'dimensions');
  const dimensions = named(
    groupings.map((one, index) => {
      const at = `dimensions[${index}]`;
      const exact = one.cell.kind === 'datetime' && query.dimensions[index]?.level === null;
      return exact
        ? partOf({ ...one, answer: (key) => key }, [tree.place(one.value, at)])
        : partOf(one, keysIn(tree, one, ownFilters(asked), at));
    }),
    'd',
  );
  const plainParts = (list: readonly Measured[], letter: string) =>
    named(
      list.map(({ value, cell }) => ({ columns: [tree.place(value, 'measures')], cell, answer: (columns) => columns })),
      letter,
    );
  const values = plainParts(measures, 'm');
  const hidden = plainParts(others, 'o');
  const rows = tree.rows();
  const body: Select = {
    ...plain(rows.from, rows.as, [...dimensions.columns, ...values.columns, ...hidden.columns]),
    ...rows,
    order: orderOf(ordering, dimensions.cells, values.cells, hidden.columns),
    limit: asked.limit,
    offset: query.limit.offset,
  };
  return { body, cells: [...dimensions.cells, ...values.cells] };
}

type Placed = Measured & { readonly at: string };

function groupsOf(
  asked: Asked,
  facts: readonly Fact[],
): Groups & { readonly valueOf: (measured: Placed) => Expression } {
  const { groupings, ground } = asked;
  const roots = [...new Set(facts.map(({ datasetId }) => datasetId))];
  const used = [
    ...groupings.map(({ own }) => own.column.datasetId),
    ...asked.where.flatMap(({ datasets }) => datasets),
  ];
  const single = (root: string): Groups => {
    const own = facts.filter(({ datasetId }) => datasetId === root);
    const looked = own.flatMap((fact) => relationsOf(fact.aggregate));
    const partners = roots.filter((other) => pathBetween(ground.model, root, other)?.some(({ exact }) => exact));
    for (const other of roots) {
      if (pathBetween(ground.model, root, other) === null)
        throw new QueryProblem('join_missing', 'measures', `no linked columns lead from dataset ${root} to ${other}`);
    }
    const tree = treeOf(asked, root, [...looked, ...partners], 'measures');
    const keys = groupings.flatMap((one, index) => keysIn(tree, one, ownFilters(asked), `dimensions[${index}]`));
    const placed = new Map(own.map((fact) => [factKey(fact), tree.place(fact.aggregate, 'measures')]));
    const of: Groups['of'] = (found) => placed.get(factKey({ datasetId: root, aggregate: found })) ?? found;
    return { rows: tree.rows(), keys, of };
  };
  const factIn = (found: Fact['aggregate'], { datasetId, at }: Placed): Fact => ({
    datasetId: datasetOfAggregate(ground.model, found, datasetId, at),
    aggregate: found,
  });
  const valued = (of: (fact: Fact) => Expression) => (measured: Placed) =>
    replace(measured.value, (part) => (part.kind === 'aggregate' ? of(factIn(part, measured)) : null));
  const [only, ...more] = roots;
  if (more.length === 0) {
    const groups = single(only ?? rootOf(ground.model, [...new Set(used)]));
    return { ...groups, valueOf: valued(({ aggregate }) => groups.of(aggregate)) };
  }
  const each = roots.map((root) => ({
    datasetId: root,
    groups: single(root),
    facts: facts.filter(({ datasetId }) => datasetId === root),
  }));
  const types = each[0]?.groups.keys.map(({ type }) => type) ?? [];
  const together = stacked(each, types);
  return { rows: together.rows, keys: together.keys, of: (found) => found, valueOf: valued(together.of) };
}

/** Running sums over groups that are already made. */
function withRunning(grouped: Select, running: ReadonlySet<string>, keys: readonly SelectColumn[]): Select {
  if (running.size === 0) return grouped;
  const order = keys.map(({ as, of }) => column('r', as, of.type));
  const columns = grouped.columns.map(({ as, of }): SelectColumn => {
    const own = column('r', as, of.type);
    return { as, of: running.has(as) ? { kind: 'running', of: own, order, type: of.type } : own };
  });
  return plain(grouped, 'r', columns);
}

function groupedPlan(asked: Asked): Pick<Plan, 'body' | 'cells'> {
  const { query, ground, groupings, ordering } = asked;
  const { model } = ground;
  const measured = (measure: Measure, at: string): Placed => ({ ...measureOf(ground, measure, at), at });
  const measures = query.measures.map((one, index) => measured(one, `measures[${index}]`));
  const others = ordering.flatMap((key) => (key.kind === 'other' ? [measured(key.measure, key.at)] : []));
  const tested = measuresIn(query.having).map(({ measure, at }) => measured(settledMeasure(query, measure), at));
  const groups = groupsOf(asked, factsOf(model, [...measures, ...others, ...tested]));
  let taken = 0;
  const dimensions = named(
    groupings.map((one) => {
      const width = one.bins === null ? 1 : 3;
      taken += width;
      return partOf(one, groups.keys.slice(taken - width, taken));
    }),
    'd',
  );
  const valued = (list: readonly Placed[], letter: string) =>
    named(
      list.map((one) => ({ columns: [groups.valueOf(one)], cell: one.cell, answer: (columns) => columns })),
      letter,
    );
  const values = valued(measures, 'm');
  const hidden = valued(others, 'o');
  const having = havingOf(ground, query.having, (measure, at) => {
    const one = measured(settledMeasure(query, measure), at);
    if (one.running) throw new QueryProblem('unsupported', at, 'running sums are not compared in having');
    return groups.valueOf(one);
  });
  const grouped: Select = {
    ...plain(groups.rows.from, groups.rows.as, [...dimensions.columns, ...values.columns, ...hidden.columns]),
    ...groups.rows,
    grouped: dimensions.columns.length,
    having,
  };
  const running = new Set([
    ...measures.flatMap((one, index) => (one.running ? [`m${index}`] : [])),
    ...others.flatMap((one, index) => (one.running ? [`o${index}`] : [])),
  ]);
  const body: Select = {
    ...withRunning(grouped, running, dimensions.columns),
    order: orderOf(ordering, dimensions.cells, values.cells, hidden.columns),
    limit: asked.limit,
    offset: query.limit.offset,
  };
  return { body, cells: [...dimensions.cells, ...values.cells] };
}

/**
 * Plans a query over what its caller may see. Pure: the clock, the zone and the row filters come in the context.
 * Raises QueryProblem with a stable code and the place in the query.
 */
export function plan(query: Query, model: Model, context: Context): Plan {
  const zone = zoneNamed(query.options.timezoneId ?? context.timeZone, 'options.timezone_id');
  const weekstart = query.options.weekstart ?? context.weekstart;
  const ground: Ground = { model, clock: { nowMs: context.nowMs, zone, weekstart }, rowFilters: context.rowFilters };
  if (query.dimensions.length + query.measures.length === 0)
    throw new QueryProblem('query_empty', '', 'name dimensions or measures');
  const asked: Asked = {
    query,
    ground,
    groupings: query.dimensions.map((one, index) => groupingOf(ground, one, `dimensions[${index}]`)),
    where: whereOf(ground, query.where),
    ordering: orderingOf(query),
    limit: Math.min(query.limit.by ?? Number.MAX_SAFE_INTEGER, context.rowLimit + 1),
  };
  const locale = query.options.localeId ?? context.locale;
  const made = query.options.rollupData ? groupedPlan(asked) : rawPlan(asked);
  return { ...made, locale: isLanguage(locale) ? locale : 'en' };
}

/** Ids of the datasets that a query names itself, each once, in order of appearance. */
export function datasetsOf(query: Query): readonly string[] {
  const ofMeasure = (measure: Measure | null): readonly string[] => {
    if (measure === null) return [];
    if (measure.kind !== 'column') return measure.datasetId === null ? [] : [measure.datasetId];
    return [measure.on.datasetId, ...(measure.second === null ? [] : [measure.second.datasetId])];
  };
  const ofConditions = (conditions: readonly Condition[]): readonly string[] =>
    conditions.flatMap((one) =>
      one.kind === 'test' ? [one.on.datasetId, ...ofMeasure(one.measure)] : ofConditions(one.of),
    );
  const found = [
    ...query.dimensions.map(({ datasetId }) => datasetId),
    ...query.measures.flatMap(ofMeasure),
    ...ofConditions([...query.where, ...query.having]),
    ...query.order.flatMap(({ on, measure }) => [on.datasetId, ...ofMeasure(measure)]),
  ];
  return [...new Set(found)].filter((id) => id !== '');
}
