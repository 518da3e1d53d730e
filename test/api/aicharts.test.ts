import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { suggestedTypes } from '../../packages/service/src/resources/aichart.ts';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';

/** Chart and filter types of the API document. */
const documented = (
  'area-chart bar-chart bubble-chart circle-pack-chart column-chart donut-chart line-chart evolution-number ' +
  'pivot-table regular-table scatter-plot sunburst-chart treemap-chart date-filter dropdown-filter slicer-filter ' +
  'slider-filter'
).split(' ');

describe.each(storesToTest)('AI charts on %s', (store) => {
  const api = useApi(store);
  const switchAi = (on: boolean) => api.update('organization', api.organizationId, { flag_experimental_ai: on });

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
    const base = { dataset_id: (await api.create('dataset', {})).id, type: 'generate-chart' };
    for (const message_history of ['x', {}, [7], [null], ['x'.repeat(4097)], Array.from({ length: 21 }, () => 'x')]) {
      const properties = { ...base, message_history };
      expect((await api.refused('aichart', { properties })).status).toBe(400);
    }
    for (const message_history of [[], ['Earlier', 'Later'], null]) {
      const { status } = await api.call('aichart', { properties: { ...base, question: 'Revenue', message_history } });
      expect([message_history, status]).toEqual([
        message_history,
        expect.toSatisfy((code) => code === 200 || code === 503),
      ]);
    }
  });

  it('can create every documented chart and filter type', async () => {
    await switchAi(true);
    expect([...suggestedTypes].toSorted()).toEqual(documented.toSorted());
    const dataset_id = (await api.create('dataset', {})).id;
    for (const type of [
      ...documented,
      'generate-chart',
      'chart',
      'generate-filter',
      'filter',
      'generate-example-questions',
    ]) {
      const { status } = await api.call('aichart', { properties: { dataset_id, type } });
      expect([type, status]).toEqual([type, expect.toSatisfy((code) => code === 200 || code === 503)]);
    }
  });

  it('is refused while the organization has the AI feature off', async () => {
    const properties = { dataset_id: (await api.create('dataset', {})).id, type: 'generate-chart' };
    await switchAi(false);
    expect(await api.refused('aichart', { properties })).toMatchObject({ status: 400, code: 'ai_disabled' });
    await switchAi(true);
    expect((await api.call('aichart', { properties })).status).not.toBe(400);
    const member = await api.person();
    const change = { id: api.organizationId, properties: { flag_experimental_ai: false } };
    expect((await api.refused('organization', change, member.login)).status).toBe(403);
  });

  it('need the right to use the dataset', async () => {
    await switchAi(true);
    const { id } = await api.create('dataset', {});
    const dashboard = await api.create('dashboard', {});
    const person = await api.person();
    const ask = { properties: { dataset_id: id, type: 'generate-chart' } };
    expect((await api.refused('aichart', ask, person.login)).code).toBe('reference_unknown');
    await api.associate('securable', id, 'Users', person.id, { flagRead: true });
    expect((await api.refused('aichart', ask, person.login)).status).toBe(403);
    await api.associate('securable', id, 'Users', person.id, { flagUse: true });
    expect((await api.call('aichart', ask, person.login)).status).not.toBe(403);
    const reader = await api.embedToken({ access: { datasets: [{ id, rights: 'read' }] } });
    expect((await api.refused('aichart', ask, reader)).status).toBe(403);
    const user = await api.embedToken({ access: { datasets: [{ id, rights: 'use' }] } });
    expect((await api.call('aichart', ask, user)).status).not.toBe(403);
    const wrongKind = { properties: { dataset_id: dashboard.id, type: 'generate-chart' } };
    expect((await api.refused('aichart', wrongKind)).status).toBe(400);
    expect((await api.refused('aichart', ask, null)).status).toBe(401);
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
