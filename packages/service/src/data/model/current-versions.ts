import { datasetsOf, type Query } from '@inlay/query';
import { EngineProblem } from '../../engine/engine.ts';
import type { QueryService, QueryRequest } from '../query-request.ts';
import { loadDatasets, loadReached } from './load-datasets.ts';

/** Attempts to open a version, which fail if another writer replaces it. */
const attempts = 5;

/**
 * Runs work over the current dataset versions. Retries with newer ones if they were deleted in the meantime, since
 * another instance may store rows twice. Raises what `work` raises.
 */
export async function overCurrentVersions<Given>(
  { reader, models }: Pick<QueryService, 'reader' | 'models'>,
  request: QueryRequest,
  query: Query,
  work: (asking: QueryRequest) => Promise<Given>,
): Promise<Given> {
  let current = request;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(current);
    } catch (error) {
      if (!(error instanceof EngineProblem) || error.cause !== 'missing' || attempt === attempts) throw error;
      const { datasets, reached, caller, right } = current;
      const [now, behind] = await Promise.all([
        loadDatasets(reader, models, caller, [...datasetsOf(query), ...current.further], right),
        loadReached(reader, models, caller, [...reached.keys()]),
      ]);
      const before = new Map([...reached, ...datasets]);
      if ([...now, ...behind].every(([id, { dataVersion }]) => before.get(id)?.dataVersion === dataVersion))
        throw error;
      current = { ...current, datasets: new Map([...datasets, ...now]), reached: new Map([...reached, ...behind]) };
    }
  }
}
