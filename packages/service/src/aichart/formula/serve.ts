import { listOr, textOr } from '@inlay/contract';
import type { Caller } from '../../access/caller.ts';
import { columnsOf, condition, permits } from '../../access/permits.ts';
import { securable } from '../../declare/roles.ts';
import type { AnswerOnce } from '../../idempotency/answer-once.ts';
import { Problem } from '../../problems/problem.ts';
import type { ServedHandler, ServedRequest } from '../../resource/served.ts';
import { sql, text } from '../../store/sql.ts';
import type { Reader } from '../../store/store.ts';
import type { ChartDataset } from '../dataset.ts';
import type { Ask } from '../engine.ts';
import { createLoadChartDataset, isSwitchedOn } from '../load.ts';
import { textsToLookUp } from '../understand.ts';
import { noValues, type ValueSearch } from '../values/found-values.ts';
import { exampleFor } from './example.ts';
import type { ConsultFormula } from './provider.ts';
import { readFormula, type FormulaCheck, type ReadFormula } from './read-formula.ts';

export interface FormulaContext {
  readonly reader: Reader;
  readonly check: FormulaCheck;
  /** Asks the configured model; null if no model is configured. */
  readonly consult: ConsultFormula | null;
  readonly search: ValueSearch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly once: AnswerOnce;
}

/** Maximum number of datasets that are tried if the request names none. */
const maxDatasets = 20;

/** Returns the datasets on which the caller has *use*, the ones that were changed last first. */
async function usableDatasets(reader: Reader, caller: Caller): Promise<readonly string[]> {
  const mayUse = condition(permits(securable('use'), caller, columnsOf(text('t'))));
  const rows = await reader.rows(
    sql`select t.id from securable t where t.organization_id = ${caller.organizationId} and t.type = 'dataset'
      and ${mayUse} order by t.updated_at desc, t.id limit ${maxDatasets}`,
  );
  return rows.map((row) => String(row['id']));
}

/** The datasets whose columns a formula may have. */
interface DatasetChoice {
  readonly datasets: readonly ChartDataset[];
  /** True if the request names them. */
  readonly isNamed: boolean;
}

/** Maximum number of datasets whose values are looked up, which takes up to a second each. */
const maxSearched = 5;

/** Maximum number of datasets that are tried for an example. */
const maxExamples = 3;
const severalFit = 'several datasets have columns for this: name the one that is meant in dataset_ids';

function unreadable(faults: readonly string[], example: string | null): Problem {
  const hint = example === null ? [] : [`this is read, for example: ${example}`];
  return new Problem('iqformula_unreadable', { validation: { 'properties.prompt': [...faults, ...hint] } });
}

/**
 * Creates the handler of `iqformula` requests. Every formula is validated against its dataset, also one of
 * a provider. Raises Problem
 * `ai_disabled`, `iqformula_unreadable`. specification/ai-charts#formulas-in-words
 */
export function createFormulaHandler({ reader, check, consult, search, now, once }: FormulaContext): ServedHandler {
  const load = createLoadChartDataset(false);

  async function readBuiltIn(
    request: ServedRequest,
    dataset: ChartDataset,
    query: Ask,
    isSearched: boolean,
  ): Promise<ReadFormula> {
    // With a model, no values are looked up: clients send answers back, which then go to the model.
    const found =
      isSearched && consult === null ? await search(request, dataset, textsToLookUp(dataset, query)) : noValues;
    return readFormula(check, dataset, query, found);
  }

  async function datasetsOf({ caller, input }: ServedRequest): Promise<DatasetChoice> {
    const named = listOr(input['dataset_ids']).filter((id) => typeof id === 'string');
    const ids = named.length > 0 ? named.map((id) => id.toLowerCase()) : await usableDatasets(reader, caller);
    const loaded = await Promise.all([...new Set(ids)].map((id) => load(reader, caller, id)));
    const datasets = loaded.filter((dataset) => dataset !== null).filter(({ columns }) => columns.length > 0);
    return { datasets, isNamed: named.length > 0 };
  }

  async function formulaFor(request: ServedRequest): Promise<string> {
    const prompt = textOr(request.input['prompt'], '');
    const { datasets, isNamed } = await datasetsOf(request);
    const today = new Date(now()).toISOString().slice(0, 10);
    const query: Ask = { requested: 'chart', question: prompt, history: [], today };
    const readings: ReadFormula[] = [];
    const fitting: number[] = [];
    for (const [index, dataset] of datasets.entries()) {
      const reading = await readBuiltIn(request, dataset, query, index < maxSearched);
      readings.push(reading);
      if ('formula' in reading) fitting.push(index);
      if (fitting.length > (isNamed ? 0 : 1)) break;
    }
    const example = (): string | null =>
      datasets
        .slice(0, maxExamples)
        .map((dataset) => exampleFor(check, dataset))
        .find((text) => text !== null) ?? null;
    if (!isNamed && fitting.length > 1) throw unreadable([severalFit], example());
    const chosen = fitting[0] ?? (isNamed || datasets.length === 1 ? 0 : -1);
    const [dataset, reading] = [datasets[chosen], readings[chosen] ?? readings[0]];
    const answer = consult === null || dataset === undefined ? null : await consult(request, dataset, prompt);
    if (answer !== null) return answer;
    if (reading === undefined) throw unreadable(['there is no dataset with columns that you may use'], null);
    if ('formula' in reading) return reading.formula;
    throw unreadable(reading.faults, example());
  }

  return async (request) => {
    if (!(await isSwitchedOn(reader, request.caller.organizationId))) throw new Problem('ai_disabled');
    return {
      body: await once(request, async () => JSON.stringify({ type: 'expression', formula: await formulaFor(request) })),
    };
  };
}
