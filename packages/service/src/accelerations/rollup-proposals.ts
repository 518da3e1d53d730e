import { coversShape, emitRollupRows, unionOfShapes, type ModelDataset, type RollupShape } from '@inlay/query';
import { isList, listOr, parseObject, type Json, type JsonObject } from '@inlay/contract';
import type { Command, WriteResult } from '../commands/command.ts';
import { loadReached } from '../data/model/load-datasets.ts';
import type { ModelCache } from '../data/model/load-model.ts';
import type { CopyDemand, RollupDemand } from '../data/rollups/demand.ts';
import { rollupId } from '../data/rollups/stored.ts';
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

/** Queries of a copy after which rollups are proposed anew. */
const proposedEvery = 20;
/** Candidates: each of this many most frequent shapes, and the unions of the first ones. */
const maxShapes = 5;
const maxProposals = 5;
/** A rollup is proposed if the copy has at least this many times as many rows. */
const minGain = 10;
const deadlineMs = 60_000;

interface Proposal {
  readonly shape: RollupShape;
  readonly rows: number;
  readonly queries: number;
}

/** Returns the shapes that may be proposed, each once. */
function candidates({ shapes }: CopyDemand): readonly RollupShape[] {
  const frequent = shapes.slice(0, maxShapes).map(({ shape }) => shape);
  const unions = frequent.slice(1).map((_, index) => unionOfShapes(frequent.slice(0, index + 2)));
  return [...new Map([...frequent, ...unions].map((shape) => [rollupId(shape), shape])).values()];
}

const answered = ({ shapes }: CopyDemand, shape: RollupShape): number =>
  shapes.reduce((sum, entry) => sum + (coversShape(shape, entry.shape) ? entry.queries : 0), 0);

/** Leaves out proposals that answer no more queries than a smaller one. */
const worthwhile = (proposals: readonly Proposal[]): readonly Proposal[] =>
  proposals
    .filter(
      (proposal) =>
        !proposals.some(
          (other) =>
            other !== proposal &&
            other.queries >= proposal.queries &&
            (other.rows < proposal.rows || (other.rows === proposal.rows && other.queries > proposal.queries)),
        ),
    )
    .toSorted((left, right) => right.queries - left.queries || left.rows - right.rows)
    .slice(0, maxProposals);

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
      type: name,
      column_id: of?.kind === 'column' ? idOf(of.name) : null,
    })),
  };
}

/** Proposes rollups for the queries of copies, with the gain that is expected of each. */
export class RollupProposals {
  readonly #context: ProposalContext;
  /** Number of queries of each copy when its rollups were last proposed. */
  readonly #proposedAt = new Map<string, number>();

  constructor(context: ProposalContext) {
    this.#context = context;
  }

  /** Proposes rollups of the copies that have answered enough queries since the last time. */
  async run(): Promise<void> {
    for (const copy of this.#context.demand.list()) {
      const { accelerationId, queries } = copy;
      if (queries - (this.#proposedAt.get(accelerationId) ?? 0) < proposedEvery) continue;
      this.#proposedAt.set(accelerationId, queries);
      await this.#propose(copy);
    }
  }

  async #propose(copy: CopyDemand): Promise<void> {
    const { store, models } = this.#context;
    const { accelerationId: id, datasetId, organizationId } = copy;
    const [row] = await store.rows(sql`select record, copy_version from acceleration where id = ${id}`);
    const dataset = (await loadReached(store, models, { organizationId }, [datasetId])).get(datasetId);
    if (row === undefined || typeof row['copy_version'] !== 'string' || dataset === undefined) return;
    const { rollup_ids: on, rollup_proposals: before, rows: copyRows } = parseObject(String(row['record']));
    const shapes = candidates(copy).filter((shape) => !listOr(on).includes(rollupId(shape)));
    const measured: Proposal[] = [];
    for (const shape of shapes) {
      const rows = await this.#rowsOf(copy, row['copy_version'], shape);
      if (rows * minGain <= Number(copyRows)) measured.push({ shape, rows, queries: answered(copy, shape) });
    }
    const proposals = worthwhile(measured);
    const shown = proposals.map(({ shape, rows, queries }): JsonObject => ({
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
