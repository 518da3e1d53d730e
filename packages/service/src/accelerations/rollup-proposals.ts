import { coversShape, emitRollupRows, unionOfShapes, type ModelDataset, type RollupShape } from '@inlay/query';
import { isList, parseObject, type Json, type JsonObject } from '@inlay/contract';
import type { Command, WriteResult } from '../commands/command.ts';
import { loadReached } from '../data/model/load-datasets.ts';
import type { ModelCache } from '../data/model/load-model.ts';
import type { CopyDemand, RollupDemand } from '../data/rollups/demand.ts';
import { rollupId, rollupIdsIn, shapesIn } from '../data/rollups/stored.ts';
import { noCaller, type Engine } from '../engine/engine.ts';
import { sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';

/** Dependencies of proposals. */
export interface ProposalContext {
  readonly store: Store<Command, WriteResult>;
  readonly engine: Engine;
  readonly models: ModelCache;
  readonly demand: RollupDemand;
}

/** Queries of a copy after which rollups are proposed. They are proposed anew each time this number has doubled. */
const firstProposedAt = 20;
/** Number of most frequent shapes for which rollups are proposed. */
const maxShapes = 12;
const maxProposals = 5;
/** A rollup is proposed if the copy has at least this many times as many rows. */
const minGain = 10;
const deadlineMs = 60_000;

interface SizedShape {
  readonly shape: RollupShape;
  readonly rows: number;
}

/** Number of queries that a rollup would have answered. */
const answered = ({ shapes }: CopyDemand, shape: RollupShape): number =>
  shapes.reduce((sum, entry) => sum + (coversShape(shape, entry.shape) ? entry.queries : 0), 0);

/** Describes a shape by the columns of its dataset. */
function described({ columns, times, parts }: RollupShape, model: ModelDataset): JsonObject {
  const idOf = (source: string): string | null =>
    [...model.columns.values()].find((entry) => entry.expression === null && entry.source === source)?.id ?? null;
  return {
    group_by: [
      ...columns.map(({ name }): Json => ({ column_id: idOf(name), level: null, timezone_id: null })),
      ...times.map(({ column, level, zone }): Json => ({ column_id: idOf(column.name), level, timezone_id: zone })),
    ],
    measures: parts.map(({ name, of }): Json => ({
      type: name === 'deviation' ? 'stddev' : name,
      column_id: of?.kind === 'column' ? idOf(of.name) : null,
    })),
  };
}

/** Proposes rollups for the queries of copies, with the gain that is expected of each. */
export class RollupProposals {
  readonly #context: ProposalContext;
  /** By acceleration, the number of queries at which rollups are proposed next. */
  readonly #nextAt = new Map<string, number>();

  constructor(context: ProposalContext) {
    this.#context = context;
  }

  /** Proposes rollups of the copies that have answered enough queries since the last time. */
  async run(): Promise<void> {
    for (const copy of this.#context.demand.list()) {
      const { accelerationId, queries } = copy;
      if (queries < (this.#nextAt.get(accelerationId) ?? firstProposedAt)) continue;
      this.#nextAt.set(accelerationId, queries * 2);
      await this.#propose(copy);
    }
  }

  async #propose(copy: CopyDemand): Promise<void> {
    const { store, models } = this.#context;
    const { accelerationId: id, datasetId, organizationId } = copy;
    const [row] = await store.rows(sql`select record, copy_version, rollup_shapes from acceleration where id = ${id}`);
    const dataset = (await loadReached(store, models, { organizationId }, [datasetId])).get(datasetId);
    if (row === undefined || dataset === undefined) return;
    const { copy_version: version, rollup_shapes: storedShapes } = row;
    if (typeof version !== 'string') return;
    const record = parseObject(String(row['record']));
    const { rollup_proposals: before, rows: copyRows } = record;
    const shapeById = shapesIn(typeof storedShapes === 'string' ? storedShapes : null);
    const on = rollupIdsIn(record['rollup_ids']).flatMap((rollup) => shapeById[rollup] ?? []);
    const proposals = await this.#shapesFor(copy, version, on, Number(copyRows) / minGain);
    const shown = proposals
      .map(({ shape, rows }) => ({ shape, rows, queries: answered(copy, shape) }))
      .toSorted((left, right) => right.queries - left.queries || left.rows - right.rows)
      .map(({ shape, rows, queries }): JsonObject => ({
        id: rollupId(shape),
        ...described(shape, dataset.model),
        rows,
        copy_rows: Number(copyRows),
        queries,
        share: Math.round((queries / copy.queries) * 1000) / 1000,
      }));
    if (JSON.stringify(shown) === JSON.stringify(before)) return;
    const shapesById = Object.fromEntries(
      proposals.map(({ shape }): readonly [string, Json] => [rollupId(shape), asJson(shape)]),
    );
    await store.write({ kind: 'propose rollups', id, proposals: shown, shapes: shapesById });
  }

  /**
   * Returns few shapes that together answer the frequent queries which no rollup in `on` answers. Each joins the first
   * shape with which it has at most `maxRows` rows.
   */
  async #shapesFor(
    copy: CopyDemand,
    version: string,
    on: readonly RollupShape[],
    maxRows: number,
  ): Promise<readonly SizedShape[]> {
    const sized: SizedShape[] = [];
    for (const { shape } of copy.shapes.slice(0, maxShapes)) {
      if ([...on, ...sized.map((entry) => entry.shape)].some((other) => coversShape(other, shape))) continue;
      const own = { shape, rows: await this.#rowsOf(copy, version, shape) };
      if (own.rows > maxRows) continue;
      let isJoined = false;
      for (const [index, entry] of sized.entries()) {
        const union = unionOfShapes([entry.shape, shape]);
        const rows = await this.#rowsOf(copy, version, union);
        if (rows > maxRows) continue;
        sized[index] = { shape: union, rows };
        isJoined = true;
        break;
      }
      if (!isJoined && sized.length < maxProposals) sized.push(own);
    }
    return sized;
  }

  /** Counts the rows that a rollup would have. Raises EngineProblem. */
  async #rowsOf({ organizationId, accelerationId }: CopyDemand, version: string, shape: RollupShape): Promise<number> {
    const { engine } = this.#context;
    const { sql: text, params } = emitRollupRows(shape, { kind: 'table', path: ['rows'] });
    const path = engine.versionPath(organizationId, accelerationId, version);
    const answer = await engine.query(
      {
        tenant: organizationId,
        caller: noCaller,
        tables: [{ name: 'rows', source: { kind: 'file', path } }],
        sql: text,
        params,
        rowLimit: 1,
        byteLimit: 1000,
        deadlineMs,
      },
      AbortSignal.timeout(deadlineMs),
    );
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.chunks) chunks.push(chunk);
    const row: Json = JSON.parse(Buffer.concat(chunks).toString());
    return Number(isList(row) ? row[0] : Infinity);
  }
}

function asJson(shape: RollupShape): Json {
  const json: Json = JSON.parse(JSON.stringify(shape));
  return json;
}
