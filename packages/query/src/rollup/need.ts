import { column, type Expression, type ScanColumn, type Select } from '../expression.ts';
import type { Plan } from '../plan.ts';
import { valueType } from '../plan/expressions/values.ts';
import { allParts, columnsOf } from '../plan/expressions/walk.ts';
import { zoneNamed } from '../plan/time/zone.ts';
import { bucketEdge, isAfterAll, unixMsOf, type NewestTimes } from './edges.ts';
import { NoRollup, RollupWalk, type RollupReader } from './reader.ts';
import { isGroupedScan, walkScan, type GroupedScan } from './rewrite.ts';
import {
  shapeAlias,
  unionOfShapes,
  type BucketLevel,
  type RollupPart,
  type RollupShape,
  type RollupTime,
} from './shape.ts';

const bucketLevels = [1, 2, 3, 4, 5] as const;
const bucketLevel = (level: number): BucketLevel | null => bucketLevels.find((entry) => entry === level) ?? null;

/** Collects what a rollup needs for a select. */
class NeedReader implements RollupReader {
  readonly #scanned: ReadonlyMap<string, ScanColumn>;
  readonly #zones: readonly string[];
  readonly #newest: NewestTimes;
  readonly #columns = new Map<string, ScanColumn>();
  readonly #times: RollupTime[] = [];
  readonly #parts: RollupPart[] = [];
  readonly #edges: { readonly name: string; readonly unixMs: number }[] = [];
  readonly #present = new Set<string>();

  constructor({ from: { columns } }: GroupedScan, zones: readonly string[], newest: NewestTimes) {
    this.#newest = newest;
    this.#scanned = new Map(columns.map(({ name, storageType }) => [name, { name, storageType }]));
    this.#zones = zones.map((zone) => zoneNamed(zone, '').name);
  }

  #scan(name: string): ScanColumn {
    const entry = this.#scanned.get(name);
    if (entry === undefined) throw new NoRollup();
    return entry;
  }

  column(name: string): Expression {
    const entry = this.#scan(name);
    this.#columns.set(name, entry);
    return column(shapeAlias, name, valueType(entry.storageType));
  }

  period(name: string, zone: string, level: number, weekstart: number): Expression | null {
    const bucket = bucketLevel(level);
    if (bucket === null) return null;
    this.#times.push({ column: this.#scan(name), zone, level: bucket, weekstart: bucket === 4 ? weekstart : 1 });
    return column(shapeAlias, name, 'timestamp');
  }

  edge(name: string, _sign: string, edge: Expression): Expression | null {
    const unixMs = unixMsOf(edge);
    if (unixMs === null) return null;
    if (isAfterAll(this.#newest, name, unixMs)) this.#present.add(name);
    else this.#edges.push({ name, unixMs });
    return edge;
  }

  presence(name: string): Expression | null {
    this.#present.add(name);
    return column(shapeAlias, name, 'timestamp');
  }

  part(name: RollupPart['name'], of: Expression | null): Expression | null {
    const parts = of === null ? [] : [...allParts(of)];
    // Values in a measure are not recorded, and columns of other datasets are in no rollup.
    const isOwn = parts.every(
      (part) =>
        part.kind !== 'literal' &&
        part.kind !== 'subquery' &&
        part.kind !== 'member' &&
        part.kind !== 'listed' &&
        (part.kind !== 'column' || part.relation === shapeAlias),
    );
    if (!isOwn) return null;
    const reads = of === null ? [] : columnsOf([of], shapeAlias).map((entry) => this.#scan(entry));
    this.#parts.push({ name, of, reads });
    return of ?? column(shapeAlias, '', 'integer');
  }

  /** Raises NoRollup if no bucket has the edges of the times. */
  shape(): RollupShape {
    for (const { name, unixMs } of this.#edges) {
      if (this.#columns.has(name)) continue;
      this.#times.push(this.#timeOfEdge(name, unixMs));
    }
    for (const name of this.#present) {
      const isRead = this.#columns.has(name) || this.#times.some((time) => time.column.name === name);
      if (!isRead) this.#times.push({ column: this.#scan(name), zone: 'UTC', level: 1, weekstart: 1 });
    }
    return unionOfShapes([{ columns: [...this.#columns.values()], times: this.#times, parts: this.#parts }]);
  }

  /** Returns the coarsest bucket that starts at an edge, in one of the zones of the times first. */
  #timeOfEdge(name: string, unixMs: number): RollupTime {
    const own = this.#times.filter((time) => time.column.name === name).map(({ zone }) => zone);
    for (const zone of new Set([...own, ...this.#zones, 'UTC'])) {
      for (const level of [1, 2, 3, 5] as const) {
        const time = { column: this.#scan(name), zone, level, weekstart: 1 };
        if (bucketEdge(unixMs, time, zoneNamed(zone, '')) !== null) return time;
      }
    }
    throw new NoRollup();
  }
}

/** What a rollup of a dataset needs for a query. */
export interface RollupNeed {
  readonly datasetId: string;
  readonly shape: RollupShape;
}

/** Returns the newest times of a dataset. */
export type NewestOf = (datasetId: string) => NewestTimes;

class NeedsOfPlan {
  readonly #zones: readonly string[];
  readonly #newestOf: NewestOf;

  constructor(zones: readonly string[], newestOf: NewestOf) {
    this.#zones = zones;
    this.#newestOf = newestOf;
  }

  in(select: Select): readonly RollupNeed[] {
    const joined = select.joins.flatMap(({ to }) => this.in(to));
    const { from } = select;
    if (from.kind === 'stack') return [...joined, ...from.of.flatMap((part) => this.in(part))];
    if (from.kind === 'select') return [...joined, ...this.in(from)];
    return isGroupedScan(select) ? [...joined, ...this.#needOf(select)] : joined;
  }

  #needOf(select: GroupedScan): readonly RollupNeed[] {
    const { datasetId } = select.from;
    const reader = new NeedReader(select, this.#zones, this.#newestOf(datasetId));
    try {
      walkScan(select, new RollupWalk(select.as, reader));
      return [{ datasetId, shape: reader.shape() }];
    } catch (error) {
      if (error instanceof NoRollup) return [];
      throw error;
    }
  }
}

/**
 * Returns the shapes of the rollups that would answer a plan. They have no values of the query. `zones` are the zones in
 * which ranges of times may start and end, in the order of preference.
 */
export const rollupNeeds = (
  { body }: Plan,
  zones: readonly string[],
  newestOf: NewestOf = () => ({}),
): readonly RollupNeed[] => new NeedsOfPlan(zones, newestOf).in(body);
