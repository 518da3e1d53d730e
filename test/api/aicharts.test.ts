import { randomUUID } from 'node:crypto';
import { isList, dataItemTypes } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { part } from '../support/world.ts';

/** Chart and filter types of the API. */
const documented = (
  'area-chart bar-chart bubble-chart circle-pack-chart column-chart donut-chart line-chart evolution-number ' +
  'pivot-table regular-table scatter-plot sunburst-chart treemap-chart date-filter dropdown-filter slicer-filter ' +
  'slider-filter'
).split(' ');

describe.each(storesToTest)('AI charts on %s', (store) => {
  const api = useApi(store);
  const switchAi = (on: boolean) => api.update('organization', api.organizationId, { flag_experimental_ai: on });

  /** Returns a dataset with a column of every kind. */
  const orders = async (): Promise<string> => {
    const { id } = await api.create('dataset', { name: { en: 'Orders' } });
    const columns = [
      'Order Date datetime',
      'Region hierarchy',
      'Category hierarchy',
      'Revenue numeric',
      'Profit numeric',
    ];
    for (const [order, column] of columns.entries()) {
      const [, name = '', type = ''] = /^(.*) (\w+)$/u.exec(column) ?? [];
      await api.create('column', { securable_id: id, type, name: { en: name, nl: `${name} (nl)` }, order });
    }
    return id;
  };
  const names = async (dataset: string): Promise<ReadonlyMap<unknown, unknown>> =>
    new Map(
      (await api.find('column', { where: { securable_id: dataset } })).map((column) => [
        column['id'],
        part(column['name'], 'en'),
      ]),
    );

  it('refuses an AI chart without dataset_id or type', async () => {
    await switchAi(true);
    const dataset_id = (await api.create('dataset', {})).id;
    const wrong = [
      {},
      { dataset_id },
      { type: 'generate-chart' },
      { dataset_id: null, type: 'generate-chart' },
      { dataset_id, type: null },
      { dataset_id, type: 'pie-chart' },
      { dataset_id, type: 'Bar-Chart' },
      { dataset_id: 'x', type: 'generate-chart' },
      { dataset_id: randomUUID(), type: 'generate-chart' },
      { dataset_id, type: 'generate-chart', question: 7 },
      { dataset_id, type: 'generate-chart', question: 'x'.repeat(4097) },
      { dataset_id, type: 'generate-chart', messages: [] },
    ];
    for (const properties of wrong) {
      const { status, validation } = await api.refused('aichart', { properties });
      expect([properties, status, Object.keys(validation).length > 0]).toEqual([properties, 400, true]);
    }
  });

  it('takes a history of messages', async () => {
    await switchAi(true);
    const base = { dataset_id: await orders(), type: 'generate-chart' };
    for (const message_history of ['x', {}, [7], [null], ['x'.repeat(4097)], Array.from({ length: 21 }, () => 'x')]) {
      const properties = { ...base, message_history };
      expect((await api.refused('aichart', { properties })).status).toBe(400);
    }
    for (const message_history of [[], ['Earlier', 'Later'], null]) {
      const { status } = await api.call('aichart', { properties: { ...base, question: 'Revenue', message_history } });
      expect([message_history, status]).toEqual([message_history, 200]);
    }
  });

  it('can create every documented chart and filter type', async () => {
    await switchAi(true);
    expect(dataItemTypes).toEqual(expect.arrayContaining(documented));
    const dataset_id = await orders();
    for (const type of [
      ...dataItemTypes,
      'generate-chart',
      'chart',
      'generate-filter',
      'filter',
      'generate-example-questions',
    ]) {
      const { status } = await api.call('aichart', { properties: { dataset_id, type } });
      expect([type, status]).toEqual([type, 200]);
    }
  });

  it('is refused while the organization has the AI feature off', async () => {
    const properties = { dataset_id: await orders(), type: 'generate-chart' };
    await switchAi(false);
    expect(await api.refused('aichart', { properties })).toMatchObject({ status: 400, code: 'ai_disabled' });
    await switchAi(true);
    expect((await api.call('aichart', { properties })).status).toBe(200);
    const member = await api.person();
    const change = { id: api.organizationId, properties: { flag_experimental_ai: false } };
    expect((await api.refused('organization', change, member.login)).status).toBe(403);
  });

  it('need the right to use the dataset', async () => {
    await switchAi(true);
    const id = await orders();
    const dashboard = await api.create('dashboard', {});
    const person = await api.person();
    const ask = { properties: { dataset_id: id, type: 'generate-chart' } };
    expect((await api.refused('aichart', ask, person.login)).code).toBe('reference_unknown');
    await api.associate('securable', id, 'Users', person.id, { flagRead: true });
    expect((await api.refused('aichart', ask, person.login)).status).toBe(403);
    await api.associate('securable', id, 'Users', person.id, { flagUse: true });
    expect((await api.call('aichart', ask, person.login)).status).toBe(200);
    const reader = await api.embedToken({ access: { datasets: [{ id, rights: 'read' }] } });
    expect((await api.refused('aichart', ask, reader)).status).toBe(403);
    const user = await api.embedToken({ access: { datasets: [{ id, rights: 'use' }] } });
    expect((await api.call('aichart', ask, user)).status).toBe(200);
    const wrongKind = { properties: { dataset_id: dashboard.id, type: 'generate-chart' } };
    expect((await api.refused('aichart', wrongKind)).status).toBe(400);
    expect((await api.refused('aichart', ask, null)).status).toBe(401);
  });

  it('fills slots with columns and functionResponse with one list a slot', async () => {
    await switchAi(true);
    const dataset_id = await orders();
    const called = await names(dataset_id);
    const ask = { dataset_id, type: 'generate-chart', question: 'Revenue by region' };
    const answer = await api.ok('aichart', { properties: ask });
    expect(answer).toMatchObject({
      generatedChart: {
        type: 'bar-chart',
        position: { sizeX: 24, sizeY: 20, row: 0, col: 0 },
        title: { en: 'Revenue by Region', nl: 'Revenue (nl) per Region (nl)' },
        options: { title: { en: 'Revenue by Region' } },
        slots: [
          { name: 'y-axis', content: [{ type: 'hierarchy', label: 'Region', datasetId: dataset_id }] },
          { name: 'measure', content: [{ type: 'numeric', label: 'Revenue', aggregationFunc: 'sum', format: ',.0f' }] },
          { name: 'legend', content: [] },
        ],
      },
      question: 'Revenue by region',
      functionCall: 'createBarChart',
      functionResponse: {
        title: 'Revenue by Region',
        's__y-axis': [{ id: '1' }],
        s__measure: [{ id: '3' }],
        s__legend: [],
      },
    });
    const slots = part(part(answer, 'generatedChart'), 'slots');
    const ids = (isList(slots) ? slots : []).flatMap((slot) => {
      const content = part(slot, 'content');
      return (isList(content) ? content : []).map((entry) => called.get(part(entry, 'columnId')));
    });
    expect(ids).toEqual(['Region', 'Revenue']);
    expect(await api.ok('aichart', { properties: ask })).toEqual(answer);
  });

  it('steers to a chart type that the question names', async () => {
    await switchAi(true);
    const dataset_id = await orders();
    const typeOf = async (
      question: string,
      type = 'generate-chart',
      message_history: readonly string[] = [],
    ): Promise<unknown> =>
      part(
        part(
          await api.ok('aichart', { properties: { dataset_id, type, question, message_history } }),
          'generatedChart',
        ),
        'type',
      );
    expect(await typeOf('Revenue by region as a pie chart')).toBe('donut-chart');
    expect(await typeOf('treemap of profit by category')).toBe('treemap-chart');
    expect(await typeOf('revenue by month')).toBe('line-chart');
    expect(await typeOf('revenue by month', 'area-chart')).toBe('area-chart');
    expect(await typeOf('filter on region', 'generate-filter')).toBe('dropdown-filter');
    expect(await typeOf('as a table', 'generate-chart', ['Revenue by region'])).toBe('regular-table');
  });

  it('tell what the title says of each condition, and which filters of the item it is', async () => {
    await switchAi(true);
    const dataset_id = await orders();
    const question = 'Revenue by region in 2023';
    const answer = await api.ok('aichart', { properties: { dataset_id, type: 'generate-chart', question } });
    expect(answer['conditions']).toEqual([{ title: { en: '2023', nl: '2023' }, filters: [0] }]);
    expect(part(part(answer, 'generatedChart'), 'filters')).toHaveLength(1);
    const bare = { dataset_id, type: 'generate-chart', question: 'Revenue by region' };
    expect(await api.ok('aichart', { properties: bare })).not.toHaveProperty('conditions');
  });

  it('say which rules decided when asked to, and what was assumed', async () => {
    await switchAi(true);
    const dataset_id = await orders();
    const ask = { dataset_id, type: 'generate-chart', question: 'weather forecast' };
    const answer = await api.ok('aichart', { properties: { ...ask, explain: true } });
    expect(answer['message']).toMatch(/^No column fits the question/u);
    expect(answer['explanation']).toEqual([{ rule: 'a number over time tells most', weight: 1 }]);
    expect(await api.ok('aichart', { properties: { ...ask, question: 'Revenue by region' } })).not.toHaveProperty(
      'message',
    );
  });

  it('say what the dataset offers where nothing fits', async () => {
    await switchAi(true);
    const { id } = await api.create('dataset', {});
    const ask = { dataset_id: id, type: 'generate-chart' };
    expect(await api.refused('aichart', { properties: ask })).toMatchObject({
      status: 400,
      code: 'aichart_impossible',
    });
    await api.create('column', { securable_id: id, type: 'hierarchy', name: { en: 'Region' } });
    const refused = await api.refused('aichart', { properties: { ...ask, type: 'date-filter' } });
    expect(refused.validation).toEqual({ 'properties.type': ['the dataset offers categories (Region)'] });
  });

  it('do not know columns that are hidden from a token', async () => {
    await switchAi(true);
    const dataset_id = await orders();
    const hidden = [...(await names(dataset_id))].flatMap(([id, name]) =>
      name === 'Revenue' && typeof id === 'string' ? [id] : [],
    );
    const token = await api.embedToken({
      access: { datasets: [{ id: dataset_id, rights: 'use' }] },
      hidden_columns: hidden,
    });
    for (const type of [
      'generate-chart',
      'generate-example-questions',
      'regular-table',
      'slider-filter',
      'scatter-plot',
    ]) {
      const { body } = await api.call(
        'aichart',
        { properties: { dataset_id, type, question: 'Revenue by region' } },
        token,
      );
      const text = JSON.stringify(body);
      expect([type, hidden.some((id) => text.includes(id)), /"label":"Revenue/u.test(text)]).toEqual([
        type,
        false,
        false,
      ]);
    }
  });

  it('are neither found nor changed, for they are not kept', async () => {
    for (const body of [
      { find: {} },
      { action: 'get', id: randomUUID() },
      { id: randomUUID(), properties: {} },
      { action: 'delete', id: randomUUID() },
    ]) {
      expect([body, (await api.refused('aichart', body)).code]).toEqual([body, 'operation_unknown']);
    }
  });
});
