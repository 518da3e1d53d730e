import { emit, parseQueries, plan, readRowFilter, unsupportedBy, type Condition, type Plan } from '@inlay/query';
import type { Json } from '@inlay/contract';
import type { Asked, RowFilters } from './asked.ts';
import { answerJson, answerRows, type Engine } from './engines.ts';
import { nowMs, worldModel } from './world.ts';

/** Data that went through JSON, as a request does. */
const asJson = (value: unknown): Json => {
  const json: Json = JSON.parse(JSON.stringify(value));
  return json;
};

const conditionsOf = (filters: RowFilters): ReadonlyMap<string, readonly Condition[]> =>
  new Map(
    Object.entries(filters).map(([dataset, tests]) => [
      dataset,
      tests.map(({ expression, parameters: [on, wanted] }): Condition => {
        const faults: string[] = [];
        const reading = {
          fault: (at: string, says: string) => void faults.push(`${at} ${says}`),
          parameters: new Map(),
        };
        const value = wanted === undefined ? undefined : asJson(wanted);
        const column = { datasetId: on.dataset_id, columnId: on.column_id, level: on.level ?? null };
        const found = readRowFilter({ on: column, expression, value }, dataset, reading);
        if (found === null) throw new Error(faults.join());
        return found;
      }),
    ]),
  );

/** Parses and plans a query over the world as a service does. */
export const planAsked = (asked: Asked, filters: RowFilters = {}): Plan => {
  const { queries, faults } = parseQueries(asJson(asked));
  const [query] = queries;
  if (query === undefined || faults.length > 0) throw new Error(JSON.stringify(faults));
  return plan(query, worldModel, {
    nowMs,
    timeZone: 'UTC',
    weekstart: 1,
    locale: 'en',
    rowLimit: 10_000,
    rowFilters: conditionsOf(filters),
  });
};

/** Numbers that differ in their last digits only are the same. */
export const settled = (value: unknown): unknown => {
  if (typeof value === 'number') return Math.abs(value) < 1e-9 ? 0 : Number(value.toPrecision(11));
  return Array.isArray(value) ? value.map(settled) : value;
};

/** What an engine answers, or why it leaves the plan to DuckDB. */
export const answerOf = async (engine: Engine, planned: Plan): Promise<readonly unknown[] | string> => {
  const why = unsupportedBy(planned, engine.dialect);
  if (why !== null) return why;
  const relations = (id: string) => ({ kind: 'table' as const, path: [id] });
  const rows = await answerRows(engine, emit(planned, engine.dialect, relations, 'rows'), planned.locale);
  if (engine.dialect.jsonRow === null) return rows;
  const json = await answerJson(engine, emit(planned, engine.dialect, relations, 'json'));
  if (JSON.stringify(settled(json)) !== JSON.stringify(settled(rows)))
    throw new Error(`the rows built in the engine differ: ${JSON.stringify(json)} and ${JSON.stringify(rows)}`);
  return rows;
};
