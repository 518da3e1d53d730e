import type { Json } from '@inlay/contract';
import { datasetsOf, parseQueries, type Parsed } from '@inlay/query';
import type { ServedRequest } from '../resource/served.ts';
import type { Answering, Asking } from './answer.ts';
import { loadRowBounds } from './load-bounds.ts';
import { createKnownDatasets } from './known-datasets.ts';
import { loadDatasets, loadReached } from './load-datasets.ts';
import { createTermsCache } from './load-terms.ts';
import { datasetsReached, parameterValues } from './row-filters.ts';

/** Queries as far as they could be read, with what is wrong with them, and what else must be known to answer them. */
export interface Asked {
  readonly parsed: Parsed;
  /** Reads the rights, filters and models of everything that the queries name. */
  readonly asking: () => Promise<Asking>;
}

/** Reads queries for their caller: parameters and filters of the token apply to whatever is asked (decision R6a). */
export function createAsk(
  answering: Answering,
): (request: Pick<ServedRequest, 'caller' | 'signal' | 'deadlineMs'>, find: Json) => Promise<Asked> {
  const { reader, models } = answering;
  const termsOf = createTermsCache(answering.open);
  const known = createKnownDatasets();
  return async ({ caller, signal, deadlineMs }, find) => {
    const terms = await termsOf(reader, caller);
    const parameters = parameterValues(terms.parameters);
    const parsed = parseQueries(find, parameters);
    const asking = async (): Promise<Asking> => {
      const ids = [...new Set(parsed.queries.flatMap(datasetsOf))];
      const [datasets, links] = await Promise.all([
        loadDatasets(reader, models, caller, ids),
        loadRowBounds(reader, caller, ids),
      ]);
      const own = terms.filters.map((filter) => ({ on: null, filter }));
      const bounds = { ...links, filters: [...own, ...links.filters] };
      const reached = await loadReached(reader, models, caller, datasetsReached(bounds, ids));
      await known(reader, caller, bounds, ids);
      return { caller, terms, parameters, datasets, reached, bounds, signal, deadlineMs };
    };
    return { parsed, asking };
  };
}
