import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import { Attempt, deathTold } from './attempt.ts';
import { EngineProblem, noCaller, type IngestProgress, type EngineTable, type IngestSpec } from './engine.ts';
import type { Duty, IngestRequest } from './messages.ts';
import type { Pool } from './pool/pool.ts';
import type { DamagedFiles } from './versions/damage.ts';
import { checksumPath, checksumText } from './versions/checksums.ts';
import { partsPath, partsText, type VersionPart } from './versions/parts.ts';
import { sizeOf, sizeOfAll, type VersionFiles } from './versions/files.ts';

/**
 * Time limit for writing a version, proportional to the size of its input. Even the slowest files need only a tenth of
 * this time.
 */
const deadline = { leastMs: 120_000, msPerMb: 2000 };

const longestTimerMs = 2_147_483_647;

/**
 * Disk limit of a version while it is written, proportional to the size of its input, since a small file may expand to
 * many rows.
 */
const room = { least: 1024 ** 3, times: 20 };

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Deletes a file if it exists. `rm` would first stat it synchronously, on the main thread. */
const drop = (path: string): Promise<void> =>
  unlink(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });

const besideFile = async (writtenPath: string, path: string, text: string): Promise<void> => {
  await writeFile(writtenPath, text, { flush: true, mode: 0o600 });
  await rename(writtenPath, path);
};

/** Publishes a version: writes its parts list and checksum, then renames its file once the file is synced to disk. */
async function publish(
  writtenPath: string,
  path: string,
  { parts, sha256 }: { readonly parts: readonly VersionPart[]; readonly sha256: string },
): Promise<void> {
  await Promise.all([
    ...(parts.length > 0 ? [besideFile(`${writtenPath}.parts`, partsPath(path), partsText(parts))] : []),
    besideFile(`${writtenPath}.sha256`, checksumPath(path), checksumText(path, sha256)),
    flush(writtenPath),
  ]);
  await rename(writtenPath, path);
  await flush(dirname(path));
}

const hasFile = (source: IngestSpec['source']): source is Extract<IngestSpec['source'], { readonly path: string }> =>
  source.kind === 'file' || source.kind === 'workbook' || source.kind === 'typed';

/**
 * Writing uses a shared child, which then continues with other versions, if all files are in the folders of that child.
 * Otherwise it uses a separate child.
 */
const dutyOf = ({ tenant, source }: IngestSpec, files: VersionFiles, uploads: string): Duty =>
  source.kind === 'rows' ||
  ((source.kind === 'file' || source.kind === 'typed') && dirname(resolve(source.path)) === uploads)
    ? { kind: 'writing', folders: [files.folder(tenant), uploads] }
    : { kind: 'alone' };

function requestOf(
  {
    tenant,
    datasetId,
    source,
    overrides,
    declared,
    uniqueKey = [],
    rollups = [],
    onInvalid = 'refuse',
    forms = {},
    onto,
  }: IngestSpec,
  files: VersionFiles,
  target: string,
  bytes: number,
  quotaBytes: number | null,
): IngestRequest {
  return {
    op: 'ingest',
    source:
      source.kind === 'file'
        ? { ...source, header: source.header ?? null, names: source.names ?? null, charset: source.charset ?? null }
        : source.kind === 'workbook'
          ? { ...source, names: source.names ?? null }
          : source.kind === 'version' || source.kind === 'typed'
            ? source
            : { kind: 'rows', columns: source.columns, count: source.count ?? null },
    maxBytes: room.least + room.times * bytes,
    quotaBytes,
    overrides: [...(overrides ?? [])],
    declared: [...(declared ?? [])],
    uniqueKey,
    rollups,
    onInvalid,
    forms,
    onto:
      onto === undefined
        ? null
        : {
            path: files.path(tenant, datasetId, onto.version),
            key: onto.key,
            mayAddColumns: onto.mayAddColumns ?? true,
          },
    target,
  };
}

/** Returns the previous version as a table; an empty list if there is none. */
const beforeOf = ({ tenant, datasetId, onto }: IngestSpec, files: VersionFiles): readonly EngineTable[] =>
  onto === undefined ? [] : [{ name: '', source: { kind: 'file', path: files.path(tenant, datasetId, onto.version) } }];

/** Progress reports of a running attempt. */
class ProgressFeed {
  readonly #waiting: IngestProgress[] = [];
  #wake = (): void => undefined;
  #isOver = false;

