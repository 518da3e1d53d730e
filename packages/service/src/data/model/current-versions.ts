import { datasetsOf, type Query } from '@inlay/query';
import { EngineProblem } from '../../engine/engine.ts';
import type { QueryService, QueryRequest } from '../query-request.ts';
import { loadDatasets, loadReached } from './load-datasets.ts';

/** Maximum number of attempts to open a version. An attempt fails if another writer has just replaced the version. */
const attempts = 5;

/**
 * Runs work over the current dataset versions. If a version was deleted in the meantime, retries with newer versions.
 * More than one retry may be necessary, since another instance may store rows repeatedly. Raises what `work` raises.
 */
export async function overCurrentVersions<Given>(
  { reader, models }: Pick<QueryService, 'reader' | 'models'>,
  request: QueryRequest,
  query: Query,
  work: (asking: QueryRequest) => Promise<Given>,
): Promise<Given> {
  let currentRequest = request;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(currentRequest);
    } catch (error) {
      if (!(error instanceof EngineProblem) || error.cause !== 'missing' || attempt === attempts) throw error;
      const { datasets, reached, caller, right } = currentRequest;
      const [namedDatasets, reachedDatasets] = await Promise.all([
        loadDatasets(reader, models, caller, [...datasetsOf(query), ...currentRequest.further], right),
        loadReached(reader, models, caller, [...reached.keys()]),
      ]);
      const earlierDatasets = new Map([...reached, ...datasets]);
      if (
        [...namedDatasets, ...reachedDatasets].every(
          ([id, { dataVersion }]) => earlierDatasets.get(id)?.dataVersion === dataVersion,
        )
      )
        throw error;
      currentRequest = {
        ...currentRequest,
        datasets: new Map([...datasets, ...namedDatasets]),
        reached: new Map([...reached, ...reachedDatasets]),
      };
    }
  }
}
