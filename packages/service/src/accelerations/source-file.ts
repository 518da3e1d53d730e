import { createWriteStream } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { copyScan, emitScan, type CopyRange, type ModelDataset, type Scalar } from '@inlay/query';
import type { SourceRows } from '../connectors/connector.ts';
import { relationAtSource, type SqlSource } from '../data/choose.ts';
import type { Dialects } from '../data/dialects.ts';
import { atSource, rowsAtSource, sourceTexts, type SourceAsking } from '../data/run/at-source.ts';
import { EngineProblem } from '../engine/engine.ts';
import { untraced } from '../tracing/trace.ts';

/** Dependencies of reading rows into a file. */
export interface SourceFileContext extends SourceAsking {
  readonly dialects: Dialects;
}

/** What to read into a file. */
export interface SourceFileSpec {
  readonly path: string;
  readonly source: SqlSource;
  readonly model: ModelDataset;
  /** The rows to read; null for all rows. */
  readonly range: CopyRange | null;
  readonly deadlineMs: number;
  /** Called with the number of bytes that were read so far. */
  readonly read: (bytes: number) => void;
}

/** A large table must not fill the disk: this much stays free for everything else. */
const spareBytes = 1024 ** 3;
const checkEveryBytes = 64 * 1024 ** 2;

const isNoRoom = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOSPC';

/** Writes a cell: null is an empty cell without quotes. */
function csvCell(cell: Scalar): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  return cell === '' || /[",\n\r]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const csvLines = (rows: SourceRows): string => rows.map((row) => `${row.map(csvCell).join(',')}\n`).join('');

/**
 * Reads the rows of a dataset at its source into a CSV file with a column for each stored column, in the order of
 * `copyScan`. Returns the number of rows. Raises SourceProblem, QueryProblem, and EngineProblem `disk`.
 */
export async function readIntoFile(
  context: SourceFileContext,
  { path, source, model, range, deadlineMs, read }: SourceFileSpec,
  signal: AbortSignal,
): Promise<number> {
  const { connector, resolved } = source;
  const dialectOf = await context.dialects.of(context, [source], untraced(), signal);
  const dialect = connector.traits.copyDialect?.(dialectOf(source)) ?? dialectOf(source);
  const statement = {
    ...emitScan(copyScan(model, range), dialect, relationAtSource(source), true),
    texts: sourceTexts([source]),
  };
  let bytes = 0;
  let checkedBytes = 0;
  async function* counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      read(bytes);
      if (bytes - checkedBytes > checkEveryBytes) {
        checkedBytes = bytes;
        const { bavail, bsize } = await statfs(dirname(path));
        if (bavail * bsize < spareBytes) throw new EngineProblem('disk');
      }
      yield chunk;
    }
  }
  const write = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    try {
      await pipeline(counted(chunks), createWriteStream(path, { mode: 0o600 }), { signal });
    } catch (error) {
      throw isNoRoom(error) ? new EngineProblem('disk') : error;
    }
  };
  if (connector.traits.copyDialect !== undefined && connector.copy !== undefined) {
    const { copy } = connector;
    return atSource(context, resolved, untraced(), async (params) => {
      const copied = await copy(params, statement, deadlineMs, signal);
      await write(copied.bytes);
      return copied.rows();
    });
  }
  const limits = { rowLimit: Number.MAX_SAFE_INTEGER, byteLimit: Number.MAX_SAFE_INTEGER, deadlineMs };
  const answer = await rowsAtSource(context, resolved, untraced(), (params) =>
    connector.run(params, statement, limits, signal),
  );
  let count = 0;
  async function* lines(): AsyncGenerator<Uint8Array> {
    for await (const rows of answer.rows) {
      count += rows.length;
      yield Buffer.from(csvLines(rows));
    }
  }
  await write(lines());
  return count;
}
