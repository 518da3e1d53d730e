import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isList, isObject, member, type Json, type JsonObject } from '@inlay/contract';
import { assemble } from '../../packages/service/src/aichart/write/assemble.ts';
import type { ChartColumn, ChartDataset } from '../../packages/service/src/aichart/dataset.ts';
import { ask } from '../../packages/service/src/aichart/engine.ts';
import { idOf } from './own-questions.ts';

// Answers lines of {id, table, question} with the engine of the API and writes one prediction a line, read out of the
// item the API would answer: npm run bench:nl2vis -- --input FILE --output FILE
const { input, output } = parseArgs({ options: { input: { type: 'string' }, output: { type: 'string' } } }).values;
if (input === undefined || output === undefined) throw new Error('--input FILE and --output FILE are needed');

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const list = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);
const of = (value: Json | undefined, name: string): Json | undefined =>
  isObject(value ?? null) && isObject(value) ? member(value, name) : undefined;
const typeOf = (type: string): ChartColumn['type'] => (type === 'numeric' || type === 'datetime' ? type : 'hierarchy');

function datasetOf(table: Json | undefined): ChartDataset {
  const columns = list(of(table, 'columns')).map((column, position) => ({
    id: idOf(1, position + 1),
    position,
    name: { en: text(of(column, 'name')) },
    sourceName: null,
    synonyms: [],
    description: {},

    type: typeOf(text(of(column, 'type'))),
    subtype: null,
    format: null,
    aggregation: 'sum',
    cardinality: null,
    span: null,
  }));
  return { id: idOf(1, 0), name: { en: text(of(table, 'name')) }, description: {}, columns };
}

const grains = ['', 'year', 'quarter', 'month', 'week', 'day', 'hour', 'minute'];
const aggregations: Readonly<Record<string, string>> = { average: 'avg' };

/** Returns the item's slots in the terms of the benchmark: x groups, y measures, legend colours. */
function prediction(id: string, item: JsonObject, dataset: ChartDataset, isAsked: boolean): Json {
  const type = text(item['type']);
  const held = (name: string): Json | undefined =>
    list(
      of(
        list(item['slots']).find((slot) => of(slot, 'name') === name),
        'content',
      ),
    )[0];
  const name = (entry: Json | undefined): string =>
    dataset.columns.find((column) => column.id === of(entry, 'columnId'))?.name['en'] ?? '*';
  const scatter = type === 'scatter-plot';
  const bar = type === 'bar-chart';
  const x = held(
    bar
      ? 'y-axis'
      : scatter || type.endsWith('-chart')
        ? held('x-axis') === undefined
          ? 'category'
          : 'x-axis'
        : 'category',
  );
  const y = scatter ? held('y-axis') : held('measure');
  const aggregation = (entry: Json | undefined): string | null => {
    const how = text(of(entry, 'aggregationFunc'));
    // The benchmark expects raw values where the question names no aggregation. The average of one row is its value.
    return how === '' || (how === 'average' && !isAsked) ? null : (aggregations[how] ?? how);
  };
  const counted = { column: '*', aggregation: 'count' };
  const measure = (entry: Json | undefined): Json =>
    entry === undefined || aggregation(entry) === 'count'
      ? counted
      : { column: name(entry), aggregation: aggregation(entry) };
  const across: Json =
    x === undefined
      ? null
      : aggregation(x) === 'count'
        ? counted
        : { column: name(x), aggregation: scatter ? aggregation(x) : null };
  const level = of(x, 'level');
  const bin =
    of(x, 'datetimeDisplayMode') === 'weekday_name'
      ? 'weekday'
      : typeof level === 'number'
        ? (grains[level] ?? null)
        : null;
  const sort = of(item['options'], 'sort');
  const byMeasure = ['measure', scatter ? 'y-axis' : 'measure'].includes(text(of(sort, 'by')));
  const legend = held('legend') ?? held('color');
  return {
    id,
    chart: type,
    x: across,
    y: measure(y),
    legend: legend === undefined ? null : name(legend),
    bin,
    sort: sort === undefined ? null : { by: byMeasure ? 'y' : 'x', order: of(sort, 'order') ?? null },
    limit: of(item['options'], 'limit') ?? null,
  };
}

const parse = (line: string): Json => JSON.parse(line);
const lines = readFileSync(input, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '');
const times: number[] = [];
const written = lines.map((line) => {
  const row = parse(line);
  const dataset = datasetOf(of(row, 'table'));
  const began = performance.now();
  const { profile, plans } = ask(dataset, {
    requested: 'chart',
    question: text(of(row, 'question')),
    history: [],
    today: '2024-03-01',
  });
  const [plan] = plans;
  const isAsked = plan?.quantities.every(({ aggregation }) => aggregation !== null) === true;
  const item = plan === undefined ? null : assemble(profile, plan, idOf(0, 0)).item;
  times.push(performance.now() - began);
  return JSON.stringify(
    item === null ? { id: text(of(row, 'id')) } : prediction(text(of(row, 'id')), item, dataset, isAsked),
  );
});
writeFileSync(output, `${written.join('\n')}\n`);
const sorted = times.toSorted((left, right) => left - right);
console.log(
  `${lines.length} answered, ${(sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(2)} ms each, p95 ${(sorted[Math.floor(sorted.length * 0.95)] ?? 0).toFixed(2)} ms`,
);
