import type { ModelColumn, ModelDataset } from '@inlay/query';
import type { SourceColumn } from '../../connectors/connector.ts';
import type { LoadedDataset } from '../model/parts.ts';
import { storedWord } from '../model/stored-types.ts';
import type { RequestTrace } from '../../tracing/trace.ts';
import { atSource, type SourceAsking } from '../run/at-source.ts';
import type { RowSource } from '../sources.ts';

/** Dependencies for checking columns at their source. */
export interface ColumnProbeContext extends SourceAsking {
  /** Stores a fact about a record in the background. */
  readonly note: (resource: string, id: string, fields: { readonly kept: string }) => void;
  readonly now: () => number;
}

/** Returns the model of a dataset. Its columns are limited to those that exist at the source. */
export type ProveColumns = (
  dataset: LoadedDataset,
  source: RowSource,
  trace: RequestTrace,
  signal: AbortSignal,
) => Promise<ModelDataset>;

interface ColumnProbe {
  readonly columns: Promise<readonly SourceColumn[]>;
  readonly untilMs: number;
}

const keepMs = 60_000;
const maxEntries = 1000;

type ToldColumn = Pick<SourceColumn, 'name' | 'storageType' | 'nativeText'>;

const typeOf = ({ storageType, nativeText = false }: ToldColumn): Pick<ModelColumn, 'storageType' | 'nativeText'> => ({
  storageType,
  ...(nativeText ? { nativeText } : {}),
});

/**
 * Moves the unproven columns that exist at the source, under exactly the same name, to the proven columns of a model.
 * The other columns stay unproven.
 */
export function withProven(model: ModelDataset, sourceColumns: readonly ToldColumn[]): ModelDataset {
  const byName = new Map(sourceColumns.map((column) => [column.name, column]));
  const unprovenColumns = [...(model.unproven?.values() ?? [])];
  const provenColumns = unprovenColumns.flatMap((column): readonly ModelColumn[] => {
    const sourceColumn = byName.get(column.source);
    return sourceColumn === undefined ? [] : [{ ...column, ...typeOf(sourceColumn) }];
  });
  const allColumns = [...model.columns.values(), ...provenColumns];
  return {
    ...model,
    columns: new Map(allColumns.map((column) => [column.id, column])),
    unproven: new Map(unprovenColumns.filter(({ source }) => !byName.has(source)).map((column) => [column.id, column])),
  };
}

/** Returns the columns of a dataset whose rows are stored in the engine. */
const storedColumns = ({ columns }: ModelDataset): readonly ToldColumn[] =>
  [...columns.values()].flatMap(({ source, storageType, expression }) =>
    expression === null ? [{ name: source, storageType }] : [],
  );

/**
 * Creates the check that queries use only columns which the source has confirmed. Each confirmation is stored with its
 * column. Columns that were created by hand are checked at the first query. Columns of stored rows were confirmed when
 * the rows were stored.
 */
export function createProveColumns(proving: ColumnProbeContext): ProveColumns {
  const probes = new Map<string, ColumnProbe>();
  return async ({ id, revision, model }, source, trace, signal) => {
    const unprovenColumns = model.unproven;
    if (unprovenColumns === undefined || unprovenColumns.size === 0) return model;
    if (source.kind === 'version') return withProven(model, storedColumns(model));
    const { resolved, connector, of } = source;
    const place = JSON.stringify([
      id,
      revision,
      resolved.account.id,
      resolved.account.revision,
      resolved.overriddenBy,
      of,
    ]);
    const earlierProbe = probes.get(place);
    const nowMs = proving.now();
    const describe = () => atSource(proving, resolved, trace, (params) => connector.describe(params, of, signal));
    const sourceColumns =
      earlierProbe !== undefined && earlierProbe.untilMs > nowMs
        ? earlierProbe
        : { columns: describe(), untilMs: nowMs + keepMs };
    probes.delete(place);
    probes.set(place, sourceColumns);
    for (const oldest of probes.keys()) {
      if (probes.size <= maxEntries) break;
      probes.delete(oldest);
    }
    try {
      const provenModel = withProven(model, await sourceColumns.columns);
      // A token may replace the connection of the account, so the result for such a connection is not stored.
      if (resolved.overriddenBy === null && sourceColumns !== earlierProbe)
        for (const column of provenModel.columns.values())
          if (unprovenColumns.has(column.id)) proving.note('column', column.id, { kept: storedWord(column) });
      return provenModel;
    } catch (error) {
      probes.delete(place);
      throw error;
    }
  };
}
