import { column, type Expression, type Join, type Scan, type ScanColumn, type Select } from '../expression.ts';
import type { Plan } from '../plan.ts';
import { valueType } from '../plan/expressions/values.ts';
import { aggregatesOf, allParts } from '../plan/expressions/walk.ts';
import { zoneNamed } from '../plan/time/zone.ts';
import { typeOfPart } from './build.ts';
import { bucketEdge, isAfterAll, unixMsOf, type NewestTimes } from './edges.ts';
import { isSame, NoRollup, RollupWalk, type RollupReader } from './reader.ts';
import { rollupColumn, servesPeriod, type RollupPart, type RollupShape, type RollupTime } from './shape.ts';

/** A rollup of the rows that a dataset has in a plan. */
export interface Rollup {
  readonly id: string;
  readonly shape: RollupShape;
  /** Number of rows. Of several rollups that answer a query, the smallest is read. */
  readonly rows: number;
  readonly newest: NewestTimes;
}

/** A rollup that a plan reads. `relation` is its name in the plan. */
export interface RollupUse {
  readonly relation: string;
  readonly datasetId: string;
  readonly rollupId: string;
}

/** Name of a rollup in a plan. Ids of datasets have no spaces. */
export const rollupRelation = (datasetId: string, rollupId: string): string => `${datasetId} ${rollupId}`;

/** Reads one rollup. */
class ShapeReader implements RollupReader {
  readonly #alias: string;
  readonly #shape: RollupShape;
  readonly #newest: NewestTimes;
  /** Columns of the rollup that were read. */
  readonly read = new Map<string, ScanColumn>();

  constructor(alias: string, { shape, newest }: Rollup) {
    this.#alias = alias;
    this.#shape = shape;
    this.#newest = newest;
  }

  #column(name: string, storageType: ScanColumn['storageType']): Expression {
    this.read.set(name, { name, storageType });
    return column(this.#alias, name, storageType);
  }

  #keyOf(name: string): Expression | null {
    const index = this.#shape.columns.findIndex((entry) => entry.name === name);
    const storageType = this.#shape.columns[index]?.storageType;
    return storageType === undefined ? null : this.#column(rollupColumn.column(index), valueType(storageType));
  }

  #time(isFitting: (time: RollupTime) => boolean): Expression | null {
    const index = this.#shape.times.findIndex(isFitting);
    return index < 0 ? null : this.#column(rollupColumn.time(index), 'timestamp');
  }

  column(name: string): Expression {
    const key = this.#keyOf(name);
    if (key === null) throw new NoRollup();
    return key;
  }

  period(name: string, zone: string, level: number, weekstart: number): Expression | null {
    return this.#time(
      (time) => time.column.name === name && time.zone === zone && servesPeriod(time, level, weekstart),
    );
  }

  edge(name: string, sign: '>=' | '<', edge: Expression): Expression | null {
    const unixMs = unixMsOf(edge);
    if (unixMs === null) return null;
    if (isAfterAll(this.#newest, name, unixMs)) {
      // True, or false for `>=`, unless the time is null.
      const time = this.presence(name);
      return time === null
        ? null
        : { kind: 'call', name: sign === '<' ? '>=' : '<', args: [time, time], type: 'boolean' };
    }
    for (const time of this.#shape.times) {
      const wall = time.column.name === name ? bucketEdge(unixMs, time, zoneNamed(time.zone, '')) : null;
      const bucket = wall === null ? null : this.#time((candidate) => candidate === time);
      if (wall !== null && bucket !== null) return { kind: 'call', name: sign, args: [bucket, wall], type: 'boolean' };
    }
    return null;
  }

  presence(name: string): Expression | null {
    return this.#keyOf(name) ?? this.#time((time) => time.column.name === name);
  }

  part(name: RollupPart['name'], of: Expression | null): Expression | null {
    const index = this.#shape.parts.findIndex((part) => part.name === name && isSame(part.of, of));
    const part = this.#shape.parts[index];
    return part === undefined ? null : this.#column(rollupColumn.part(index), typeOfPart(part));
  }
}

