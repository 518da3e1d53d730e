import type { ModelColumn, ModelDataset } from '@inlay/query';
import type { SourceColumn } from '../../connectors/connector.ts';
import type { LoadedDataset } from '../model/parts.ts';
import { storedWord } from '../model/stored-types.ts';
import type { RequestTrace } from '../../tracing/trace.ts';
import { atSource, type SourceAsking } from '../run/at-source.ts';
import type { RowSource } from '../sources.ts';

/** What asking a source about columns works with. */
export interface ColumnProbeContext extends SourceAsking {
  /** Notes what was learnt about a record; nobody waits for it. */
  readonly note: (resource: string, id: string, fields: { readonly kept: string }) => void;
  readonly now: () => number;
}

/** Gives the model of a dataset with the columns that its source has. */
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
const most = 1000;

type ToldColumn = Pick<SourceColumn, 'name' | 'kept' | 'nativeText'>;

const typeOf = ({ kept, nativeText = false }: ToldColumn): Pick<ModelColumn, 'kept' | 'nativeText'> => ({
  kept,
  ...(nativeText ? { nativeText } : {}),
});

/** The model with those of its columns that are among the source's, by their exact names; the others stay unproven. */
export function withProven(model: ModelDataset, told: readonly ToldColumn[]): ModelDataset {
  const byName = new Map(told.map((column) => [column.name, column]));
  const asked = [...(model.unproven?.values() ?? [])];
  const proven = asked.flatMap((column): readonly ModelColumn[] => {
    const found = byName.get(column.source);
    return found === undefined ? [] : [{ ...column, ...typeOf(found) }];
  });
  const all = [...model.columns.values(), ...proven];
  return {
    ...model,
    columns: new Map(all.map((column) => [column.id, column])),
    unproven: new Map(asked.filter(({ source }) => !byName.has(source)).map((column) => [column.id, column])),
  };
}

/** What the rows of our own were stored with. */
const storedColumns = ({ columns }: ModelDataset): readonly ToldColumn[] =>
  [...columns.values()].flatMap(({ source, kept, expression }) =>
    expression === null ? [{ name: source, kept }] : [],
  );

/**
 * Columns come only from what their source describes. What it said is kept with each column; where a column was stored by
 * hand, the first query asks. A source of our own rows has told all its columns when the rows were stored.
 */
export function createProveColumns(proving: ColumnProbeContext): ProveColumns {
  const held = new Map<string, ColumnProbe>();
  return async ({ id, revision, model }, source, trace, signal) => {
    const asked = model.unproven;
    if (asked === undefined || asked.size === 0) return model;
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
    const before = held.get(place);
    const nowMs = proving.now();
    const describe = () => atSource(proving, resolved, trace, (params) => connector.describe(params, of, signal));
    const told =
      before !== undefined && before.untilMs > nowMs ? before : { columns: describe(), untilMs: nowMs + keepMs };
    held.delete(place);
    held.set(place, told);
    for (const oldest of held.keys()) {
      if (held.size <= most) break;
      held.delete(oldest);
    }
    try {
      const proven = withProven(model, await told.columns);
      // The connection of a token is not that of the account.
      if (resolved.overriddenBy === null && told !== before)
        for (const column of proven.columns.values())
          if (asked.has(column.id)) proving.note('column', column.id, { kept: storedWord(column) });
      return proven;
    } catch (error) {
      held.delete(place);
      throw error;
    }
  };
}
