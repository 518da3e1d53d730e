import type { Json, JsonObject } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import { rowsOf, useApi } from '../support/api.ts';
import { storesToTest, type Credential } from '../support/service.ts';
import { datasetIn, part, text } from '../support/world.ts';

describe.each(storesToTest)('a column in a slot that says nothing about it, on %s', (store) => {
  const api = useApi(store);
  const world = async () => {
    const rows = [
      ['Europe', 1.5],
      ['Europe', 2.5],
      ['Asia', 3],
    ];
    const made = await api.ok('data', {
      action: 'create',
      properties: { data: rows, options: { header: ['region', 'revenue'] } },
    });
    const dataset = text(datasetIn(made), 'id');
    const [region, revenue] = (await api.find('column', { where: { securable_id: dataset }, order: ['order'] })).map(
      (one) => text(one, 'id'),
    );
    await api.update('column', region, { name: { en: 'Region', nl: 'Regio' } });
    await api.update('column', revenue, {
      name: { en: 'Revenue' },
      format: ',.1f',
      aggregation_type: 'max',
      currency_id: 'EUR',
    });
    const entry = (columnId: string | undefined, more: JsonObject = {}): JsonObject => ({
      datasetId: dataset,
      columnId: columnId ?? '',
      ...more,
    });
    const slots = [
      { name: 'y-axis', content: [entry(region)] },
      {
        name: 'measure',
        content: [entry(revenue), entry(revenue, { aggregationFunc: 'sum', label: 'Sum', format: '.0f' })],
      },
    ];
    const item = { id: 'a', type: 'bar-chart', position: { col: 0, row: 0, sizeX: 8, sizeY: 8 }, slots };
    const contents = { version: '0.1.99', views: [{ screenModus: 'desktop', items: [item] }] };
    const dashboard = await api.create('dashboard', { contents });
    return { dataset, region, revenue, dashboard: dashboard.id, contents };
  };
  const slotsOf = (answer: JsonObject): Json => {
    const [view] = rowsOf({ rows: part(part(answer['dashboard'], 'contents'), 'views') });
    const [item] = rowsOf({ rows: view?.['items'] ?? null });
    return item?.['slots'] ?? null;
  };

  it('takes name, type, format, currency and aggregation from the column; what the slot says wins', async () => {
    const { dashboard, contents } = await world();
    const shown = slotsOf(await api.ok('appearance', { action: 'get', find: { dashboard_id: dashboard } }));
    expect(shown).toMatchObject([
      { content: [{ type: 'hierarchy', label: { en: 'Region', nl: 'Regio' } }] },
      {
        content: [
          { type: 'numeric', label: { en: 'Revenue' }, format: ',.1f', aggregationFunc: 'max', currency: 'EUR' },
          { type: 'numeric', label: 'Sum', format: '.0f', aggregationFunc: 'sum' },
        ],
      },
    ]);
    expect((await api.get('dashboard', dashboard))['contents']).toEqual(contents);
  });

  it('is an identifier where its column counts numbers, and keeps the refinement that the column has', async () => {
    const { revenue, dashboard } = await world();
    const subtypeIn = async (): Promise<Json> => {
      const shown = slotsOf(await api.ok('appearance', { action: 'get', find: { dashboard_id: dashboard } }));
      const [, measure] = rowsOf({ rows: shown });
      return rowsOf({ rows: measure?.['content'] ?? null })[0]?.['subtype'] ?? null;
    };
    expect(await subtypeIn()).toBeNull();
    await api.update('column', revenue, { aggregation_type: 'count' });
    expect(await subtypeIn()).toBe('identifier');
    await api.update('column', revenue, { subtype: 'currency' });
    expect(await subtypeIn()).toBe('currency');
  });

  it('leaves amounts without a currency of their own to that of the viewer’s token', async () => {
    const { dataset, revenue, dashboard } = await world();
    await api.update('column', revenue, { currency_id: null, subtype: 'currency' });
    const access = { dashboards: [{ id: dashboard, rights: 'read' }], datasets: [{ id: dataset, rights: 'read' }] };
    const viewer = await api.embedToken({ access, currency_id: 'GBP' });
    const shown = await api.ok('appearance', { action: 'get', find: { dashboard_id: dashboard } }, viewer);
    expect(shown['currency_id']).toBe('GBP');
    expect(slotsOf(shown)).toMatchObject([{}, { content: [{ currency: 'viewer' }, { currency: 'viewer' }] }]);
  });

  it('tells nothing of a column that is hidden from a token, and lets readers ask what the slot means', async () => {
    const { dataset, region, revenue, dashboard } = await world();
    const access = { dashboards: [{ id: dashboard, rights: 'read' }], datasets: [{ id: dataset, rights: 'read' }] };
    const hidden = await api.embedToken({ access, hidden_columns: [revenue] });
    const shown = JSON.stringify(
      slotsOf(await api.ok('appearance', { action: 'get', find: { dashboard_id: dashboard } }, hidden)),
    );
    expect(shown).toContain('Regio');
    expect(shown).not.toContain('Revenue');
    const reader = await api.embedToken({ access });
    const query = {
      dimensions: [{ dataset_id: dataset, column_id: region }],
      measures: ['max', 'sum'].map((type) => ({ dataset_id: dataset, column_id: revenue, aggregation: { type } })),
    };
    const answer = await api.call(
      'data',
      { action: 'get', find: { ...query, dashboard_id: dashboard, item_id: 'a' } },
      reader,
    );
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  });

  it('is filled in for contents that are not stored, for callers who see the column', async () => {
    const { dataset, region, revenue, dashboard } = await world();
    const content = (columnId: string | undefined): JsonObject => ({ datasetId: dataset, columnId: columnId ?? '' });
    const slots = [{ name: 'columns', content: [content(revenue), content(region)] }];
    const theme = await api.create('theme', { name: { en: 'Other' }, theme: { mainColor: '#123456' } });
    const views = [
      {
        screenModus: 'desktop',
        options: { theme: { id: theme.id } },
        items: [{ id: 'b', type: 'regular-table', slots }],
      },
    ];
    const contents = { version: '0.1.99', views };
    const ask = (id: Json, by?: Credential) =>
      api.ok('appearance', { action: 'get', find: { dashboard_id: id, contents } }, by);
    const answer = await ask(dashboard);
    expect(slotsOf(answer)).toMatchObject([
      { content: [{ type: 'numeric', label: { en: 'Revenue' } }, { label: { en: 'Region', nl: 'Regio' } }] },
    ]);
    expect(part(answer['themes'], 'stored')).toEqual({});
    expect(JSON.stringify(await api.get('dashboard', dashboard))).not.toContain('regular-table');

    const access = { dashboards: [{ id: dashboard, rights: 'read' }], datasets: [{ id: dataset, rights: 'read' }] };
    const hidden = await api.embedToken({ access, hidden_columns: [revenue] });
    const shown = JSON.stringify(slotsOf(await ask(dashboard, hidden)));
    expect(shown).toContain('Regio');
    expect(shown).not.toContain('Revenue');
    const stranger = await api.stranger();
    const theirs = await api.create('dashboard', {}, stranger.login);
    expect(slotsOf(await ask(theirs.id, stranger.login))).toEqual(slots);
    expect(
      (await api.refused('appearance', { action: 'get', find: { dashboard_id: dashboard, contents } }, stranger.login))
        .status,
    ).toBe(404);

    const faults = async (find: JsonObject) =>
      Object.keys((await api.refused('appearance', { action: 'get', find })).validation);
    expect(await faults({ contents })).toEqual(['find.contents']);
    expect(await faults({ dashboard_id: dashboard, contents: { views: 'x' } })).toEqual(['find.contents.views']);
    expect(await faults({ dashboard_id: dashboard, contents: 7 })).toEqual(['find.contents']);
  });

  it('is exported under its name', async () => {
    const { dashboard } = await world();
    const { server, owner } = api.service;
    const answer = await server.inject({
      method: 'POST',
      url: '/0.1.0/export',
      payload: { action: 'create', properties: { type: 'csv', dashboard_id: dashboard, chart_id: 'a' }, ...owner },
    });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.body.split('\r\n')[0]).toBe('\ufeff"Region","Revenue","Sum"');
  });

  const answered = async (dashboard: string, dataset: string): Promise<Json> => {
    const access = { dashboards: [{ id: dashboard, rights: 'read' }], datasets: [{ id: dataset, rights: 'read' }] };
    const reader = await api.embedToken({ access });
    return (
      (await api.ok('data', { action: 'get', find: { dashboard_id: dashboard, item_id: 'a' } }, reader))['data'] ?? null
    );
  };
  const shownAs = async (
    type: string,
    slots: (world: Awaited<ReturnType<typeof made>>) => JsonObject,
  ): Promise<Json> => {
    const own = await made();
    const item = {
      id: 'a',
      type,
      position: { col: 0, row: 0, sizeX: 8, sizeY: 8 },
      slots: Object.entries(slots(own)).map(([name, content]) => ({ name, content })),
    };
    const contents = { version: '0.1.99', views: [{ screenModus: 'desktop', items: [item] }] };
    const { id, warnings } = await api.create('dashboard', { contents });
    expect(warnings).toBeUndefined();
    return answered(id, own.dataset);
  };
  const made = async () => {
    const { dataset, region, revenue } = await world();
    const on = (columnId: string | undefined, more: JsonObject = {}): JsonObject => ({
      datasetId: dataset,
      columnId: columnId ?? '',
      ...more,
    });
    const formula = await api.create('formula', {
      securable_id: dataset,
      name: { en: 'Per row', fr: 'Par ligne' },
      expression: `sum({${revenue ?? ''}}) / count(*)`,
      format: '.3f',
    });
    return {
      dataset,
      region: on(region),
      revenue: on(revenue),
      as: (func: string) => on(revenue, { aggregationFunc: func }),
      formula: formula.id,
    };
  };

  it('aggregates in a table as its column says; what the entry says wins', async () => {
    expect(await shownAs('regular-table', ({ region, revenue }) => ({ columns: [region, revenue] }))).toEqual([
      [expect.objectContaining({ id: 'Asia' }), 3],
      [expect.objectContaining({ id: 'Europe' }), 2.5],
    ]);
    const sums = await shownAs('regular-table', ({ region, as }) => ({ columns: [region, as('sum')] }));
    expect(sums).toMatchObject([
      [{}, 3],
      [{}, 4],
    ]);
    const rows = await shownAs('regular-table', ({ region, revenue, as }) => ({
      columns: [region, as('none'), { ...revenue, label: 'Again' }],
    }));
    expect(rows).toHaveLength(3);
  });

  it('aggregates in a scatter plot as its column says where members are shown, and not at all where rows are', async () => {
    const members = await shownAs('scatter-plot', ({ region, revenue, as }) => ({
      'x-axis': [revenue],
      'y-axis': [as('min')],
      name: [region],
    }));
    expect(members).toMatchObject([
      [{ id: 'Asia' }, 3, 3],
      [{ id: 'Europe' }, 2.5, 1.5],
    ]);
    const rows = await shownAs('scatter-plot', ({ revenue }) => ({
      'x-axis': [revenue],
      'y-axis': [revenue],
      size: [revenue],
    }));
    expect(rows).toHaveLength(3);
  });

  it('takes name, type and format of a stored formula', async () => {
    const { dataset, formula } = await made();
    const entry = { datasetId: dataset, formulaId: formula };
    const item = {
      id: 'a',
      type: 'regular-table',
      position: { col: 0, row: 0, sizeX: 8, sizeY: 8 },
      slots: [{ name: 'columns', content: [entry, { ...entry, label: 'Own', format: '.0f' }] }],
    };
    const contents = { version: '0.1.99', views: [{ screenModus: 'desktop', items: [item] }] };
    const { id } = await api.create('dashboard', { contents });
    const shown = slotsOf(await api.ok('appearance', { action: 'get', find: { dashboard_id: id } }));
    expect(shown).toEqual([
      {
        name: 'columns',
        content: [
          { ...entry, type: 'numeric', label: { en: 'Per row', fr: 'Par ligne' }, format: '.3f' },
          { ...entry, type: 'numeric', label: 'Own', format: '.0f' },
        ],
      },
    ]);
  });
});
