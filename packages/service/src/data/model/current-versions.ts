import { datasetsOf, type Query } from '@inlay/query';
import { EngineProblem } from '../../engine/engine.ts';
import type { QueryService, QueryRequest } from '../query-request.ts';
import { loadDatasets, loadReached } from './load-datasets.ts';
import type { LoadedDataset } from './parts.ts';

/** Returns what names the stored rows of a dataset: its version, or that of its copy. */
const storedRowsOf = (dataset: LoadedDataset | undefined): string | null =>
  dataset?.dataVersion ?? dataset?.acceleration?.copy?.version ?? null;

/** Maximum number of attempts to open a version. An attempt fails if another writer has just replaced the version. */
const attempts = 5;

/**
 * Runs work over the current dataset versions. If a version was deleted in the meantime, retries with newer versions.
 * More than one retry may be necessary, since another instance may store rows repeatedly. If the file of a copy was
 * lost, retries at the source. Raises what `work` raises.
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
      const currentDatasets = [...namedDatasets, ...reachedDatasets];
      const isUnchanged = currentDatasets.every(
        ([id, dataset]) => storedRowsOf(earlierDatasets.get(id)) === storedRowsOf(dataset),
      );
      const hasCopy = currentDatasets.some(
        ([, { acceleration }]) => acceleration !== null && acceleration.copy !== null,
      );
      if (isUnchanged && (!hasCopy || currentRequest.isCopyLost === true)) throw error;
      currentRequest = {
        ...currentRequest,
        ...(isUnchanged ? { isCopyLost: true } : {}),
        datasets: new Map([...datasets, ...namedDatasets]),
        reached: new Map([...reached, ...reachedDatasets]),
      };
    }
  }
}
