import type { JsonObject } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import { mustHaveFeatures } from '../access/features.ts';
import { isDatasetOf } from '../access/given.ts';
import { columnsOf, condition, permits } from '../access/permits.ts';
import { endingEarly, type ExplainRows } from '../data/explanation/explain-rows.ts';
import type { Role } from '../declare/roles.ts';
import type { Explain, ExplainRequest } from '../pipeline/service.ts';
import { Problem, type ProblemData } from '../problems/problem.ts';
import type { Registry } from '../resource/registry.ts';
import { mainTable } from '../resource/tables.ts';
import { findOne } from '../search/find-one.ts';
import type { SearchContext } from '../search/visible-records.ts';
import { list, sql } from '../store/sql.ts';
import type { Reader } from '../store/store.ts';
import { describeProblem } from './filters.ts';
import { loadLevels } from './levels.ts';
import { loadNames } from './records.ts';
import { explainSecurable, unexplained, type ExplanationContext } from './securables.ts';
import { describeSubject, findSubject } from './subject.ts';

/** Dependencies of explanations. */
export interface ExplainOptions {
  readonly reader: Reader;
  readonly registry: Registry;
  readonly now: () => number;
  readonly explainRows: ExplainRows;
}

type AskingContext = SearchContext & { readonly caller: Caller };

/** Time before the deadline at which counting ends, in ms; a tenth of the time if that is less. */
const lateMs = 1000;

/** Returns what a get of the record by the subject is refused with; null if it is answered. */
async function refusalOf(
  context: AskingContext,
  subject: Caller,
  { resource, id, record }: ExplainRequest,
): Promise<ProblemData | null> {
  try {
    const seen = await findOne({ ...context, caller: subject }, resource, id);
    if (seen === null) throw new Problem('not_found');
    mustHaveFeatures(subject, resource, { operation: 'get', record: () => record, input: {} });
    return null;
  } catch (error) {
    if (error instanceof Problem) return error.data;
    throw error;
  }
}

/** Returns those of the ids on which the caller may have access explained. */
async function explainable(
  { reader, caller }: AskingContext,
  role: Role,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const may = condition(permits(role, caller, columnsOf(mainTable)));
  const rows = await reader.rows(sql`select t.id from securable t where t.id in ${list(ids)} and ${may}`);
  return new Set(rows.map((row) => String(row['id'])));
}

/** Explains each dataset of a dashboard. Those that the caller may not have explained are only named. */
async function explainDatasets(
  explaining: ExplanationContext,
  role: Role,
  dashboardId: string,
): Promise<readonly JsonObject[]> {
  const { context, subject } = explaining;
  const linked = await context.reader.rows(
    sql`select w.target_id from link w where w.first_id = ${dashboardId} and ${isDatasetOf('w')} order by w.target_id`,
  );
  const ids = linked.map((row) => String(row['target_id']));
  if (ids.length === 0) return [];
  const [levels, owned, record] = await Promise.all([
    loadLevels(context.reader, subject, list(ids)),
    explainable(context, role, ids),
    loadNames(
      context,
      ids.map((id) => ({ resource: 'securable', id })),
    ),
  ]);
  const datasets: JsonObject[] = [];
  for (const id of ids) {
    const held = levels.get(id);
    const isExplained = held !== undefined && owned.has(id);
    const { id: shownId = null, name = null } = record({ resource: 'securable', id });
    const explained = isExplained ? await explainSecurable(explaining, id, held) : unexplained;
    datasets.push({ id: shownId, name, explained: isExplained, ...explained });
  }
  return datasets;
}

/**
 * Creates the explanation of who sees what. It runs the statements and functions that decide requests, for the caller
 * that the subject would be. specification/rights#explanations
 */
export const createExplain =
  ({ reader, registry, now, explainRows }: ExplainOptions): Explain =>
  async (request) => {
    const { caller, resource, id, record, party, deadlineMs } = request;
    const context = { reader, registry, caller };
    const found = await findSubject(context, party, now());
    const { caller: subject } = found;
    const head = { subject: await describeSubject(context, found) };
    const named = { id, name: record['name'] ?? null, explained: true };
    const isDashboard = record['type'] === 'dashboard';
    if (subject === null) {
      const ended = new Problem('credentials_invalid').data;
      const nothing = { ...head, sees: 'nothing', problem: describeProblem(ended, true), ...named, ...unexplained };
      return { ...nothing, datasets: null };
    }
    const call = endingEarly(request, Math.min(lateMs, (deadlineMs - performance.now()) / 10));
    try {
      const [refusal, levels] = await Promise.all([
        refusalOf(context, subject, request),
        loadLevels(reader, subject, list([id])),
      ]);
      const held = levels.get(id);
      if (held === undefined || resource.explainedTo === undefined) throw new Problem('not_found');
      const explaining = { context, subject, explainRows, call };
      const sees = refusal !== null ? 'nothing' : held.level === null ? 'outline' : 'record';
      return {
        ...head,
        sees,
        problem: describeProblem(refusal, true),
        ...named,
        ...(await explainSecurable(explaining, id, held)),
        datasets: isDashboard ? await explainDatasets(explaining, resource.explainedTo, id) : null,
      };
    } finally {
      call.end();
    }
  };
