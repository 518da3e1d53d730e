import { csvLine, datasetsOf, heading, type Lines, type ParsedQueries, type Query } from '@inlay/query';
import type { Caller } from '../access/caller.ts';
import type { Counter } from '../concurrency/release.ts';
import { exportQuery } from '../data/run-query.ts';
import type { QueryService } from '../data/query-request.ts';
import { QueryReader } from '../data/requested-queries.ts';
import { toProblem } from '../data/problems.ts';
import type { RunningQuery } from '../data/run/query-task.ts';
import { onEnd } from '../concurrency/release.ts';
import { NoFreePlace, Problem } from '../problems/problem.ts';
import type { CallContext } from '../tracing/call-context.ts';
import { exportTypes } from '../resources/export.ts';
import { columnNames } from './column-names.ts';
import type { ExportedFile } from './exported-file.ts';
import type { RowsExport } from './export-spec.ts';
import { fileName } from './file-name.ts';

export interface RowsRenderingOptions {
  readonly queryService: QueryService;
  /** Row limit of a file. */
  readonly maxRows: number;
  /** Limit of concurrent files per organization. */
  readonly maxConcurrent: number;
  /** Files in progress by organization. */
  readonly inProgress: Counter;
}

const at = 'properties.query';

function onlyQuery({ queries: [query], batch, faults }: ParsedQueries): Query {
  if (batch) throw new Problem('query_invalid', { validation: { [at]: ['must be one query'] } });
  if (query !== undefined && faults.length === 0) return query;
  const places: Record<string, readonly string[]> = {};
  for (const fault of faults.slice(0, 100)) {
    const place = fault.at.replace(/^find/u, at);
    places[place] = [...(places[place] ?? []), fault.message];
  }
  throw new Problem('query_invalid', { validation: places });
}

/** Returns the last line of a truncated file, which says that rows are missing. */
const truncation = (format: Lines['format'], rows: number): string =>
  format === 'ndjson'
    ? `${JSON.stringify({ truncated: true, rows })}\n`
    : csvLine([`The file is cut: it holds the first ${rows} rows.`]);

async function* fileOf(
  lines: Lines,
  { chunks, summary }: RunningQuery,
  onDone: () => void,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  try {
    const head = heading(lines);
    if (head !== '') yield encoder.encode(head);
    yield* chunks;
    const { truncated, rows } = await summary();
    if (truncated) yield encoder.encode(truncation(lines.format, rows));
  } catch (error) {
    throw toProblem(error, at);
  } finally {
    onDone();
  }
}

/**
 * Streams all rows of a query as a file, with the same rights and row filters as a `get` on data. Only the row limit
 * differs.
 */
export class RowsRendering {
  readonly #options: RowsRenderingOptions;
  readonly #queries: QueryReader;
  constructor(options: RowsRenderingOptions) {
    this.#options = options;
    this.#queries = new QueryReader(options.queryService);
  }

  /** Raises Problem: 400 `query_invalid`, 503 `overloaded`, and what answering a query raises. */
  async render(caller: Caller, spec: RowsExport, context: CallContext): Promise<ExportedFile> {
    const onDone = this.#begin(caller.organizationId);
    // Covers a stream that is never consumed.
    onEnd(context.signal, onDone);
    try {
      return await this.#start(caller, spec, context, onDone);
    } catch (error) {
      onDone();
      throw error;
    }
  }

  #begin(organizationId: string): () => void {
    const { inProgress, maxConcurrent } = this.#options;
    const count = inProgress.of(organizationId);
    if (count >= maxConcurrent)
      throw new NoFreePlace({
        message: `Your organization already has ${count} exports under way.`,
        retryAfterS: 10,
      });
    return inProgress.add(organizationId);
  }

  async #start(caller: Caller, spec: RowsExport, context: CallContext, onDone: () => void): Promise<ExportedFile> {
    const { queryService, maxRows } = this.#options;
    const { format } = spec;
    const requestedQueries = await this.#queries.read(caller, spec.query, context);
    onlyQuery(requestedQueries.parsed);
    const { query: ownQuery, asking, shown } = (await requestedQueries.authorize()).query(0);
    if (shown !== null || ownQuery.limit.others === true)
      throw new Problem('query_invalid', {
        validation: {
          [at]: ['is of an item that shows some of its members alone: export it by dashboard_id and item_id'],
        },
      });
    const localeId = spec.locale ?? ownQuery.options.localeId ?? asking.terms.locale ?? 'en';
    const query = {
      ...ownQuery,
      options: { ...ownQuery.options, localeId, timezoneId: spec.zone ?? ownQuery.options.timezoneId },
    };
    const lines = { format, names: await columnNames(queryService.reader, caller, query, localeId) };
    const runningQuery = await exportQuery(queryService, asking, query, at, lines, maxRows);
    const [firstDataset = ''] = datasetsOf(query);
    return {
      mediaType: exportTypes[format],
      name: fileName(asking.datasets.get(firstDataset)?.record ?? {}, localeId, format),
      body: fileOf(lines, runningQuery, onDone),
    };
  }
}
