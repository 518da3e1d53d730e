import type { JsonObject } from '@inlay/contract';
import { inSlot, item, slot, type ColumnName, type SalesDataset } from '../../test/browser/sales.ts';

const dayMs = 86_400_000;

/** Returns a million sales as CSV: three years, 12 regions, 40 products. */
export function millionRows(rows: number): string {
  const lines = ['day,region,product,revenue,quantity'];
  let state = 42;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let index = 0; index < rows; index += 1) {
    const day = new Date(Date.UTC(2022, 0, 1) + next(1096) * dayMs).toISOString().slice(0, 10);
    lines.push(`${day},Region ${next(12) + 1},Product ${next(40) + 1},${next(100_000) / 100},${next(20) + 1}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Twelve items, each of another type. */
export function twelve(dataset: SalesDataset): readonly JsonObject[] {
  const on = (name: ColumnName, more: JsonObject = {}): JsonObject => inSlot(dataset, name, more);
  const [month, year] = [on('day', { level: 3 }), on('day', { level: 1 })];
  const [revenue, quantity] = [slot('measure', on('revenue')), on('quantity')];
  const given: readonly (readonly [string, readonly JsonObject[]])[] = [
    ['column-chart', [slot('x-axis', on('region')), revenue]],
    ['line-chart', [slot('x-axis', month), slot('measure', on('revenue'), quantity)]],
    ['area-chart', [slot('x-axis', month), revenue, slot('legend', on('region'))]],
    ['bar-chart', [slot('y-axis', on('product')), revenue]],
    ['donut-chart', [slot('category', on('region')), revenue]],
    ['bubble-chart', [slot('category', on('product')), revenue]],
    ['circle-pack-chart', [slot('levels', on('region'), on('product')), revenue]],
    ['scatter-plot', [slot('x-axis', on('revenue')), slot('y-axis', quantity), slot('name', on('product'))]],
    ['sunburst-chart', [slot('levels', year, on('region')), revenue]],
    ['treemap-chart', [slot('category', on('product')), revenue, slot('color', on('region'))]],
    ['pivot-table', [slot('row', on('region')), slot('column', year), revenue]],
    ['evolution-number', [revenue, slot('evolution', month)]],
  ];
  return given.map(([type, slots], index) =>
    item(type, type, slots, [(index % 3) * 16, Math.floor(index / 3) * 18, 16, 18]),
  );
}
