import { expect, it } from 'vitest';
import { dueAfter, dueAfterFailure } from './sync-due.ts';
import { foundColumn, labelOf } from './found.ts';

it.each([
  ['order_date', 'Order date'],
  ['unitPrice', 'Unit price'],
  ['ORDER_DATE', 'Order date'],
  ['customer_ID', 'Customer ID'],
  ['id', 'Id'],
  ['  total-amount.net ', 'Total amount net'],
  ['größe_cm', 'Größe cm'],
  ['___', '___'],
])('names %s for people as %s', (source, label) => {
  expect(labelOf(source)).toBe(label);
});

it('averages prices, and does not add identifiers and years', () => {
  const column = (name: string) => ({
    name,
    storageType: 'integer' as const,
    type: 'numeric' as const,
    subtype: null,
    nullable: true,
    native: 'int4',
  });
  expect(
    ['amount', 'unit_price', 'customer_id', 'year', 'id'].map(
      (name) => foundColumn(column(name), 0).fields['aggregation_type'],
    ),
  ).toEqual(['sum', 'average', 'count', 'count', 'count']);
});

it('reads metadata at the interval of the dataset or of its account, and not where either says so', () => {
  const now = '2026-01-01T00:00:00.000Z';
  const account = { active: true, datasets_meta_sync_enabled: true, datasets_meta_sync_interval: 2 };
  const dataset = { meta_sync_enabled: true, meta_sync_inherit: true, meta_sync_interval: 24 };
  expect(dueAfter(account, dataset, now)).toBe('2026-01-01T02:00:00.000Z');
  expect(dueAfter(account, { ...dataset, meta_sync_inherit: false }, now)).toBe('2026-01-02T00:00:00.000Z');
  expect(dueAfter(account, { ...dataset, meta_sync_enabled: false }, now)).toBeNull();
  expect(dueAfter({ ...account, active: false }, dataset, now)).toBeNull();
  expect(dueAfter({ ...account, datasets_meta_sync_enabled: false }, dataset, now)).toBeNull();
  expect(dueAfter({ ...account, datasets_meta_sync_interval: 0 }, dataset, now)).toBeNull();
  expect(dueAfter(null, dataset, now)).toBeNull();
});

it('waits longer the longer a source fails, up to a day', () => {
  const now = '2026-01-10T00:00:00.000Z';
  const after = (last: string): string => dueAfterFailure(last, 1, now);
  expect(after('2026-01-10T00:00:00.000Z')).toBe('2026-01-10T01:00:00.000Z');
  expect(after('2026-01-09T20:00:00.000Z')).toBe('2026-01-10T04:00:00.000Z');
  expect(after('2026-01-01T00:00:00.000Z')).toBe('2026-01-11T00:00:00.000Z');
});
