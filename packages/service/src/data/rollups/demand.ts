import { unionOfShapes, type RollupNeed, type RollupShape } from '@inlay/query';

/** How often a rollup of a shape would have answered a query of a copy. */
interface ShapeDemand {
  readonly shape: RollupShape;
  readonly queries: number;
}

/** The queries of a copy since the start of the service. */
export interface CopyDemand {
  readonly accelerationId: string;
  readonly datasetId: string;
  readonly organizationId: string;
  /** Number of queries, including those that no rollup can answer. */
  readonly queries: number;
  /** The most frequent shapes first. */
  readonly shapes: readonly ShapeDemand[];
}

interface Counts {
  readonly datasetId: string;
  readonly organizationId: string;
  queries: number;
  readonly shapes: Map<string, { readonly shape: RollupShape; queries: number }>;
}

const maxCopies = 500;
const maxShapes = 50;

/** Counts which rollups would answer the queries of copies. It has shapes of queries, and none of their values. */
export class RollupDemand {
  readonly #copies = new Map<string, Counts>();

  note(
    { accelerationId, datasetId, organizationId }: Pick<CopyDemand, 'accelerationId' | 'datasetId' | 'organizationId'>,
    needs: readonly RollupNeed[],
  ): void {
    const counts = this.#copies.get(accelerationId) ?? { datasetId, organizationId, queries: 0, shapes: new Map() };
    this.#copies.delete(accelerationId);
    this.#copies.set(accelerationId, counts);
    const [oldest] = this.#copies.keys();
    if (this.#copies.size > maxCopies && oldest !== undefined) this.#copies.delete(oldest);
    counts.queries += 1;
    const own = needs.filter((need) => need.datasetId === datasetId).map(({ shape }) => shape);
    if (own.length === 0) return;
    const shape = unionOfShapes(own);
    const text = JSON.stringify(shape);
    const entry = counts.shapes.get(text) ?? { shape, queries: 0 };
    entry.queries += 1;
    counts.shapes.set(text, entry);
    if (counts.shapes.size > maxShapes) dropRarest(counts.shapes, text);
  }

  /** Returns the demand for rollups of each copy. */
  list(): readonly CopyDemand[] {
    return [...this.#copies].map(([accelerationId, { datasetId, organizationId, queries, shapes }]) => ({
      accelerationId,
      datasetId,
      organizationId,
      queries,
      shapes: [...shapes.values()].toSorted((left, right) => right.queries - left.queries),
    }));
  }
}

function dropRarest(shapes: Map<string, { readonly queries: number }>, except: string): void {
  const others = [...shapes].filter(([text]) => text !== except);
  const [rarest] = others.toSorted(([, left], [, right]) => left.queries - right.queries);
  if (rarest !== undefined) shapes.delete(rarest[0]);
}
