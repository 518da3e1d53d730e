import { existsSync } from 'node:fs';
import { EngineProblem, type EngineTable } from '../engine.ts';
import { sha256Of, writtenChecksum } from './checksums.ts';
import { partsOf } from './parts.ts';

/** Called with files of versions that a statement could not read. */
export type ReportDamage = (files: readonly string[]) => void;

/** Checking reads a whole file, so the service checks each file at most once in this time. */
const againMs = 60_000;

const filesOf = (tables: readonly EngineTable[]): readonly string[] =>
  tables.flatMap(({ source }) => (source.kind === 'file' ? partsOf(source.path) : []));

/** True if the content of a file does not match its checksum; null if the file has no checksum. */
async function isDamaged(path: string): Promise<boolean | null> {
  const recordedChecksum = await writtenChecksum(path);
  if (recordedChecksum === null || !existsSync(path)) return null;
  return (await sha256Of(path).catch(() => null)) !== recordedChecksum;
}

/** After a statement failed, finds the damaged files and reports them. */
export class DamagedFiles {
  readonly #report: ReportDamage;
  readonly #lookedAt = new Map<string, number>();

  constructor(report: ReportDamage) {
    this.#report = report;
  }

  /**
   * Returns the problem to raise for an error of a statement over these tables. If a file is damaged, reports the file.
   */
  async problemOf(error: unknown, tables: readonly EngineTable[]): Promise<unknown> {
    if (!(error instanceof EngineProblem) || (error.cause !== 'damaged' && error.cause !== 'failed')) return error;
    const files = filesOf(tables);
    const now = performance.now();
    const isKnown = files.some((path) => (this.#lookedAt.get(path) ?? -Infinity) > now - againMs);
    if (files.length === 0 || (isKnown && error.cause === 'damaged')) return error;
    const verdicts = await Promise.all(files.map(isDamaged));
    const damaged = files.filter((_, index) => verdicts[index] === true);
    if (damaged.length === 0 && error.cause === 'failed') return error;
    // DuckDB found damage. If no checksum shows which file is damaged, it may be any of them.
    const suspects = damaged.length > 0 ? damaged : files;
    for (const path of suspects) this.#lookedAt.set(path, now);
    this.#report(suspects);
    return error.cause === 'damaged' ? error : new EngineProblem('damaged');
  }
}
