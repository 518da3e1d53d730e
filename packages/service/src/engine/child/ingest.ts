import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { StorageType } from '@inlay/query';
import { cellKinds } from '../../cells/cells.ts';
import { EngineProblem, type DoubledKeys, type IngestNotice } from '../engine.ts';
import { faultOf } from './faults.ts';
import { sha256Of } from '../versions/checksums.ts';
import type { ChildEnd, IngestRequest } from '../messages.ts';
import { appendRows } from './write/append.ts';
import { openBase, type BaseVersion } from './write/base.ts';
import type { FreshColumn } from './write/column-types/column-target.ts';
import { decide, type RowConversion, type Rules } from './write/column-types/decide.ts';
import { utf8File } from './read/encoding.ts';
import { jsonLines } from './read/json-lines.ts';
import { isSmall, isWide, madeSmall } from './write/layout.ts';
import { changeCopy, checkNames, joinRows, rowsWith } from './write/onto.ts';
import { identifier, literal } from './quote.ts';
import { fileRows, inputProblem, isCsvTrouble } from './read/read-file.ts';
import { peek, stagedColumns, stageParts, stageRows, type CountedRows, type NextBatch } from './write/stage-rows.ts';
import { writeRollups } from './write/rollups.ts';
import { judgedRows, typedQuery, typedRelation } from './write/typed.ts';
import { changesOf, finishVersion, writtenWhole, type WrittenRows } from './write/version.ts';
import { attachMade, writeWhole } from './write/whole.ts';
import type { WriterBounds } from './writer.ts';

const progressEveryMs = 250;

/** Where rows are buffered before they are written: in memory for few rows, otherwise in a file next to the target. */
const places = { memory: 'memory.main', file: 'stage.main' } as const;
type WaitingPlace = keyof typeof places;

/** Files up to this size are read once, into memory. */
const smallFile = 262_144;

/** Typed rows that join a version are buffered in memory up to this many cells and this size of their file. */
const bufferedInMemory = { cells: 2_000_000, bytes: 16_777_216 } as const;

const fitsInMemory = ({ path, columns, count }: TypedSource): boolean =>
  count * columns.length <= bufferedInMemory.cells && sizeOf(path) <= bufferedInMemory.bytes;

const attachStage = (connection: DuckDBConnection, target: string, columns: number): Promise<void> =>
  attachMade(connection, `${target}.stage`, 'stage', columns);

type RowsSource = Exclude<IngestRequest['source'], { readonly kind: 'version' | 'typed' }>;
type TypedSource = Extract<IngestRequest['source'], { readonly kind: 'typed' }>;

/** New rows before their types are decided. */
interface Fresh {
  readonly from: string;
  readonly columns: readonly FreshColumn[];
  /** Where the rows are buffered; null if they are read directly from their file. */
  readonly waiting: WaitingPlace | null;
  /** Number of rows according to a separate count that does not use the reader; null if not counted. */
  readonly count: number | null;
  readonly notices: readonly IngestNotice[];
}

/** Opens a source that is parsed in JavaScript: sent rows, a workbook, or lines of a file. */
async function textRows(
  source: RowsSource,
  { next, bounds: { textsMb }, request: { target } }: IngestContext,
): Promise<CountedRows> {
  // Loaded on first use: most children never read a workbook.
  if (source.kind === 'workbook') return (await import('./read/sheet.ts')).sheetBatches(source, textsMb);
  if (source.kind === 'file') {
    const { path } = await utf8File(source.path, source.charset, false, `${target}.utf8`);
    return jsonLines(path);
  }
  const kinds = source.columns.map((column) => column.kinds ?? cellKinds.any);
  return {
    names: source.columns.map(({ name }) => name),
    next,
    kinds: () => kinds,
    count: () => source.count,
    close: () => Promise.resolve(),
  };
}

/** Context of writing one version. */
interface IngestContext {
  readonly connection: DuckDBConnection;
  readonly request: IngestRequest;
  readonly version: BaseVersion | null;
  readonly next: NextBatch;
  readonly loaded: (rows: number) => void;
  readonly bounds: WriterBounds;
}