  add(progress: IngestProgress): void {
    this.#waiting.push(progress);
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<IngestProgress> {
    for (;;) {
      const progress = this.#waiting.shift();
      if (progress !== undefined) yield progress;
      else if (this.#isOver) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

/** Suffixes of the files that an interrupted write may leave behind. */
const leftovers = ['', '.wal', '.stage', '.stage.wal', '.parts', '.sha256', '.utf8', '.csv'];

/** Writes dataset versions in children of their own pool, from files in `uploads` or elsewhere. */
export class Ingest {
  readonly #writers: Pool;
  readonly #files: VersionFiles;
  readonly #uploads: string;
  readonly #damage: DamagedFiles;
  /**
   * Serializes the writes of an organization with a quota, so that each write counts the bytes of the previous writes.
   */
  readonly #turns = createOneAtATime();

  constructor(writers: Pool, files: VersionFiles, uploads: string, damage: DamagedFiles) {
    this.#writers = writers;
    this.#files = files;
    this.#uploads = uploads;
    this.#damage = damage;
  }

  async *run(spec: IngestSpec, signal: AbortSignal): AsyncGenerator<IngestProgress> {
    const leave = spec.quotaBytes === undefined ? null : await this.#turns(spec.tenant, signal);
    try {
      yield* this.#write(spec, signal);
    } catch (error) {
      throw await this.#damage.problemOf(error, beforeOf(spec, this.#files));
    } finally {
      leave?.();
    }
  }

  async *#write(spec: IngestSpec, signal: AbortSignal): AsyncGenerator<IngestProgress> {
    const path = this.#files.path(spec.tenant, spec.datasetId, spec.version);
    if (existsSync(path)) throw new EngineProblem('input', 'this version is there already');
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const target = `${path}.${randomUUID()}`;
    const finishReading = this.#files.reading(beforeOf(spec, this.#files));
    const feed = new ProgressFeed();
    try {
      const attempt = await this.#begin(spec, target, feed, signal);
      const end = attempt.ended.finally(() => feed.end());
      end.catch(() => undefined);
      try {
        yield* feed;
      } finally {
        attempt.stop();
      }
      const result = await end.catch((error: unknown) => {
        throw deathTold(error);
      });
      if (result.op !== 'ingest') throw new EngineProblem('failed');
      await publish(target, path, result);
      const { rows, bytes, columns, invalid, notices, doubledKeys, rollups } = result;
      yield { kind: 'done', path, rows, bytes, columns, invalid, notices, doubledKeys, rollups };
    } finally {
      finishReading();
      await Promise.all(leftovers.map((ending) => drop(`${target}${ending}`)));
    }
  }

  /** Starts writing once a child is free. */
  async #begin(spec: IngestSpec, target: string, feed: ProgressFeed, signal: AbortSignal): Promise<Attempt> {
    const bytes = await this.#bytesToRead(spec);
    const { child, release } = await this.#writers.place(
      { tenant: spec.tenant, caller: noCaller, shape: 'ingest', duty: dutyOf(spec, this.#files, this.#uploads) },
      signal,
    );
    const quotaBytes = await this.#quotaLeft(spec);
    const attempt = new Attempt(
      child,
      {
        request: requestOf(spec, this.#files, target, bytes, quotaBytes),
        batches: spec.source.kind === 'rows' ? new Map([[0, spec.source.rows[Symbol.asyncIterator]()]]) : new Map(),
        deadlineMs: Math.min(longestTimerMs, deadline.leastMs + (bytes / 1024 ** 2) * deadline.msPerMb),
        progress: (rows, takenBytes) => feed.add({ kind: 'progress', rows, bytes: takenBytes }),
      },
      signal,
    );
    void attempt.left.then(release);
    return attempt;
  }

  async #bytesToRead({ tenant, datasetId, source, onto }: IngestSpec): Promise<number> {
    const ofFile = hasFile(source) ? await sizeOf(source.path) : 0;
    return ofFile + (onto === undefined ? 0 : await sizeOfAll(this.#files.path(tenant, datasetId, onto.version)));
  }

  async #quotaLeft({ tenant, datasetId, quotaBytes }: IngestSpec): Promise<number | null> {
    return quotaBytes === undefined ? null : quotaBytes - (await this.#files.used(tenant, datasetId));
  }
}
