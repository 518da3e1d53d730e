import type { JsonObject } from '@inlay/contract';
import { bearer, type Sent } from '../client.ts';
import { column } from '../stage.ts';
import { done, either, repeated, type LargestRequest, type Part } from './request.ts';

/** Queries over the rows of datasets. */
export const queries: Part = (stage, { part, ask }) => {
  const { facts, viewer } = stage;
  const get = (
    name: string,
    find: JsonObject,
    statuses: readonly number[] = done,
    more: Partial<Sent> = {},
  ): LargestRequest => ask(name, 'data', { action: 'get', find }, statuses, viewer, more);
  const amount = column(facts, 'amount', { aggregation: { type: 'sum' } });
  const raw: JsonObject = {
    dimensions: ['a', 'b', 'leaf', 'at'].map((name) => column(facts, name)),
    measures: [column(facts, 'amount')],
    options: { rollup_data: false },
    limit: { by: 100_000 },
  };
  const values = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `leaf ${index * 3}`);
  const where = (count: number): JsonObject => ({
    expression: '? in ?',
    parameters: [column(facts, 'leaf'), [...values(count)]],
  });
  const many = (count: number, one: JsonObject): JsonObject => ({ queries: Array.from({ length: count }, () => one) });
  const test = (index: number): JsonObject => ({ expression: '? > ?', parameters: [column(facts, 'amount'), index] });
  const formula = (text: string): JsonObject => ({ measures: [{ dataset_id: facts.id, formula: text }] });
  const id = facts.columns['amount'] ?? '';
  const sums = `sum({${id}})`;
  return [
    get('100,000 rows', raw),
    get('100,000 rows as lines', { queries: [raw] }, done, {
      headers: { ...bearer(viewer), accept: 'application/x-ndjson' },
    }),
    get('100,000 rows, slow reader', raw, [200, 0, 503], { bytesPerSecond: 500_000, limitMs: part(4000) }),
    get('100,000 groups', { dimensions: [column(facts, 'leaf')], measures: [amount], limit: { by: 100_000 } }),
    get(
      '10,000 values in a list',
      { dimensions: [column(facts, 'a')], measures: [amount], where: [where(10_000)] },
      either,
    ),
    get(
      '50,000 values in five',
      many(5, { dimensions: [column(facts, 'a')], measures: [amount], where: [where(9_990)] }),
      either,
    ),
    get('200 × 10,000 values', many(part(200), { dimensions: [column(facts, 'a')], where: [where(1_000)] }), either),
    get('500 filters', { measures: [amount], where: Array.from({ length: 499 }, (_, index) => test(index)) }, either),
    get(
      '2,000 filters in four',
      many(4, { measures: [amount], where: Array.from({ length: 490 }, (_, index) => test(index)) }),
      either,
    ),
    get(
      '100 dimensions and measures',
      {
        dimensions: Array.from({ length: 100 }, () => column(facts, 'a')),
        measures: Array.from({ length: 100 }, () => amount),
      },
      either,
    ),
    get(
      '3,000 columns in 15',
      many(15, {
        dimensions: Array.from({ length: 100 }, () => column(facts, 'a')),
        measures: Array.from({ length: 99 }, () => amount),
      }),
      either,
    ),
    get('1,000 queries', many(1_000, { measures: [amount] }), either),
    get('formula of 200 operators', formula(Array.from({ length: 180 }, () => sums).join(' + ')), either),
    get('formula of 64 brackets', formula(`${'('.repeat(62)}${sums}${')'.repeat(62)}`), either),
    get('formula that doubles', formula(`${'power('.repeat(12)}${sums}${', 2)'.repeat(12)}`), either),
    get('formula of cases', formula(`case ${repeated(`when ${sums} > 1 then 2 `, 9_000)}end`), either),
    get(
      'formulas that grow',
      {
        measures: [
          {
            dataset_id: stage.long.id,
            formula: `max(replace({${stage.long.columns['word'] ?? ''}}, 'a', '${'b'.repeat(200)}'))`,
          },
        ],
      },
      [...either, 507],
    ),
    get(
      'a pattern of wildcards',
      {
        measures: [column(stage.long, 'n')],
        where: [{ expression: '? like ?', parameters: [column(stage.long, 'word'), '%_a'.repeat(80)] }],
      },
      either,
    ),
  ];
};