/** Reads the rows of a request. Buffers them if they are few, or if they are needed more than once. */
async function take(ingesting: IngestContext, source: RowsSource, isAbreast: boolean): Promise<Fresh> {
  const { connection, request, version, loaded, bounds } = ingesting;
  const { onto, target } = request;
  const earlierWidth = version?.columns.length ?? 0;
  const wait = async (waitingPlace: WaitingPlace, columns: number): Promise<string> => {
    if (waitingPlace === 'memory') return `${places.memory}."staged"`;
    await connection.run(`set threads = ${bounds.threads}`);
    await attachStage(connection, target, Math.max(earlierWidth, columns));
    return `${places.file}."staged"`;
  };
  if (source.kind === 'file' && source.format !== 'ndjson') {
    const { relation, columns, count, notices, parts } = await fileRows(connection, source, target, isAbreast);
    const isFew = sizeOf(source.path) <= smallFile;
    // A wide file is buffered, since its enum values are collected a few columns at a time.
    const isRead = isFew || parts !== undefined || onto !== null || (source.format === 'csv' && isWide(columns.length));
    if (!isRead) {
      await connection.run(`set threads = ${bounds.threads}`);
      return { from: relation, columns, waiting: null, count, notices };
    }
    const waitingPlace = isFew && parts === undefined ? 'memory' : 'file';
    const stagedTable = await wait(waitingPlace, columns.length);
    if (parts === undefined) await connection.run(`create or replace table ${stagedTable} as from ${relation}`);
    else await stageParts(connection, stagedTable, parts);
    return { from: stagedTable, columns, waiting: waitingPlace, count, notices };
  }
  const rows = await textRows(source, ingesting);
  try {
    const { next: batches, isOnly } = await peek(rows.next);
    const waitingPlace = isOnly ? 'memory' : 'file';
    const stagedTable = await wait(waitingPlace, rows.names.length);
    await stageRows(connection, stagedTable, { ...rows, next: batches }, loaded);
    return { from: stagedTable, columns: stagedColumns(rows), waiting: waitingPlace, count: rows.count(), notices: [] };
  } finally {
    await rows.close();
  }
}

function rulesOf({ source, overrides, declared, onInvalid, forms }: IngestRequest, base: Rules['base']): Rules {
  const prescribedTypes =
    source.kind === 'rows'
      ? source.columns.flatMap(({ name, storageType }): (readonly [string, StorageType])[] =>
          storageType ? [[name, storageType]] : [],
        )
      : [];
  return {
    overrides: new Map([...prescribedTypes, ...overrides]),
    declared: new Map(declared),
    onInvalid,
    forms,
    base,
  };
}

const countOf = async (connection: DuckDBConnection, table: string): Promise<number> =>
  Number((await connection.runAndReadAll(`select count(*) from ${table}`)).getRows()[0]?.[0]);

/** Writes a few rows to the target in a transaction, which stays open. */
async function writeFew(connection: DuckDBConnection, from: string, target: string): Promise<WrittenRows> {
  await connection.run(`attach ${literal(target)} as target ${madeSmall}`);
  await connection.run('use target');
  await connection.run('begin');
  await connection.run(`create table "rows" as from ${from}`);
  return { ...writtenWhole, isOpen: true };
}

/**
 * Raises EngineProblem `input` if the number of rows differs from `count`; `count` is null if rows were not counted.
 */
function checkCount(rows: number, count: number | null): void {
  if (count !== null && rows !== count)
    throw new EngineProblem('input', `of ${count} rows, ${rows} would be stored; write the rows in a simpler way`);
}

/** Rows written to the target, and the number of rows that was expected; `count` is null if not counted. */
interface CheckedRows {
  readonly written: WrittenRows;
  readonly count: number | null;
}

/** Invalid values and notices of an ingest, for the response. */
type ReadNotes = Pick<Extract<ChildEnd, { readonly op: 'ingest' }>, 'invalid' | 'notices' | 'doubledKeys'>;

/**
 * Writes new rows once their types are decided. If possible, changes a copy of the previous version instead of
 * rewriting all rows.
 */
