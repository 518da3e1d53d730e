import type { Query } from '@inlay/query';
import type { AdmittedCaller, Admission } from '../admission.ts';
import { readRows, rowText } from '../answers/row-text.ts';
import { recordAnswer, recordFailure } from '../query-record.ts';
import type { QueryRequest, QueryService } from '../query-request.ts';
import { expectedPlace } from '../requested-queries.ts';
import { runQuery } from '../run-query.ts';

/** Returns the query for the number of rows of a dataset. */
export const rowsOf = (datasetId: string): Query => ({
  dimensions: [],
  measures: [{ kind: 'rows', datasetId }],
  where: [],
  having: [],
  order: [],
  limit: { by: null, offset: 0 },
  options: { localeId: null, timezoneId: null, rollupData: true, weekstart: null },
});

/**
 * Counts the rows of a dataset that the restrictions of a request leave. `asker` is charged with the work. Raises the
 * Problem that a query of the request's caller would raise.
 */
export type CountRows = (asker: AdmittedCaller, request: QueryRequest, datasetId: string) => Promise<number>;

/** Creates the count, which runs as every query does. */
export const createCountRows =
  (service: QueryService, admission: Admission): CountRows =>
  async (asker, request, datasetId) => {
    const query = rowsOf(datasetId);
    const place = expectedPlace(service.connectors, request, query);
    const admitted = admission.admit(asker, [place]);
    try {
      const result = await runQuery(service, request, query, 'explain');
      const source = result.kind === 'ready' ? (result.cached ? 'cache' : 'shared') : result.running.place;
      const text = rowText(result, 'explain', (times) => {
        recordAnswer(service.recorder, source, times);
        admitted.ran(place, source === 'cache' || source === 'shared' ? 0 : times.queryMs);
      });
      const { rows } = await readRows(text);
      admitted.answered(0);
      return Number(rows[0]?.[0] ?? 0);
    } catch (error) {
      recordFailure(service.recorder, 'none', error);
      throw error;
    } finally {
      admitted.end();
    }
  };
