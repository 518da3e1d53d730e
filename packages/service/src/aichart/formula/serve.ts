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
import { textsToSign } from '../provider/conversation.ts';
import { profileOf, textsToLookUp } from '../understand.ts';
import { noValues, type FoundValues, type ValueSearch } from '../values/found-values.ts';
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

/** A text that was read over a dataset, with the values that were looked up for it; null if none were. */
interface DatasetReading {
  readonly reading: ReadFormula;
  readonly found: FoundValues | null;
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

  /** Looks up the values that a text names, and those that a model must not be sent. */
  function valuesFor(request: ServedRequest, dataset: ChartDataset, query: Ask): Promise<FoundValues> {
    if (consult === null) return search(request, dataset, textsToLookUp(dataset, query));
    const { texts, equalTexts } = textsToSign(profileOf(dataset), query);
    return search(request, dataset, texts, equalTexts);
  }

  async function readBuiltIn(
    request: ServedRequest,
    dataset: ChartDataset,
    query: Ask,
    isSearched: boolean,
  ): Promise<DatasetReading> {
    const found = isSearched ? await valuesFor(request, dataset, query) : null;
    return { found, reading: readFormula(check, dataset, query, found ?? noValues) };
  }

  /** Asks the model for a formula. Nothing is sent where values of the text could not be looked up. */
  async function consulted(
    request: ServedRequest,
    dataset: ChartDataset,
    query: Ask,
    known: FoundValues | null,
  ): Promise<string | null> {
    if (consult === null) return null;
    const found = known ?? (await valuesFor(request, dataset, query));
    return found.hasFailed ? null : consult(request, dataset, query, found);
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
    const readings: DatasetReading[] = [];
    const fitting: number[] = [];
    for (const [index, dataset] of datasets.entries()) {
      const read = await readBuiltIn(request, dataset, query, index < maxSearched);
      readings.push(read);
      if ('formula' in read.reading) fitting.push(index);
      if (fitting.length > (isNamed ? 0 : 1)) break;
    }
    const example = (): string | null =>
      datasets
        .slice(0, maxExamples)
        .map((dataset) => exampleFor(check, dataset))
        .find((text) => text !== null) ?? null;
    if (!isNamed && fitting.length > 1) throw unreadable([severalFit], example());
    const chosen = fitting[0] ?? (isNamed || datasets.length === 1 ? 0 : -1);
    const [dataset, read] = [datasets[chosen], readings[chosen] ?? readings[0]];
    const answer = dataset === undefined ? null : await consulted(request, dataset, query, read?.found ?? null);
    if (answer !== null) return answer;
    const reading = read?.reading;
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