/** A select that groups the rows of a scan. */
export type GroupedScan = Select & { readonly from: Scan };

/**
 * True if a rollup may stand for the scan: the rows are grouped and joined to at most one row each, and no group is chosen
 * by a double, whose last digits depend on the order in which rows are added.
 */
export const isGroupedScan = (select: Select): select is GroupedScan =>
  select.from.kind === 'scan' &&
  select.grouped !== null &&
  !select.distinct &&
  select.joins.every(({ how }) => how !== 'inner') &&
  !select.having.flatMap(aggregatesOf).some(({ type }) => type === 'double') &&
  !select.having.some((test) => [...allParts(test)].some((part) => part.kind === 'call' && part.name === '/'));

/** Rewrites all expressions of a select over the rows of its scan. Raises NoRollup. */
export function walkScan(select: GroupedScan, walk: RollupWalk): GroupedScan {
  const all = (expressions: readonly Expression[]): readonly Expression[] =>
    expressions.map((expression) => walk.of(expression));
  const { from, joins, where, columns, having } = select;
  return {
    ...select,
    from: { ...from, rowFilters: all(from.rowFilters), filters: all(from.filters) },
    joins: joins.map((join): Join => ({
      ...join,
      on: join.on.map(([left, right]) => [walk.of(left), right] as const),
    })),
    where: all(where),
    columns: columns.map(({ as, of }) => ({ as, of: walk.of(of) })),
    having: all(having),
  };
}

function overRollup(select: GroupedScan, rollup: Rollup): GroupedScan | null {
  const reader = new ShapeReader(select.as, rollup);
  try {
    const walked = walkScan(select, new RollupWalk(select.as, reader));
    const columns = [...reader.read.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1));
    return {
      ...walked,
      from: { ...walked.from, datasetId: rollupRelation(select.from.datasetId, rollup.id), columns },
    };
  } catch (error) {
    if (error instanceof NoRollup) return null;
    throw error;
  }
}

/** The rollups of the datasets of a plan, by dataset id. */
export type RollupsOf = (datasetId: string) => readonly Rollup[];

class PlanRewrite {
  readonly #rollupsOf: RollupsOf;
  readonly uses = new Map<string, RollupUse>();

  constructor(rollupsOf: RollupsOf) {
    this.#rollupsOf = rollupsOf;
  }

  of(select: Select): Select {
    const joined = { ...select, joins: select.joins.map((join) => ({ ...join, to: this.of(join.to) })) };
    const { from } = joined;
    if (from.kind === 'stack') return { ...joined, from: { ...from, of: from.of.map((part) => this.of(part)) } };
    if (from.kind === 'select') return { ...joined, from: this.of(from) };
    return isGroupedScan(joined) ? this.#scan(joined) : joined;
  }

  #scan(select: GroupedScan): Select {
    const { datasetId } = select.from;
    for (const rollup of this.#rollupsOf(datasetId).toSorted((left, right) => left.rows - right.rows)) {
      const rewritten = overRollup(select, rollup);
      if (rewritten === null) continue;
      const relation = rollupRelation(datasetId, rollup.id);
      this.uses.set(relation, { relation, datasetId, rollupId: rollup.id });
      return rewritten;
    }
    return select;
  }
}

/**
 * Rewrites a plan so that it reads rollups in place of the rows of datasets wherever the answer is the same. Integers and
 * decimals are the same; doubles may differ in the last digits. Returns null if no rollup fits. Pure.
 */
export function overRollups(
  plan: Plan,
  rollupsOf: RollupsOf,
): { readonly plan: Plan; readonly uses: readonly RollupUse[] } | null {
  const rewrite = new PlanRewrite(rollupsOf);
  const body = rewrite.of(plan.body);
  return rewrite.uses.size === 0 ? null : { plan: { ...plan, body }, uses: [...rewrite.uses.values()] };
}
