import { filledText, isObject, member } from '@inlay/contract';
import { csvLine, datasetsOf, heading, lineFormats, type Lines, type ParsedQueries, type Query } from '@inlay/query';
import { exportQuery, type QueryService } from '../data/answer.ts';
import { toldProblem } from '../data/problems.ts';
import { createAsk } from '../data/ask.ts';
import type { RunningQuery } from '../data/run/run.ts';
import { Problem } from '../problems/problem.ts';
import { onEnd, type Counter } from '../concurrency/release.ts';
import type { Serve, ServedRequest } from '../resource/served.ts';
import { exportTypes } from '../resources/export.ts';
import { columnNames } from './column-names.ts';
import { fileName } from './file-name.ts';

export interface RowsExporting {
  readonly answering: QueryService;
  /** Rows of a file at most. */
  readonly mostRows: number;
  /** Files that one organization may have under way. */
  readonly atOnce: number;
  /** Files under way, by organization. */
  readonly underWay: Counter;
}

const at = 'properties.query';

function onlyQuery({ queries: [query], batch, faults }: ParsedQueries): Query {
  if (batch) throw new Problem('query_invalid', { validation: { [at]: ['must be one query'] } });
  if (query !== undefined && faults.length === 0) return query;
  const places: Record<string, readonly string[]> = {};
  for (const fault of faults.slice(0, 100)) {
    const place = fault.at.replace(/^find/u, at);
    places[place] = [...(places[place] ?? []), fault.says];
  }
  throw new Problem('query_invalid', { validation: places });
}

/** The last line of a file that is cut. */
const cut = (format: Lines['format'], rows: number): string =>
  format === 'ndjson'
    ? `${JSON.stringify({ truncated: true, rows })}\n`
    : csvLine([`The file is cut: it holds the first ${rows} rows.`]);

async function* fileOf(lines: Lines, { chunks, summary }: RunningQuery, left: () => void): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  try {
    const head = heading(lines);
    if (head !== '') yield encoder.encode(head);
    yield* chunks;
    const { truncated, rows } = await summary();
    if (truncated) yield encoder.encode(cut(lines.format, rows));
  } catch (error) {
    throw toldProblem(error, at);
  } finally {
    left();
  }
}

/**
 * The part that answers `create` on export with a query: its rows as a file, streamed as fast as they are read, with every
 * right and row filter of a get on data. Only the number of rows has a limit of its own.
 */
export function createRowsExport({ answering, mostRows, atOnce, underWay }: RowsExporting): Serve {
  const ask = createAsk(answering);

  async function start(request: ServedRequest, left: () => void): ReturnType<Serve> {
    const { asked } = request;
    const found = member(asked, 'query');
    const { parsed, askable } = await ask(request, found !== undefined && isObject(found) ? found : {});
    onlyQuery(parsed);
    const { query: given, asking, shown } = (await askable())(0);
    if (shown !== null || given.limit.others === true)
      throw new Problem('query_invalid', {
        validation: {
          [at]: ['is of an item that shows some of its members alone: export it by dashboard_id and item_id'],
        },
      });
    const localeId = filledText(member(asked, 'locale_id')) ?? given.options.localeId ?? asking.terms.locale ?? 'en';
    const timezoneId = filledText(member(asked, 'timezone_id')) ?? given.options.timezoneId;
    const query = { ...given, options: { ...given.options, localeId, timezoneId } };
    const format = lineFormats.find((name) => name === filledText(member(asked, 'type'))) ?? 'csv';
    const lines = { format, names: await columnNames(answering.reader, request.caller, query, localeId) };
    const running = await exportQuery(answering, asking, query, at, lines, mostRows);
    const [first = ''] = datasetsOf(query);
    const name = fileName(asking.datasets.get(first)?.record ?? {}, localeId, format);
    return { body: fileOf(lines, running, left), type: exportTypes[format], fileName: name };
  }

  return async (request) => {
    const { organizationId } = request.caller;
    const now = underWay.of(organizationId);
    if (now >= atOnce)
      throw new Problem('overloaded', {
        message: `Your organization already has ${now} exports under way.`,
        retryAfterS: 10,
      });
    const left = underWay.add(organizationId);
    // A stream that nobody begins to read has no end of its own.
    onEnd(request.signal, left);
    try {
      return await start(request, left);
    } catch (error) {
      left();
      throw error;
    }
  };
}
