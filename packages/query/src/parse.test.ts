import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filterExpressions, type Json, type JsonObject } from '@inlay/contract';
import { column, filter, measure, model, context, rowsIn } from '../../../test/support/shop.ts';
import { counted } from '../../../test/support/counts.ts';
import { parseQueries } from './parse.ts';
import { plan } from './plan.ts';
import { QueryProblem } from './problem.ts';

const faultsOf = (find: Json): readonly string[] =>
  parseQueries(find).faults.map(({ at, message }) => `${at} ${message}`);
const asked = (more: { readonly [member: string]: Json }): Json => ({ dimensions: [column('orders.status')], ...more });

/** Words of queries, from which JSON is generated that reaches deep into the parser. */
const words = [
  'dimensions',
  'measures',
  'where',
  'having',
  'order',
  'limit',
  'options',
  'queries',
  'and',
  'or',
  'parameters',

  'expression',
  'dataset_id',
  'column_id',
  'level',
  'part',
  'aggregation',
  'type',
  'formula',
  'by',
  'offset',
  '__proto__',
];
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom<Json>(
      null,
      true,
      -1,
      1.5,
      2,
      '',
      '*',
      'orders',
      'orders.amount',
      'orders.at',
      'sum',
      'month',
      'month_name',
      '\0',
    ),
    fc.constantFrom<Json>(...filterExpressions),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...words), tie('json'), { maxKeys: 5 }),
  ),
}));

