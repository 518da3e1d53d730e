import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { isList, memberRows, type ItemQuery, type Json } from '@inlay/contract';
import type { IndexedAnswer } from '../data/answers/query-answers.ts';
import type { RowText } from '../data/answers/row-text.ts';
import { Problem } from '../problems/problem.ts';
import type { FilledItem } from './render-job.ts';
import { queriesOf, type ExportItem } from './queries.ts';

/** Answer to a query. `line`: the line of the spool file that has the rows, from 0. */
export type SpooledAnswer =
  | { readonly kind: 'rows'; readonly line: number; readonly truncated: boolean }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * Answers to the queries of a file, in order; null for a query without an answer. The rows stay on disk, one JSON list
 * per line.
 */
export interface SpooledAnswers {
  readonly path: string;
  readonly answers: readonly (SpooledAnswer | null)[];
}

/** Limit of all rows of a file in bytes. A picture or table of more rows would be illegible. */
const maxBytes = 64 * 1024 ** 2;

/** Describes why a query failed: its faults with their paths, or the message. */
function failureMessage({ data: { message, validation = {} } }: Problem): string {
  const faults = Object.entries(validation).flatMap(([at, texts]) =>
    texts.map((text) => `${at.replace(/^find\.(?:queries\[\d+\]\.)?/u, '')} ${text}`),
  );
  return faults.length === 0 ? message : faults.join('; ').slice(0, 500);
}

/** A file of rows being written. */
class Spool {
  readonly #file: FileHandle;
  #lines = 0;
  #bytes = 0;
  constructor(file: FileHandle) {
    this.#file = file;
  }

  /**
   * Writes the rows of an answer as the next line. Raises Problem 400 `export_too_large`, and what reading the rows
   * raises.
   */
  async write(rows: RowText): Promise<SpooledAnswer> {
    await this.#file.appendFile('[');
    for (let nextRow = await rows.next(); ; nextRow = await rows.next()) {
      if (nextRow.done === true) {
        await this.#file.appendFile(']\n');
        return { kind: 'rows', line: this.#lines++, truncated: nextRow.value.truncated };
      }
      this.#bytes += nextRow.value.byteLength;
      if (this.#bytes > maxBytes) throw new Problem('export_too_large');
      await this.#file.appendFile(nextRow.value);
    }
  }
}

/**
 * Writes answers to a file as they come, so that no rows stay in memory. Raises Problem 400 `export_too_large`, what
 * answering raises, and errors of the disk.
 */
export async function spoolAnswers(
  path: string,
  count: number,
  answers: AsyncIterable<IndexedAnswer>,
): Promise<SpooledAnswers> {
  const spooledAnswers = Array.from({ length: count }, (): SpooledAnswer | null => null);
  const file = await open(path, 'w', 0o600);
  try {
    const spool = new Spool(file);
    for await (const [index, answer] of answers)
      spooledAnswers[index] =
        answer.kind === 'rows'
          ? await spool.write(answer.rows)
          : { kind: 'failed', message: failureMessage(answer.problem) };
  } finally {
    await file.close();
  }
  return { path, answers: spooledAnswers };
}

type ItemRows = Pick<FilledItem, 'rows' | 'truncated' | 'failure'>;

async function readLines(path: string): Promise<readonly Json[]> {
  const lines: Json[] = [];
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity }))
    lines.push(JSON.parse(line));
  return lines;
}

/** Reads the items with the rows of their queries. */
export async function readFilled(
  { path, answers }: SpooledAnswers,
  items: readonly ExportItem[],
): Promise<readonly FilledItem[]> {
  const lines = await readLines(path);
  const queries = queriesOf(items);
  const rowsOf = (query: ItemQuery): ItemRows => {
    const answer = answers[queries.indexOf(query)] ?? { kind: 'failed', message: 'There was no answer.' };
    if (answer.kind === 'failed') return { rows: [], truncated: false, failure: answer.message };
    const rows = lines[answer.line] ?? null;
    return {
      rows: isList(rows) ? memberRows(query, rows.filter(isList)) : [],
      truncated: answer.truncated,
      failure: null,
    };
  };
  return items.map(({ item, query, comparison, selection }): FilledItem => {
    const ownRows = query === null ? { rows: [], truncated: false, failure: null } : rowsOf(query);
    const comparedRows = comparison === null ? null : { query: comparison, rows: rowsOf(comparison).rows };
    return { item, query, selection, comparison: comparedRows, ...ownRows };
  });
}
