import { openEngine } from '../../packages/service/src/engine/open-engine.ts';
import type { EngineJob, EngineTable } from '../../packages/service/src/engine/engine.ts';
import { heavyStatements, hostileStatements, type Target } from './hostile-sql.ts';

/** What became of one statement. */
export interface Outcome {
  readonly sql: string;
  /** `checked`: as a person's query. `unchecked`: as if the check had let it through, so that only the locks are left. */
  readonly how: 'checked' | 'unchecked' | 'heavy';
  readonly cause: string | null;
  readonly answer: string | null;
  readonly ms: number;
  /** Asked after each tenth statement and after each heavy one. */
  readonly stillAnswers: boolean;
}

/** What the program is told, as JSON in its only argument. */
export interface Told extends Target {
  readonly dataDir: string;
  readonly csv: string;
  readonly deadlineMs: number;
}

/** Runs all hostile statements on a real engine; tells a line of JSON for each. */
export async function runHostileSql(
  { dataDir, csv, deadlineMs, ...target }: Told,
  tell: (outcome: Outcome) => void,
): Promise<void> {
  const engine = openEngine({ dataDir, memoryMb: 400, children: 2, threads: 2, deadlineMs: 30_000, spillMb: 64 });
  const signal = new AbortController().signal;
  const table: EngineTable = { name: 't', source: { kind: 'files', format: 'csv', paths: [csv] } };
  const run = async (sql: string, userQueries: readonly string[], ms: number): Promise<string> => {
    const limits = { rowLimit: 1000, byteLimit: 1_000_000, deadlineMs: ms };
    const job: EngineJob = { tenant: 'here', tables: [table], sql, params: [], userQueries, ...limits };
    const { chunks } = await engine.query(job, signal);
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(Uint8Array.from(chunk));
    return Buffer.concat(parts).toString();
  };
  let told = 0;
  const wrapped = (sql: string): string => `select to_json(q)::varchar from (${sql}\n) q`;
  const attempt = async (sql: string, how: Outcome['how']): Promise<void> => {
    const startedMs = performance.now();
    const outcome = await run(wrapped(sql), how === 'unchecked' ? [] : [sql], deadlineMs).then(
      (answer) => ({ cause: null, answer }),
      (error: unknown) => ({ cause: error instanceof Error ? String(error.cause) : 'unknown', answer: null }),
    );
    const ms = performance.now() - startedMs;
    told += 1;
    const asked = how === 'heavy' || told % 10 === 0;
    const stillAnswers = !asked || (await run('select json_array(1)::varchar', ['select 1'], 30_000)) === '[1]';
    tell({ sql, how, ...outcome, ms, stillAnswers });
  };
  const hostile = hostileStatements(target);
  for (const sql of hostile) await attempt(sql, 'checked');
  for (const sql of hostile) await attempt(sql, 'unchecked');
  for (const sql of heavyStatements) await attempt(sql, 'heavy');
  await engine.close();
}