describe('reading a query', () => {
  test('any JSON is read or refused, and what was read is planned or refused with a code', () => {
    fc.assert(
      fc.property(json, (find) => {
        const { queries, faults } = parseQueries(find);
        if (faults.length > 0) return;
        for (const query of queries) {
          try {
            plan(query, model, context);
          } catch (error) {
            expect(error).toBeInstanceOf(QueryProblem);
          }
        }
      }),
      { numRuns: counted(5000, 100_000) },
    );
  });

  test('one query and a batch are told apart', () => {
    expect(parseQueries(asked({}))).toMatchObject({ batch: false, faults: [] });
    expect(parseQueries({ queries: [asked({}), asked({})] })).toMatchObject({ batch: true, faults: [] });
    expect(faultsOf({ queries: [asked({}), {}] })).toEqual([
      'find.queries[1] asks for nothing: name dimensions or measures',
    ]);
  });

  test('a misspelt word never lets rows through', () => {
    expect(faultsOf(asked({ wheree: [] }))[0]).toContain('find.wheree is not known');
    expect(faultsOf(asked({ where: [{ ...filter('orders.status', '? == ?', 'x') }] }))).toEqual([
      'find.where[0].expression is not a filter expression; did you mean "? = ?"?',
    ]);
    expect(faultsOf(asked({ where: [{ nor: [] }] })).length).toBeGreaterThan(0);
    expect(faultsOf(asked({ where: [{ and: [filter('orders.status', '? = ?')] }] }))).toEqual([
      'find.where[0].and[0].parameters[1] is required: the value',
    ]);
  });

  test('every fault is told at once, with its place', () => {
    const found = faultsOf({
      dimensions: [{ dataset_id: 'orders' }, column('orders.amount', { discretization: { bins: 0 } })],
      measures: [measure('orders.amount', 'total'), measure('orders.amount', 'rate')],
      order: [column('orders.amount', { order: 'up' })],
      limit: { by: -1 },
      options: { weekstart: 8, rollup_data: 'no' },
    });
    expect(found.map((one) => one.split(' ')[0])).toEqual([
      'find.dimensions[0].column_id',
      'find.dimensions[1].discretization.bins',
      'find.measures[0].aggregation.type',
      'find.measures[1].aggregation.column_id',
      'find.order[0].order',
      'find.limit.by',
      'find.options.rollup_data',
      'find.options.weekstart',
    ]);
  });

  test('members beyond a limit come as one where a filter can leave out those before it', () => {
    const limited = (more: JsonObject, limit: JsonObject = {}): readonly string[] =>
      faultsOf(asked({ dimensions: [column('orders.status')], ...more, limit: { by: 3, others: true, ...limit } }));
    expect(limited({})).toEqual([]);
    const { queries } = parseQueries(asked({ dimensions: [column('orders.status')], limit: { by: 3, others: true } }));
    expect(queries[0]?.limit).toEqual({ by: 3, offset: 0, others: true });
    for (const [faults, says] of [
      [limited({ dimensions: [], measures: [measure('orders.amount', 'average')] }), 'needs a dimension'],
      [limited({ dimensions: [column('orders.day', { part: 'weekday_name' })] }), 'without discretization and part'],
      [limited({}, { by: null }), 'needs `by`'],
      [limited({}, { offset: 1 }), 'leave out `offset`'],
      [limited({}, { others: 'yes' }), 'must be true or false'],
      [limited({ measures: [measure('orders.amount', 'cumulativesum')] }), 'is not for running sums'],
      [limited({ options: { rollup_data: false } }), 'leave out `options.rollup_data`'],
    ] as const)
      expect(faults).toEqual([expect.stringMatching(new RegExp(`^find\\.limit\\.others .*${says}`, 'u'))]);
  });

  test('filters nest and are counted, neither deeper nor more than is sane', () => {
    const deep = (depth: number): Json => (depth === 0 ? filter('orders.id', '? = ?', 1) : { or: [deep(depth - 1)] });
    expect(faultsOf(asked({ where: [deep(16)] }))).toEqual([]);
    expect(faultsOf(asked({ where: [deep(17)] }))[0]).toContain('deeper than 16');
    const many = Array.from({ length: 501 }, () => filter('orders.id', '? = ?', 1));
    expect(faultsOf(asked({ where: [{ or: many }] }))[0]).toContain('at most 500 filters');
  });

  test('a parameter gives its value over its default, and one without either is refused', () => {
    const find = asked({
      where: [filter('orders.status', '? in ?', { parameter: 'metadata.s', type: 'array[hierarchy]' })],
    });
    expect(faultsOf(find)[0]).toContain('parameter "metadata.s" has no value');
    const given = parseQueries(find, new Map([['metadata.s', ['open', null]]])).queries[0]?.where[0];
    expect(given).toMatchObject({ operand: { kind: 'list', values: ['open', null] } });
  });

  test('a part of a time is known by its words, and a level beside it says nothing', () => {
    const { queries, faults } = parseQueries({
      dimensions: [
        column('orders.at', { part: 'weekday_name', level: 5 }),
        column('orders.at', { part: 'day_in_year' }),
      ],
      order: [column('orders.at', { part: 'weekday_number' })],
    });
    expect(faults).toEqual([]);
    expect(queries[0]).toMatchObject({
      dimensions: [
        { part: 'weekday', level: null },
        { part: 'dayOfYear', level: null },
      ],
      order: [{ on: { part: 'weekday' }, measure: null }],
    });
    expect(faultsOf({ dimensions: [column('orders.at', { part: 'weekday' })] })[0]).toContain(
      'find.dimensions[0].part must be one of: weekday_name, weekday_number',
    );
    expect(
      faultsOf(
        asked({ where: [{ expression: '? = ?', parameters: [column('orders.at', { part: 'hour_in_day' }), 3] }] }),
      )[0],
    ).toContain('find.where[0].parameters[0].part is not known');
  });

  test('levels, week starts and aggregations may be words', () => {
    const { queries, faults } = parseQueries({
      dimensions: [column('orders.at', { level: 'month' })],
      measures: [column('orders.amount', { aggregation: 'sum' }), rowsIn('orders')],
      options: { weekstart: 'Sunday' },
    });
    expect(faults).toEqual([]);
    expect(queries[0]).toMatchObject({
      dimensions: [{ level: 3 }],
      measures: [{ kind: 'column', aggregation: 'sum' }, { kind: 'rows' }],
      options: { weekstart: 7 },
    });
  });
});
