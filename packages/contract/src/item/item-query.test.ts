import { describe, expect, it } from 'vitest';
import { finestLevel, itemQuery, readItem, type Item, type Json } from '../index.ts';

const column = (columnId: string, type: string, more: Record<string, Json> = {}): Json => ({
  columnId,
  datasetId: 'd',
  type,
  ...more,
});

function item(type: string, slots: Record<string, readonly Json[]>, options: Record<string, Json> = {}): Item {
  const read = readItem({
    id: 'i',
    type,
    options,
    slots: Object.entries(slots).map(([name, content]) => ({ name, content })),
  });
  if (read === null) throw new Error('not an item');
  return read;
}

describe('the query of an item', () => {
  it('groups by its dimensions and sums up its measures', () => {
    const asked = itemQuery(
      item(
        'column-chart',
        {
          'x-axis': [column('when', 'datetime', { level: 3 })],
          measure: [column('price', 'numeric', { aggregationFunc: 'average' })],
          legend: [column('region', 'hierarchy', { level: 1 })],
        },
        { sort: { by: 'measure', order: 'desc' }, limit: 5 },
      ),
    );
    expect(asked?.query).toMatchObject({
      dimensions: [
        { dataset_id: 'd', column_id: 'when', level: 3 },
        { dataset_id: 'd', column_id: 'region', level: 1 },
      ],
      measures: [{ dataset_id: 'd', column_id: 'price', aggregation: { type: 'average' } }],
      order: [{ column_id: 'price', aggregation: { type: 'average' }, order: 'desc' }],
      limit: { by: 10_000, offset: 0 },
    });
    expect(asked?.dimensions.map(({ slot }) => slot)).toEqual(['x-axis', 'legend']);
    expect(asked?.members).toEqual({ by: 2, order: 'desc', limit: 5, others: false });
  });

  it('computes the formula of a scatter plot rather than listing its rows', () => {
    const cost: Json = { datasetId: 'd', formula: 'sum({cost})' };
    const asked = itemQuery(item('scatter-plot', { 'x-axis': [column('price', 'numeric')], 'y-axis': [cost] }));
    expect(asked?.query).toMatchObject({
      measures: [
        { column_id: 'price', aggregation: { type: 'sum' } },
        { dataset_id: 'd', formula: 'sum({cost})' },
      ],
    });
  });

  it('groups and sorts by the part of a time that a slot shows, whatever its level is', () => {
    const when = column('when', 'datetime', { level: 5, datetimeDisplayMode: 'weekday_name' });
    const chart = item('column-chart', { 'x-axis': [when] }, { sort: { by: 'x-axis', order: 'desc' } });
    expect(itemQuery(chart)?.query).toMatchObject({
      dimensions: [{ dataset_id: 'd', column_id: 'when', part: 'weekday_name' }],
      order: [{ dataset_id: 'd', column_id: 'when', part: 'weekday_name', order: 'desc' }],
    });
    expect(JSON.stringify(itemQuery(chart)?.query)).not.toContain('level');
    const [content] = chart.slots[0]?.content ?? [];
    expect(content === undefined ? undefined : finestLevel(content)).toBeNull();
    const modes = [
      column('when', 'datetime', { level: 5, datetimeDisplayMode: 'default' }),
      column('when', 'hierarchy', { level: 5, datetimeDisplayMode: 'weekday_name' }),
    ];
    for (const mode of modes)
      expect(itemQuery(item('column-chart', { 'x-axis': [mode] }))?.query['dimensions']).toEqual([
        { dataset_id: 'd', column_id: 'when', level: 5 },
      ]);
  });

  it('counts rows where a chart has no measure, and can sort by that count', () => {
    const asked = itemQuery(
      item(
        'bar-chart',
        { 'y-axis': [column('kind', 'hierarchy')], measure: [] },
        { sort: { by: 'measure', order: 'desc' } },
      ),
    );
    expect(asked?.query['measures']).toEqual([{ dataset_id: 'd', column_id: '*', aggregation: { type: 'count' } }]);
    expect(asked?.query['order']).toEqual([
      { dataset_id: 'd', column_id: '*', aggregation: { type: 'count' }, order: 'desc' },
    ]);
    expect(asked?.measures).toEqual([{ slot: 'measure', content: null }]);
  });

  it.each([
    ['the second entry of a slot', { by: 'columns', index: 1 }, { column_id: 'price', aggregation: { type: 'sum' } }],
    [
      'a column that no slot holds',
      { datasetId: 'd', columnId: 'rank', type: 'numeric', aggregationFunc: 'min' },
      { dataset_id: 'd', column_id: 'rank', aggregation: { type: 'min' } },
    ],
    ['a formula', { datasetId: 'd', formula: 'sum({price})' }, { dataset_id: 'd', formula: 'sum({price})' }],
  ])('sorts by %s', (_name, sort, order) => {
    const columns = [
      column('kind', 'hierarchy'),
      column('price', 'numeric', { aggregationFunc: 'sum' }),
      column('cost', 'numeric', { aggregationFunc: 'sum' }),
    ];
    const asked = itemQuery(item('regular-table', { columns }, { sort: { ...sort, order: 'desc' } }));
    expect(asked?.query['order']).toEqual([expect.objectContaining({ ...order, order: 'desc' })]);
  });

  it('sorts by a measure with its second column', () => {
    const rate = column('revenue', 'numeric', {
      aggregationFunc: 'rate',
      aggregationWeight: { columnId: 'orders', datasetId: 'd' },
    });
    const asked = itemQuery(item('bar-chart', { 'y-axis': [column('region', 'hierarchy')], measure: [rate] }));
    expect(asked?.query['order']).toEqual([
      {
        dataset_id: 'd',
        column_id: 'revenue',
        order: 'desc',
        aggregation: { type: 'rate', dataset_id: 'd', column_id: 'orders' },
      },
    ]);
  });

  it('sorts raw rows by a number as it stands', () => {
    const columns = [column('name', 'hierarchy'), column('price', 'numeric')];
    const asked = itemQuery(item('regular-table', { columns }, { sort: { by: 'columns', index: 1, order: 'desc' } }));
    expect(asked?.query['order']).toEqual([{ dataset_id: 'd', column_id: 'price', order: 'desc' }]);
  });

  it('sorts bars, columns and slices by their first measure where they do not say, times in their order', () => {
    const measure = [column('price', 'numeric')];
    const orderOf = (type: string, slot: string, kind: Json): unknown =>
      itemQuery(item(type, { [slot]: [kind], measure }))?.query['order'];
    const byPrice = [{ dataset_id: 'd', column_id: 'price', aggregation: { type: 'sum' }, order: 'desc' }];
    expect(orderOf('bar-chart', 'y-axis', column('kind', 'hierarchy'))).toEqual(byPrice);
    expect(orderOf('column-chart', 'x-axis', column('kind', 'hierarchy'))).toEqual(byPrice);
    expect(orderOf('donut-chart', 'category', column('kind', 'hierarchy'))).toEqual(byPrice);
    expect(orderOf('column-chart', 'x-axis', column('when', 'datetime', { level: 3 }))).toEqual([]);
    expect(
      orderOf('column-chart', 'x-axis', column('price', 'numeric', { bins: { enabled: true, number: 5 } })),
    ).toEqual([]);
    expect(orderOf('line-chart', 'x-axis', column('kind', 'hierarchy'))).toEqual([]);
  });

  it('asks for one value of each period of a number over time, of each day where its time has no level', () => {
    const asked = (aggregationFunc: string, level: Json): unknown =>
      itemQuery(
        item('evolution-number', {
          measure: [column('price', 'numeric', { aggregationFunc })],
          evolution: [column('when', 'datetime', { level })],
        }),
      )?.query['dimensions'];
    const at = (level: number): unknown => [{ dataset_id: 'd', column_id: 'when', level }];
    for (const aggregation of ['sum', 'count', 'average', 'median', 'distinctcount']) {
      expect(asked(aggregation, 3)).toEqual(at(3));
      expect(asked(aggregation, null)).toEqual(at(5));
    }
  });

  it('asks a table for raw rows unless something in it is summed up', () => {
    const columns = [column('name', 'hierarchy'), column('price', 'numeric')];
    expect(itemQuery(item('regular-table', { columns }))?.query).toMatchObject({
      measures: [{ dataset_id: 'd', column_id: 'price' }],
      options: { rollup_data: false },
    });
    const summed = [column('name', 'hierarchy'), column('price', 'numeric', { aggregationFunc: 'max' })];
    expect(itemQuery(item('regular-table', { columns: summed }))?.query['measures']).toEqual([
      { dataset_id: 'd', column_id: 'price', aggregation: { type: 'max' } },
    ]);
  });

  it('aggregates texts and times of a table where an entry says how', () => {
    const columns = [
      column('name', 'hierarchy'),
      column('day', 'datetime', { level: 5, aggregationFunc: 'max' }),
      column('customer', 'hierarchy', { aggregationFunc: 'distinctcount' }),
      column('shop', 'hierarchy', { aggregationFunc: 'none' }),
    ];
    expect(itemQuery(item('regular-table', { columns }))?.query).toMatchObject({
      dimensions: [{ column_id: 'name' }, { column_id: 'shop' }],
      measures: [
        { dataset_id: 'd', column_id: 'day', aggregation: { type: 'max' } },
        { dataset_id: 'd', column_id: 'customer', aggregation: { type: 'distinctcount' } },
      ],
      options: {},
    });
  });

  it('asks a range filter for the least and the greatest value', () => {
    expect(itemQuery(item('slider-filter', { slidermetric: [column('price', 'numeric')] }))?.query['measures']).toEqual(
      [
        { dataset_id: 'd', column_id: 'price', aggregation: { type: 'min' } },
        { dataset_id: 'd', column_id: 'price', aggregation: { type: 'max' } },
      ],
    );
  });

  it('treats binned numbers as categories and formulas as measures', () => {
    const asked = itemQuery(
      item('bubble-chart', {
        category: [column('age', 'numeric', { bins: { enabled: true, number: 5 } })],
        measure: [{ datasetId: 'd', formulaId: 'f' }],
      }),
    );
    expect(asked?.query).toMatchObject({
      dimensions: [{ column_id: 'age', discretization: { type: 'nice', bins: 5 } }],
      measures: [{ dataset_id: 'd', formula_id: 'f' }],
    });
  });

  it('keeps a formula that does not say its dataset, and sorts by it', () => {
    const asked = itemQuery(
      item(
        'bar-chart',
        { measure: [{ formulaId: 'f' }], 'y-axis': [column('kind', 'hierarchy')] },
        { sort: { by: 'measure', order: 'desc' } },
      ),
    );
    expect(asked?.query).toMatchObject({
      measures: [{ formula_id: 'f' }],
      order: [{ formula_id: 'f', order: 'desc' }],
    });
    expect(itemQuery(item('evolution-number', { measure: [{ formula: 'sum({x})' }] }))?.query['measures']).toEqual([
      { formula: 'sum({x})' },
    ]);
    expect(itemQuery(item('bar-chart', { measure: [{ columnId: 'no dataset' }] }))).toBeNull();
  });

  it('is nothing for an item without columns', () => {
    expect(itemQuery(item('bar-chart', { measure: [] }))).toBeNull();
    expect(readItem({ slots: [] })).toBeNull();
    expect(readItem(null)).toBeNull();
  });

  it('reads members of older structures', () => {
    expect(
      readItem({ type: 'donut-chart', slots: [{ name: 'category', content: [{ column: 'c', set: 'd' }] }] }),
    ).toMatchObject({
      slots: [{ content: [{ columnId: 'c', datasetId: 'd' }] }],
    });
  });
});

describe('the finest level that viewers may open', () => {
  it.each<[string, Record<string, Json>, number | null]>([
    ['datetime', { level: 1 }, 7],
    ['datetime', { level: 1, lowestLevel: 3 }, 3],
    ['datetime', { level: 3, lowestLevel: 1 }, 3],
    ['datetime', { level: 5, lowestLevel: 9 }, 7],
    ['datetime', { level: 9 }, 9],
    ['datetime', {}, null],
    ['hierarchy', { level: 1 }, 20],
    ['hierarchy', { level: 1, lowestLevel: 2 }, 2],
    ['numeric', { level: 1 }, null],
  ])('of a %s with %j is %s', (type, more, level) => {
    const [content] = item('bar-chart', { 'y-axis': [column('one', type, more)] }).slots[0]?.content ?? [];
    expect(content === undefined ? undefined : finestLevel(content)).toBe(level);
  });
});
