import type { Command, WriteResult } from '../commands/command.ts';
import type { ColumnUse, ColumnUses } from '../data/column-use.ts';
import { EngineProblem, type Engine } from '../engine/engine.ts';
import { sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import type { NameVersion } from './version-names.ts';

/** What sorting stored rows works with. */
export interface SortContext {
  readonly store: Store<Command, WriteResult>;
  readonly engine: Engine;
  readonly uses: ColumnUses;
  readonly version: NameVersion;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly from?: SortingPays;
}

/** From when on it pays to sort the rows of a dataset: queries have read them for as long as sorting them takes, and go on. */
export interface SortingPays {
  readonly rows: number;
  readonly queries: number;
  readonly meanMs: number;
  readonly msPerRow: number;
}
const pays: SortingPays = { rows: 500_000, queries: 50, meanMs: 15, msPerRow: 0.0025 };
/** Datasets that are looked at in one turn. */
const looked = 20;
/** How long a dataset is left alone after its rows were sorted, or changed meanwhile. */
const againMs = 6 * 3_600_000;

/** Sorts the rows of the dataset for which it pays most, if there is one; gives its id. */
export type SortRows = () => Promise<string | null>;

const isRead = ({ queries, totalMs }: ColumnUse, from: SortingPays): boolean =>
  queries >= from.queries && totalMs / queries >= from.meanMs;

/** Whether the rows were sorted by the column before, or their version is gone. */
const isNothingToDo = (error: unknown): boolean =>
  error instanceof EngineProblem && (error.cause === 'input' || error.cause === 'missing');

/**
 * Sorts stored rows by the column to whose values queries bind them, most of all by the one of row filters, so that a query reads the
 * groups of rows alone that hold these values. Rows with the same value stay in their order. Raises EngineProblem, and what the store raises.
 */
export function createSortRows({ store, engine, uses, version, now, signal, from = pays }: SortContext): SortRows {
  const restUntil = new Map<string, number>();
  const rest = (datasetId: string): void => {
    restUntil.set(datasetId, now() + againMs);
    uses.forget(datasetId);
  };
  const candidates = (): readonly ColumnUse[] => {
    for (const [id, until] of restUntil) if (until <= now()) restUntil.delete(id);
    return uses
      .worst()
      .filter((use) => isRead(use, from) && !restUntil.has(use.datasetId))
      .toSorted((one, other) => other.totalMs - one.totalMs)
      .slice(0, looked);
  };
  const sort = async ({ datasetId, column, totalMs }: ColumnUse): Promise<boolean> => {
    const [row] = await store.rows(
      sql`select organization_id, data_version, record from securable where id = ${datasetId}`,
    );
    const [tenant, before] = [row?.['organization_id'], row?.['data_version']];
    if (typeof tenant !== 'string' || typeof before !== 'string') return false;
    const record: { readonly rows?: unknown } = JSON.parse(String(row?.['record']));
    const rows = Number(record.rows ?? 0);
    if (rows < from.rows || totalMs < rows * from.msPerRow) return false;
    rest(datasetId);
    const name = version(before);
    const spec = { tenant, datasetId, version: name, onto: { version: before, key: null } };
    try {
      for await (const _ of engine.ingest({ ...spec, source: { kind: 'version', order: [column] } }, signal));
    } catch (error) {
      if (isNothingToDo(error)) return false;
      throw error;
    }
    const result = await store.write({ kind: 'version', securableId: datasetId, before, version: name });
    const isTaken = result.kind === 'done' && result.count === 1;
    if (isTaken) await engine.keepVersions(tenant, datasetId, [name, before]);
    else await engine.dropVersion(tenant, datasetId, name);
    return isTaken;
  };
  return async () => {
    for (const use of candidates()) if (await sort(use)) return use.datasetId;
    return null;
  };
}