async function writeRows(
  { connection, request: { source, onto, target }, version, bounds }: IngestContext,
  { from, waiting, columns, count }: Fresh,
  { query, widened }: RowConversion,
): Promise<CheckedRows> {
  const isCsv = source.kind === 'typed' || (source.kind === 'file' && source.format === 'csv');
  const addedRows = waiting === null ? null : await countOf(connection, from);
  if (addedRows !== null) checkCount(addedRows, count);
  if (onto === null || version === null) {
    const isFew = addedRows !== null && isSmall(addedRows, columns.length);
    const writtenRows = isFew
      ? await writeFew(connection, `(${query})`, target)
      : await writeWhole(connection, `(${query})`, isCsv, target);
    return { written: writtenRows, count };
  }
  const place = places[waiting ?? 'file'];
  const freshTable = `${place}."fresh"`;
  // With a key, the order of rows matters, and a view does not preserve it.
  const isView = onto.key === null;
  await connection.run(
    `create ${isView ? 'view' : 'table'} ${isView ? `${place}."fresh_view"` : freshTable} as ${query}`,
  );
  const newRows = isView ? `${place}."fresh_view"` : freshTable;
  await checkNames(connection, newRows, onto, version);
  const totalRows = count === null ? null : await rowsWith(connection, version, onto.key, newRows, count);
  const checkedRows = (writtenRows: WrittenRows): CheckedRows => ({ written: writtenRows, count: totalRows });
  const width = Math.max(columns.length, version.columns.length);
  const isFew = isSmall(version.rows + (addedRows ?? 0), width);
  if (!isFew && widened.size === 0) {
    if (onto.key === null) {
      const appendedRows = await appendRows(connection, version, newRows, addedRows ?? 0, target);
      if (appendedRows !== null) return checkedRows(appendedRows);
    } else {
      const changes = await changeCopy(connection, version, onto.key, newRows, target);
      if (changes !== null) return checkedRows({ ...writtenWhole, changes });
    }
  }
  const wholeTable = isFew ? 'memory.main."whole_view"' : 'stage.main."whole"';
  if (!isFew) {
    await connection.run(`set threads = ${bounds.threads}`);
    await attachStage(connection, target, width);
  }
  await joinRows(connection, version, newRows, onto.key, { whole: wholeTable, widened, isFew });
  if (isFew) return checkedRows(await writeFew(connection, wholeTable, target));
  return checkedRows(
    await writeWhole(connection, wholeTable, false, target, (await changesOf(connection, 'base'))?.order),
  );
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Size in bytes of all files of a version while it is written. */
const bytesOf = (target: string): number =>
  ['', '.wal', '.stage', '.stage.wal', '.utf8', '.csv'].reduce((sum, ending) => sum + sizeOf(`${target}${ending}`), 0);

/** Reports the progress of an ingest, and interrupts it if it takes too much disk space. */
class IngestWatch {
  readonly #connection: DuckDBConnection;
  readonly #request: IngestRequest;
  readonly #progress: (rows: number, bytes: number) => void;
  readonly #timer: NodeJS.Timeout;
  /** Size of the source file in bytes; 0 for rows and versions. */
  readonly size: number;
  /** Size in bytes of the existing parts that the version reuses. */
  earlierBytes = 0;
  #bytes = 0;
  #isWritten = false;

  constructor(connection: DuckDBConnection, request: IngestRequest, progress: (rows: number, bytes: number) => void) {
    const { source } = request;
    this.#connection = connection;
    this.#request = request;
    this.#progress = progress;
    this.size = 'path' in source ? statSync(source.path).size : 0;
    this.#timer = setInterval(() => this.#look(), progressEveryMs);
  }

  /** Size of the version in bytes. */
  get bytes(): number {
    return sizeOf(this.#request.target) + this.earlierBytes;
  }

  /** Called once all rows are written. */
  written(rows: number): void {
    this.#isWritten = true;
    this.#progress(rows, this.size);
  }

  /** Returns an error if the version takes too much disk space; otherwise null. */
  refusal(): EngineProblem | null {
    const { maxBytes, quotaBytes, target } = this.#request;
    if (quotaBytes !== null && this.bytes > quotaBytes) return new EngineProblem('quota');
    return bytesOf(target) > maxBytes
      ? new EngineProblem('input', 'they take too much space for the size of what was sent')
      : null;
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    if (this.refusal() !== null) this.#connection.interrupt();
    const { percentage, rows_processed: rows } = this.#connection.progress;
    const bytes = Math.round((Math.min(percentage, 100) / 100) * this.size);
    if (this.#request.source.kind !== 'file' || this.#isWritten || bytes <= this.#bytes) return;
    this.#bytes = bytes;
    this.#progress(Number(rows), bytes);
  }
}

/** Rewrites the rows of a version in another order. Raises EngineProblem `input` if they are already in that order. */
async function writeSorted(
  { connection, request: { target }, version }: IngestContext,
  { order }: Extract<IngestRequest['source'], { readonly kind: 'version' }>,
): Promise<CheckedRows> {
  if (version === null) throw new EngineProblem('missing');
  const changes = await changesOf(connection, 'base');
  if (changes?.changed === 0 && isDeepStrictEqual(changes.order, order))
    throw new EngineProblem('input', 'the rows are sorted so already');
  return { written: await writeWhole(connection, await version.table(), false, target, order), count: version.rows };
}

/** Returns up to three keys that several rows of a query have, or that lack a value. */
async function doubledKeys(connection: DuckDBConnection, query: string, key: readonly string[]): Promise<DoubledKeys> {
  if (key.length === 0) return [];
  const names = key.map(identifier);
  const isIncomplete = names.map((name) => `${name} is null`).join(' or ');
  const reader = await connection.runAndReadAll(
    `select ${names.map((name) => `${name}::VARCHAR`).join(', ')} from (${query})
      group by ${names.join(', ')} having count(*) > 1 or ${isIncomplete} limit 3`,
  );
  return reader.getRows().map((row) => row.map((cell) => (cell === null ? null : String(cell))));
}

/**
 * Writes rows whose types are known. They are read from their file each time, unless they are few or join a version. The
 * types of a large file are decided by its first rows; if later rows do not fit, by all rows.
 */
async function writeTyped(
  ingesting: IngestContext,
  source: TypedSource,
  isAbreast: boolean,
): Promise<readonly [CheckedRows, ReadNotes]> {
  if (ingesting.version !== null || source.count <= judgedRows) return writeJudged(ingesting, source, isAbreast, false);
  try {
    return await writeJudged(ingesting, source, isAbreast, true);
  } catch (error) {
    if (faultOf(error)?.cause !== 'sql') throw error;
    return writeJudged(ingesting, source, isAbreast, false);
  }
}

async function writeJudged(
  ingesting: IngestContext,
  source: TypedSource,
  isAbreast: boolean,
  isSampled: boolean,
): Promise<readonly [CheckedRows, ReadNotes]> {
  const { connection, request, version, bounds } = ingesting;
  const { columns: typedColumns, count } = source;
  const relation = typedRelation(source, isAbreast, isSampled);
  const isFew = isSmall(count, typedColumns.length);
  const waiting = isFew || (version !== null && fitsInMemory(source)) ? 'memory' : version === null ? null : 'file';
  const from = waiting === null ? relation : `${places[waiting]}."staged"`;
  if (!isFew) await connection.run(`set threads = ${bounds.threads}`);
  if (waiting === 'file')
    await attachStage(connection, request.target, Math.max(version?.columns.length ?? 0, typedColumns.length));
  if (waiting !== null) await connection.run(`create or replace table ${from} as from ${relation}`);
  const query = await typedQuery(connection, from, source, version, isSampled);
  const columns = typedColumns.map(({ name }, index) => ({ name, text: `c${index}`, kinds: cellKinds.any }));
  const conversion = { query, widened: new Map<string, string>(), invalid: [], notices: [] };
  const doubled = await doubledKeys(connection, query, request.uniqueKey);
  const written = await writeRows(ingesting, { from, columns, waiting, count, notices: [] }, conversion);
  return [written, { invalid: [], notices: [], doubledKeys: doubled }];
}

/** Writes the rows of a source. If `isAbreast`, several threads read the file. */
async function writeSource(ingesting: IngestContext, isAbreast: boolean): Promise<readonly [CheckedRows, ReadNotes]> {
  const { connection, request, version } = ingesting;
  const { source } = request;
  if (source.kind === 'version')
    return [await writeSorted(ingesting, source), { invalid: [], notices: [], doubledKeys: [] }];
  if (source.kind === 'typed') return writeTyped(ingesting, source, isAbreast);
  const freshRows = await take(ingesting, source, isAbreast);
  const decided = await decide(connection, freshRows.from, freshRows.columns, rulesOf(request, version));
  const notes = {
    invalid: decided.invalid,
    notices: [...freshRows.notices, ...decided.notices],
    doubledKeys: await doubledKeys(connection, decided.query, request.uniqueKey),
  };
  return [await writeRows(ingesting, freshRows, decided), notes];
}

/**
 * Writes a dataset version to the target of the request, on a connection prepared by `prepareWriter`. Raises
 * EngineProblem `input` that names the row (or line) and the column.
 */
export async function ingest(
  connection: DuckDBConnection,
  request: IngestRequest,
  next: NextBatch,
  progress: (rows: number, bytes: number) => void,
  bounds: WriterBounds,
): Promise<ChildEnd> {
  const { source, onto, target } = request;
  const watch = new IngestWatch(connection, request, progress);
  try {
    const version = onto === null ? null : await openBase(connection, onto.path);
    const ingesting = { connection, request, version, next, loaded: (rows: number) => progress(rows, 0), bounds };
    const [{ written, count }, notes] = await writeSource(ingesting, true).catch((error: unknown) => {
      if (!isCsvTrouble(error)) throw error;
      return writeSource(ingesting, false);
    });
    const { rows, columns } = await finishVersion(connection, written);
    checkCount(rows, count);
    const parts = written.earlier?.parts ?? [];
    const rollups = await writeRollups(connection, request.rollups, version, parts);
    watch.earlierBytes = parts.reduce((sum, { path }) => sum + sizeOf(path), 0);
    watch.written(rows);
    await connection.run('use memory; detach database if exists stage; detach target');
    const refusal = watch.refusal();
    if (refusal !== null) throw refusal;
    return {
      op: 'ingest',
      rows,
      bytes: watch.bytes,
      columns,
      ...notes,
      rollups,
      parts,
      sha256: await sha256Of(target),
    };
  } catch (error) {
    await connection.run('rollback').catch(() => undefined);
    const isFile = source.kind === 'file' || source.kind === 'typed';
    throw watch.refusal() ?? (isFile ? inputProblem(error) : null) ?? error;
  } finally {
    watch.end();
  }
}
