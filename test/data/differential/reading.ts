import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isList, isObject, type Json } from '@inlay/contract';
import { textOf } from '../../../packages/service/src/cells/cells.ts';
import { EngineProblem, type IngestSpec } from '../../../packages/service/src/engine/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { versionRows } from '../../support/version-rows.ts';
import { instantOf, sameNumber } from '../sent-values.ts';

export const formats = ['csv', 'ndjson', 'xlsx', 'parquet'] as const;
export type Format = (typeof formats)[number];

/** A file, and what another program reads of it. */
export interface ReadCase {
  readonly format: Format;
  readonly bytes: Buffer;
  /** Names first; null if the other program refuses the file. */
  readonly rows: readonly (readonly Json[])[] | null;
  /** Whether it is well-formed, so that nobody may refuse it. */
  readonly isValid: boolean;
  /** The line that says all of it. */
  readonly line: string;
}

/** Returns the cases of a text, one a line. */
export function casesOf(lines: string): readonly ReadCase[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line): ReadCase => {
      const read: Json = JSON.parse(line);
      if (!isObject(read)) throw new Error('not a case');
      const { format, bytes, rows = null, valid } = read;
      const found = formats.find((one) => one === format);
      if (found === undefined || typeof bytes !== 'string') throw new Error('not a case');
      return {
        format: found,
        bytes: Buffer.from(bytes, 'base64'),
        rows: isList(rows) ? rows.map((row) => (isList(row) ? row : [])) : null,
        isValid: valid === true,
        line,
      };
    });
}

/** True if a stored text is the value that another program read; of CSV nobody says which empty cells had quotes. */
function isSame(read: Json, stored: string | null, format: Format): boolean {
  if (read === '' && format === 'csv') return stored === null || stored === '';
  if (read === null || stored === null) return read === stored;
  if (typeof read === 'number') return sameNumber(String(read), stored);
  if (isObject(read)) {
    const { time, number, json } = read;
    if (typeof time === 'string') return instantOf(time) !== null && instantOf(time) === instantOf(stored);
    if (typeof number === 'string') return sameNumber(number, stored);
    return typeof json === 'string' && isDeepStrictEqual(JSON.parse(json), JSON.parse(stored));
  }
  return textOf(read) === stored;
}

function sourceOf(path: string, format: Format): IngestSpec['source'] {
  if (format === 'xlsx') return { kind: 'workbook', path, sheet: null, header: true };
  return { kind: 'file', path, format, ...(format === 'csv' ? { header: true } : {}) };
}

/** How a file was read: as the other program reads it, refused, or in another way, which is told. */
export type ReadOutcome = 'same' | 'refused' | { readonly differs: string };

/** Stores a file as a version, every cell as text unless the file has types, and compares its rows. */
export async function outcomeOf(engine: TestEngine, one: ReadCase, version: string): Promise<ReadOutcome> {
  const folder = join(engine.dataDir, 'uploads');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${version}.${one.format}`);
  writeFileSync(path, one.bytes);
  const [first = [], ...rows] = one.rows ?? [];
  const names = first.map((name) => textOf(name) ?? '');
  const overrides = new Map(one.format === 'parquet' ? [] : names.map((name) => [name, 'text'] as const));
  try {
    const done = await engine.write({ datasetId: version, version, source: sourceOf(path, one.format), overrides });
    if (done.kind !== 'done') return { differs: 'it did not end' };
    const stored = await versionRows(done.path);
    if (one.rows === null) return { differs: `${stored.rows.length} rows where there is no file` };
    if (!isDeepStrictEqual([...stored.names], names)) return { differs: `names ${stored.names.join(' | ')}` };
    if (stored.rows.length !== rows.length) return { differs: `${stored.rows.length} rows for ${rows.length}` };
    const at = rows.findIndex((row, index) =>
      names.some((_, place) => !isSame(row[place] ?? null, stored.rows[index]?.[place] ?? null, one.format)),
    );
    return at < 0
      ? 'same'
      : { differs: `row ${at + 1}: ${JSON.stringify(stored.rows[at])} for ${JSON.stringify(rows[at])}` };
  } catch (error) {
    if (!(error instanceof EngineProblem) || error.cause !== 'input') throw error;
    return one.isValid ? { differs: `refused: ${error.message}` } : 'refused';
  } finally {
    rmSync(path, { force: true });
    await engine.dropVersion('here', version, version);
  }
}
