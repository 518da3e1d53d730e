import { openEngine } from '../../packages/service/src/engine/open-engine.ts';
import { noCaller, type EngineJob, type EngineTable } from '../../packages/service/src/engine/engine.ts';
import { awakeClock } from './awake.ts';
import { heavyStatements, hostileStatements, type Target } from './hostile-sql.ts';
import { madeStatements, type Fate } from './sql-grammar.ts';

/** What became of one statement. */
export interface Outcome {
  readonly sql: string;
  /** `checked`: as a person's query. `unchecked`: as if the check had let it through, so that only the locks are left. */
  readonly how: 'checked' | 'unchecked' | 'heavy';
  /** What the grammar that made it says must become of it; null for a statement of the lists. */
  readonly fate: Fate | null;
  readonly cause: string | null;
  readonly answer: string | null;
  readonly ms: number;
  /** Asked after each tenth statement and after each heavy one: by a person, and by another tenant about a table of its own. */
  readonly stillAnswers: boolean;
}

/** What the program is told, as JSON in its only argument. */
export interface Told extends Target {
  readonly dataDir: string;
  readonly csv: string;
  /** A table of another tenant, called `secrets`. */
  readonly foreignCsv: string;
  readonly deadlineMs: number;
  /** How many statements the grammar makes, of which seed; 0 for the lists of statements instead. */
  readonly made: number;
  readonly seed: number;
}

type Attempt = (sql: string, how: Outcome['how'], fate?: Fate) => Promise<void>;

/** Two at a time, which leaves a child for the other tenant. */
async function each<T>(all: Iterable<T>, attempt: (one: T) => Promise<void>): Promise<void> {
  const left = all[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true; next = left.next()) await attempt(next.value);
  };
  await Promise.all([worker(), worker()]);
}

/** Runs all hostile statements on a real engine; tells a line of JSON for each. */
export async function runHostileSql(told: Told, tell: (outcome: Outcome) => void): Promise<void> {
  const { dataDir, csv, foreignCsv, deadlineMs } = told;
  const engine = openEngine({ dataDir, memoryMb: 400, children: 3, threads: 2, deadlineMs: 30_000, spillMb: 64 });
  const signal = new AbortController().signal;
  const tableOf = (name: string, path: string) =>
    ({ name, source: { kind: 'files', format: 'csv', paths: [path] } }) as const;
  const run = async (more: Pick<EngineJob, 'tenant' | 'tables' | 'sql' | 'deadlineMs'>) => {
    const limits = { caller: noCaller, params: [], rowLimit: 1000, byteLimit: 1_000_000 };
    const { chunks } = await engine.query({ ...limits, ...more }, signal);
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(Uint8Array.from(chunk));
    return Buffer.concat(parts).toString();
  };
  const here = { tenant: 'here', tables: [tableOf('t', csv)] };
  const textOf = (sql: string): EngineTable => ({ name: 'q', source: { kind: 'text', sql, tables: here.tables } });
  const there = { tenant: 'there', tables: [tableOf('secrets', foreignCsv)] };
  const answers = async (): Promise<boolean> => {
    const more = { deadlineMs: 30_000, sql: 'select json_array(n)::varchar from q', tables: [textOf('select 1 as n')] };
    const own = { deadlineMs: 30_000, sql: 'select json_array(count(*))::varchar from secrets' };
    const clock = awakeClock();
    const said = await Promise.all([run({ ...here, ...more }), run({ ...there, ...own })]).then(String, String);
    const suspended = clock.wasSuspended();
    clock.stop();
    return said === '[1],[1]' || (suspended && (await answers()));
  };
  let count = 0;
  const wrapped = (sql: string): string => `select to_json(q)::varchar from (${sql}\n) q`;
  const attempt: Attempt = async (sql, how, fate) => {
    const clock = awakeClock();
    const asText = { sql: 'select to_json(q)::varchar from q', tables: [textOf(sql)] };
    const asked = how === 'unchecked' ? { sql: wrapped(sql) } : asText;
    // What must be refused has as long as a busy machine takes.
    const isRefused = how === 'checked' && fate === undefined;
    const limits = isRefused ? { deadlineMs: 30_000 } : { deadlineMs };
    const outcome = await run({ ...here, ...asked, ...limits }).then(
      (answer) => ({ cause: null, answer }),
      (error: unknown) => ({ cause: error instanceof Error ? String(error.cause) : 'unknown', answer: null }),
    );
    const ms = clock.passedMs();
    const suspended = clock.wasSuspended();
    clock.stop();
    // Deadlines ran out while nothing could run.
    if (suspended) return attempt(sql, how, fate);
    count += 1;
    const stillAnswers = !(how === 'heavy' || count % 10 === 0) || (await answers());
    tell({ sql, how, fate: fate ?? null, ...outcome, ms, stillAnswers });
  };
  if (told.made > 0)
    await each(madeStatements(told.seed, told.made, told), async ({ sql, fate }) => {
      await attempt(sql, 'checked', fate);
      if (fate !== 'allowed') await attempt(sql, 'unchecked', fate);
    });
  else {
    const hostile = hostileStatements(told);
    await each(hostile, (sql) => attempt(sql, 'checked'));
    await each(hostile, (sql) => attempt(sql, 'unchecked'));
    for (const sql of heavyStatements) await attempt(sql, 'heavy');
  }
  await engine.close();
}
