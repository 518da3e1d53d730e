import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  BatchColumn,
  EngineAnswer,
  EngineJob,
  IngestProgress,
  IngestSpec,
} from '../../packages/service/src/engine/engine.ts';
import { openEngine, type EngineOptions } from '../../packages/service/src/engine/open-engine.ts';

export const never = new AbortController().signal;

/** Returns a job over one dataset version, with generous limits. */
export const jobOver = (
  engine: TestEngine,
  version: string,
  sql: string,
  more: Partial<EngineJob> = {},
): EngineJob => ({
  tenant: 'here',
  caller: { suborganization: null, authorizationId: 'one' },
  tables: [{ name: 'ds', source: { kind: 'file', path: engine.versionPath('here', 'ds', version) } }],
  sql,
  params: [],
  rowLimit: 100_000,
  byteLimit: 1_000_000_000,
  deadlineMs: 60_000,
  ...more,
});

/** Returns the whole of an answer as text. */
export async function textOf({ chunks }: EngineAnswer): Promise<string> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts).toString();
}

/** Returns the rows of an answer to `query`. */
export const rowsOf = async (answer: Promise<EngineAnswer>): Promise<unknown> =>
  JSON.parse(`[${await textOf(await answer)}]`);

/** What a promise was refused with: the cause of an EngineProblem, or the error's text. */
export const causeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: unknown) =>
      error instanceof Error ? (typeof error.cause === 'string' ? error.cause : error.message) : String(error),
  );

/** Returns a real engine on a folder of its own, and what tests do with it. */
export function startTestEngine(options: Partial<EngineOptions> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'inlay-engine-'));
  const engine = openEngine({
    dataDir,
    memoryMb: 400,
    children: 4,
    threads: 2,
    deadlineMs: 60_000,
    spillMb: 1000,
    ...options,
  });
  const ingest = async (
    spec: Partial<IngestSpec> & Pick<IngestSpec, 'version' | 'source'>,
  ): Promise<IngestProgress> => {
    let last: IngestProgress | undefined;
    for await (const progress of engine.ingest({ tenant: 'here', datasetId: 'ds', ...spec }, never)) last = progress;
    if (last === undefined) throw new Error('nothing was told');
    return last;
  };
  return {
    ...engine,
    dataDir,
    /** Writes a version and returns its last progress. */
    write: ingest,
    writeRows: (
      version: string,
      columns: readonly BatchColumn[],
      rows: readonly (readonly (string | number | boolean | null)[])[],
    ) =>
      ingest({
        version,
        source: {
          kind: 'rows',
          columns,
          rows: (async function* () {
            for (let at = 0; at < rows.length; at += 10_000) yield rows.slice(at, at + 10_000);
          })(),
        },
      }),
    stop: async (): Promise<void> => {
      await engine.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type TestEngine = ReturnType<typeof startTestEngine>;
