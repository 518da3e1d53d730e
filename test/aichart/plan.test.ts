import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isList, isObject, type Json } from '@inlay/contract';
import { expect, it } from 'vitest';
import type { ChartColumn, ChartDataset } from '../../packages/service/src/aichart/dataset.ts';
import { ask } from '../../packages/service/src/aichart/engine.ts';
import { textsToLookUp } from '../../packages/service/src/aichart/understand.ts';
import type { FoundValues } from '../../packages/service/src/aichart/values/found-values.ts';

const idOf = (at: number): string => `00000000-0000-4000-8000-00000000000${at}`;
const column = (name: string, type: ChartColumn['type'], position: number): ChartColumn => ({
  id: idOf(position + 1),
  position,
  name: { en: name },
  sourceName: null,
  description: {},
  synonyms: [],
  type,
  subtype: null,
  format: null,
  aggregation: 'sum',
  cardinality: null,
  span: null,
});
const trips: ChartDataset = {
  id: idOf(0),
  name: { en: 'Trips' },
  description: {},
  columns: [
    column('Depot', 'hierarchy', 0),
    column('Departure', 'datetime', 1),
    column('Distance (km)', 'numeric', 2),
    column('Cost', 'numeric', 3),
  ],
};

/** A plan with the names of columns in place of their positions. */
function named(value: Json, key = ''): Json {
  if (isList(value)) return value.map((part) => named(part));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, named(part, name)]));
  const isColumn = typeof value === 'number' && (key === 'column' || key === 'time');
  return isColumn ? (trips.columns[value]?.name['en'] ?? null) : value;
}

it('is the meaning of the example in the specification', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/specification/ai-charts.md'), 'utf8');
  const question = /^For "(?<question>[^"]+)"/mu.exec(page)?.groups?.['question'] ?? '';
  const stated: Json = JSON.parse(/```json plan\n(?<plan>.*?)```/su.exec(page)?.groups?.['plan'] ?? 'null');
  const asked = { requested: 'chart', question, history: [], today: '2024-05-15' } as const;
  const byText: FoundValues['byText'] = new Map(
    textsToLookUp(trips, asked).map((text) => [
      text,
      text === 'ghent' ? [{ column: 0, value: 'Ghent', distance: 0 }] : [],
    ]),
  );
  const { plans, message } = ask(trips, asked, { byText, isComplete: true, hasFailed: false });
  expect(message).toBeNull();
  const { reasons, ...plan } = JSON.parse(JSON.stringify(plans[0] ?? null));
  expect(reasons.length).toBeGreaterThan(0);
  expect(named(plan)).toEqual(stated);
});
