import { createHash } from 'node:crypto';
import { filledText, isObject, listOr, objectOr, parseObject, type Json, type JsonObject } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import { columnsOf, condition, permits } from '../access/permits.ts';
import { allRows, shown } from '../declare/roles.ts';
import { recent } from '../store/recent.ts';
import { sql, text } from '../store/sql.ts';
import type { Reader, Row } from '../store/store.ts';
import type { ChartColumn, ChartDataset, Words } from './dataset.ts';

/** Reads a text in several languages. Empty texts are left out. */
export const wordsByLanguage = (value: Json | undefined): Words =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([language, word]) =>
          typeof word === 'string' && word !== '' ? [[language, word]] : [],
        ),
      )
    : {};
/** Returns the texts of all languages. Blank ones name nothing. */
const synonymsIn = (value: Json | undefined): readonly string[] =>
  Object.values(objectOr(value ?? null))
    .flatMap((texts) => listOr(texts))
    .flatMap((text) => (typeof text === 'string' && text.trim() !== '' ? [text] : []));
const numberIn = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null);

const types = ['numeric', 'datetime', 'hierarchy', 'spatial'] as const;

/**
 * Returns the largest value minus the smallest value if both are whole numbers; otherwise null. The engine does not get
 * the values themselves.
 */
function spanOf({ minimum, maximum }: JsonObject): number | null {
  const from = Number(filledText(minimum) ?? Number.NaN);
  const to = Number(filledText(maximum) ?? Number.NaN);
  return Number.isInteger(from) && Number.isInteger(to) && to >= from ? to - from : null;
}

function columnOf(row: Row): ChartColumn & { readonly order: number } {
  const record = parseObject(String(row['record']));
  const type = types.find((word) => word === record['type']) ?? 'hierarchy';
  const name = wordsByLanguage(record['name']);
  const source = filledText(record['source_name']);
  return {
    id: String(row['id']),
    position: 0,
    order: numberIn(record['order']) ?? 0,
    name: Object.keys(name).length > 0 ? name : { en: source ?? '' },
    sourceName: source,
    description: wordsByLanguage(record['description']),
    synonyms: synonymsIn(record['synonyms']),
    type,
    subtype: filledText(record['subtype']),
    format: filledText(record['format']),
    aggregation: filledText(record['aggregation_type']) ?? 'sum',
    cardinality: numberIn(record['cardinality']),
    span: type === 'numeric' ? spanOf(record) : null,
    ...(row['kept'] === 'boolean' ? { isBoolean: true } : {}),
  };
}

/** Returns a numeric formula of the dataset as a column that is only a measure. */
function formulaOf(row: Row): ChartColumn {
  const record = parseObject(String(row['record']));
  return {
    id: String(row['id']),
    position: 0,
    name: wordsByLanguage(record['name']),
    sourceName: null,
    description: {},
    synonyms: [],
    type: 'numeric',
    subtype: null,
    format: filledText(record['format']),
    aggregation: 'sum',
    cardinality: null,
    span: null,
    isFormula: true,
  };
}

/** Returns what stands in braces in a formula: the ids of its columns, and parts of quoted texts. */
const bracedIn = (expression: string): readonly string[] =>
  expression
    .split('{')
    .slice(1)
    .map((text) => (text.split('}')[0] ?? '').trim());

/** Returns the numeric formulas that have a name and use only columns that the caller is offered. */
function offeredFormulas(formulas: readonly Row[], columns: readonly ChartColumn[]): readonly Row[] {
  const ids = new Set(columns.map(({ id }) => id));
  return formulas.filter((row) => {
    const { name, type, expression } = parseObject(String(row['record']));
    const isNamed = Object.keys(wordsByLanguage(name)).length > 0;
    const isNumeric = (filledText(type) ?? 'numeric') === 'numeric';
    return isNamed && isNumeric && bracedIn(filledText(expression) ?? '').every((id) => ids.has(id.toLowerCase()));
  });
}

/** Loads the metadata of a dataset that the chart engine may see for a caller; null if there is no such dataset. */
export type LoadChartDataset = (reader: Reader, caller: Caller, id: string) => Promise<ChartDataset | null>;

const maxCached = 64;

/**
 * Creates a loader of dataset metadata, with the formulas of the dataset unless `hasFormulas` is false: a formula cannot
 * contain another one. It omits columns that are hidden from the token or from everybody. As long as
 * the records are unchanged, it returns the same object, so that the profile of the dataset is computed only once.
 */
export function createLoadChartDataset(hasFormulas = true): LoadChartDataset {
  const recentDatasets = recent<string, ChartDataset>(maxCached);
  return async (reader, caller, id) => {
    const visible = condition(permits(shown, caller, columnsOf(text('c'))));
    const [datasets, columns, formulas] = await Promise.all([
      reader.rows(
        sql`select t.record, case
          when ${condition(permits(allRows('id'), caller, columnsOf(text('t'))))} then 1 else 0 end as whole
          from securable t where t.id = ${id} and t.type = 'dataset'`,
      ),
      reader.rows(
        sql`select c.id, c.record, c.kept from "column" c where c.securable_id = ${id}
          and coalesce(c.kept, '') not like 'retired %' and ${visible} order by c.id`,
      ),
      hasFormulas
        ? reader.rows(sql`select f.id, f.record from formula f where f.securable_id = ${id} order by f.id`)
        : [],
    ]);
    const [row] = datasets;
    if (row === undefined) return null;
    const hash = createHash('sha256').update(id).update(String(row['record'])).update(String(row['whole']));
    for (const column of columns)
      hash.update(String(column['id'])).update(String(column['record'])).update(String(column['kept']));
    for (const formula of formulas) hash.update(String(formula['id'])).update(String(formula['record']));
    const key = hash.digest('base64');
    const dataset = recentDatasets.get(key) ?? datasetOf(id, row, columns, formulas);
    recentDatasets.set(key, dataset);
    return dataset;
  };
}

function datasetOf(id: string, row: Row, columns: readonly Row[], formulas: readonly Row[]): ChartDataset {
  const record = parseObject(String(row['record']));
  const isWhole = row['whole'] === 1;
  const offeredColumns = columns
    .filter((column) => parseObject(String(column['record']))['hidden'] !== true)
    .map(columnOf)
    // A caller who does not see all rows gets no statistics, since they are computed from all rows.
    .map((column) => (isWhole ? column : { ...column, cardinality: null, span: null }));
  return {
    id,
    name: wordsByLanguage(record['name']),
    description: wordsByLanguage(record['description']),
    columns: [
      ...offeredColumns.toSorted((left, right) => left.order - right.order),
      ...offeredFormulas(formulas, offeredColumns).map(formulaOf),
    ].map((column, position) => ({ ...column, position })),
  };
}

/** True if an owner of the whole organization has switched AI on. specification/ai-charts#switch */
export async function isSwitchedOn(reader: Reader, organizationId: string): Promise<boolean> {
  const [row] = await reader.rows(sql`select record from organization where id = ${organizationId}`);
  return row !== undefined && parseObject(String(row['record']))['flag_experimental_ai'] === true;
}
