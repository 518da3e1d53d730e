import { isList, isObject, member, type Json, type JsonObject } from '@inlay/contract';
import { Problem } from '../../problems/problem.ts';
import type { PlanMembers } from '../../connectors/connector.ts';
import type { EngineChoice, SourceChoice } from '../choose.ts';
import type { EngineTable } from '../../engine/engine.ts';
import { atSource, sourceTexts } from './at-source.ts';
import type { QueryTask } from './query-task.ts';
import type { Runners } from './runners.ts';

/** Time limit for reading the plan of a slow query, in ms. */
const planMs = 5000;
/** Maximum number of logged steps of a plan. */
const maxSteps = 100;

/** How plans of the engine name their steps. */
const engineMembers: PlanMembers = {
  step: ['name'],
  table: ['Table'],
  index: [],
  rows: ['Estimated Cardinality'],
  details: ['extra_info'],
};

const wordIn = (object: JsonObject, names: readonly string[]): string | null => {
  const memberValue = names.map((name) => member(object, name)).find((value) => value !== undefined);
  return typeof memberValue === 'string' || typeof memberValue === 'number' ? String(memberValue) : null;
};

/** Formats a step, such as `Index Scan orders by orders_day, 20 rows`; null if the object is not a step. */
function stepOf(object: JsonObject, { step, table, index, rows, details = [] }: PlanMembers): string | null {
  const extra = details.map((name) => member(object, name)).filter((value) => value !== undefined && isObject(value));
  const members = Object.assign({}, ...extra, object);
  const name = wordIn(members, step);
  if (name === null) return null;
  const [of, by, count] = [wordIn(members, table), wordIn(members, index), wordIn(members, rows)];
  const description = [name, ...(of === null ? [] : [of]), ...(by === null ? [] : ['by', by])].join(' ');
  return count === null ? description : `${description}, ${count} rows`;
}

/** Lists the steps of a JSON plan, indented by depth. Omits conditions, since these contain values. */
export function planSteps(plan: Json, members: PlanMembers): readonly string[] {
  const steps: string[] = [];
  const visit = (value: Json, depth: number): void => {
    if (isList(value)) for (const entry of value) visit(entry, depth);
    if (!isObject(value)) return;
    const step = stepOf(value, members);
    if (step !== null) steps.push(`${'  '.repeat(depth)}${step}`);
    for (const [name, memberValue] of Object.entries(value))
      if (members.details?.includes(name) !== true) visit(memberValue, step === null ? depth : depth + 1);
  };
  visit(plan, 0);
  return steps.slice(0, maxSteps);
}

/** Reads the plan of a statement at its source. Raises SourceProblem. */
async function planAtSource(
  runners: Runners,
  { source, statement }: Pick<SourceChoice, 'source' | 'statement'>,
  task: QueryTask,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { connector, resolved } = source;
  const explainStatement = {
    ...statement,
    sql: `${connector.traits.explain}${statement.sql}`,
    texts: sourceTexts([source]),
  };
  const limits = { rowLimit: 1000, byteLimit: 4_000_000, deadlineMs: planMs };
  const text = await atSource(runners, resolved, task.trace, async (params) => {
    const cells: string[] = [];
    const { rows } = await connector.run(params, explainStatement, limits, signal);
    for await (const batch of rows) cells.push(...batch.flat().filter((cell) => typeof cell === 'string'));
    return cells.join('');
  });
  const plan: Json = JSON.parse(text);
  return planSteps(plan, connector.traits.planMembers);
}

/**
 * Explains how a database or the engine would run a query now, but does not run it. If the engine needs rows from
 * sources, the plans of their statements are included. `tablesOf` returns the tables of an engine statement. Raises
 * what requests to sources and the engine raise.
 */
export async function readPlan(
  runners: Runners,
  task: QueryTask,
  tablesOf: (choice: EngineChoice, signal: AbortSignal) => Promise<readonly EngineTable[]>,
): Promise<readonly string[]> {
  const { choice } = task;
  const signal = AbortSignal.timeout(planMs);
  if (choice.place !== 'engine') return planAtSource(runners, choice, task, signal);
  if (choice.fetches.length > 0) {
    const plans: string[] = [];
    for (const fetch of choice.fetches)
      if ('statement' in fetch) plans.push(...(await planAtSource(runners, fetch, task, signal)));
    return plans;
  }
  const tables = await tablesOf(choice, signal);
  const { organizationId } = task.caller;
  const { sql, params } = choice.statement;
  const limits = { rowLimit: 1, byteLimit: 4_000_000, deadlineMs: planMs };
  const job = { tenant: organizationId, caller: task.caller, tables, sql, params, ...limits };
  const text = await runners.engine.plan(job, signal);
  if (text === '') throw new Problem('engine_failed');
  const plan: Json = JSON.parse(text);
  return planSteps(plan, engineMembers);
}
