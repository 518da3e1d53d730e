import { describe, expect, test } from 'vitest';
import type { Json } from '@inlay/contract';
import { dialects } from '../../../../test/corpus/engines.ts';
import { column, context, filter, measure, model, queryOf } from '../../../../test/support/shop.ts';
import { emit, plan } from '../index.ts';

const written = (dialect: keyof typeof dialects, where: Json, dimension = 'customers.country'): string =>
  emit(
    plan(
      queryOf({
        dimensions: [column(dimension)],
        measures: [measure('orders.amount', 'sum')],
        where: [where],
      }),
      model,
      context,
    ),
    dialects[dialect],
    (id) => ({ kind: 'table', path: [id] }),
    'rows',
  ).sql;

describe('a test of what a lookup found', () => {
  const ofCustomers = filter('customers.country', '? in ?', ['BE']);
  test('does not make PostgreSQL begin with the looked-up rows and read all others for each of them', () =>
    expect(written('postgres', ofCustomers)).toMatch(/WHERE coalesce\(.*"j1"\."c0" IN .*, FALSE\)/u));
  test('is guessed alike where several columns are looked up, of which the first of each key counts', () =>
    expect(written('postgres', ofCustomers, 'customers.name')).toMatch(/WHERE coalesce\(.*"p" = .*, FALSE\)/u));
  test('stands as it is where the database joins by hash anyway', () =>
    expect(written('duckdb', ofCustomers)).not.toContain('coalesce('));
  test('leaves tests of the rows themselves to their indexes', () =>
    expect(written('postgres', filter('orders.status', '? in ?', ['open']))).not.toContain('coalesce('));
});
