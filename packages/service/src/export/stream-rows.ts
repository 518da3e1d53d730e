import { isObject, member, type JsonObject } from '@inlay/contract';
import { csvText, datasetsOf, heading, lineFormats, type Lines, type Parsed, type Query } from '@inlay/query';
import { exportQuery, toldProblem, type Answering } from '../data/answer.ts';
import { createAsk } from '../data/ask.ts';
import type { Running } from '../data/run.ts';
import { Problem } from '../problems/problem.ts';
import type { Serve, ServedRequest } from '../resource/served.ts';
import { exportTypes } from '../resources/export.ts';
import { columnNames } from './column-names.ts';
import { fileName } from './file-name.ts';

export interface RowsExporting {
  readonly answering: Answering;
  /** Rows of a file at most. */
  readonly mostRows: number;
  /** Files that one organization may have under way. */
  readonly atOnce: number;
}

const at = 'properties.query';

function onlyQuery({ queries: [query], batch, faults }: Parsed): Query {
  if (batch) throw new Problem('query_invalid', { validation: { [at]: ['must be one query'] } });
  if (query !== undefined && faults.length === 0) return query;
  const places: Record<string, readonly string[]> = {};
  for (const fault of faults.slice(0, 100)) {
    const place = fault.at.replace(/^find/u, at);
    places[place] = [...(places[place] ?? []), fault.says];
  }
  throw new Problem('query_invalid', { validation: places });
}

const textIn = (asked: JsonObject, name: string): string | null => {
  const value = member(asked, name);
  return typeof value === 'string' && value !== '' ? value : null;
};

/** The last line of a file that is cut. */
const cut = (format: Lines['format'], rows: number): string =>
  format === 'ndjson'
    ? `${JSON.stringify({ truncated: true, rows })}\n`
    : `${csvText(`The file is cut: it holds the first ${rows} rows.`)}\r\n`;

async function* fileOf(lines: Lines, { chunks, summary }: Running, left: () => void): AsyncGenerator<Uint8Array> {
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

/** Counts what an organization has under way; gives how to say that one is done. Raises Problem `overloaded`. */
function createGate(atOnce: number): (organizationId: string) => () => void {
  const under = new Map<string, number>();
  return (organizationId) => {
    const now = under.get(organizationId) ?? 0;
    if (now >= atOnce)
      throw new Problem('overloaded', {
        message: `Your organization already has ${now} exports under way.`,
        retryAfterS: 10,
      });
    under.set(organizationId, now + 1);
    let done = false;
    return () => {
      const left = (under.get(organizationId) ?? 0) - 1;
      if (!done && left > 0) under.set(organizationId, left);
      else if (!done) under.delete(organizationId);
      done = true;
    };
  };
}

/**
 * The part that answers `create` on export with a query: its rows as a file, streamed as fast as they are read, with every
 * right and row filter of a get on data (decisions R2, R6a). Only the number of rows has a limit of its own.
 */
export function createRowsExport({ answering, mostRows, atOnce }: RowsExporting): Serve {
  const ask = createAsk(answering);
  const enter = createGate(atOnce);

  async function start(request: ServedRequest, left: () => void): ReturnType<Serve> {
    const { asked } = request;
    const found = member(asked, 'query');
    const { parsed, asking: read } = await ask(request, found !== undefined && isObject(found) ? found : {});
    const given = onlyQuery(parsed);
    const asking = await read();
    const localeId = textIn(asked, 'locale_id') ?? given.options.localeId ?? asking.terms.locale ?? 'en';
    const timezoneId = textIn(asked, 'timezone_id') ?? given.options.timezoneId;
    const query = { ...given, options: { ...given.options, localeId, timezoneId } };
    const format = lineFormats.find((name) => name === textIn(asked, 'type')) ?? 'csv';
    const lines = { format, names: await columnNames(answering.reader, request.caller, query, localeId) };
    const running = await exportQuery(answering, asking, query, at, lines, mostRows);
    const [first = ''] = datasetsOf(query);
    const name = fileName(asking.datasets.get(first)?.record ?? {}, localeId, format);
    return { body: fileOf(lines, running, left), type: exportTypes[format], fileName: name };
  }

  return async (request) => {
    const left = enter(request.caller.organizationId);
    // A stream that nobody begins to read has no end of its own.
    request.signal.addEventListener('abort', left, { once: true });
    try {
      return await start(request, left);
    } catch (error) {
      left();
      throw error;
    }
  };
}
