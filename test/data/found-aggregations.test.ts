import { expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { oneStore } from '../support/service.ts';

const api = useApi(oneStore);

/** Returns the aggregations of the columns of a dataset, by their names at the source. */
async function aggregationsOf(dataset: string): Promise<object> {
  const columns = await api.find('column', { where: { securable_id: dataset } });
  return Object.fromEntries(columns.map(({ source_name, aggregation_type }) => [source_name, aggregation_type]));
}

it('found columns add amounts up, average prices and ages, and count the rest, until people say otherwise', async () => {
  const rows = [
    ['order_id', 'city', 'unit price', 'Load (%)', 'patient_age', 'amount'],
    [1, 'Ghent', 2.5, 80, 41, 10],
    [2, 'Oslo', 3.5, 90, 67, 20],
  ];
  const { id } = await api.create('data', { type: 'create', data: rows, options: { header: true } });
  const found = {
    order_id: 'count',
    city: 'count',
    'unit price': 'average',
    'Load (%)': 'average',
    patient_age: 'average',
    amount: 'sum',
  };
  expect(await aggregationsOf(id)).toEqual(found);
  const [age] = await api.find('column', { where: { securable_id: id, source_name: 'patient_age' } });
  await api.update('column', age?.['id'], { aggregation_type: 'median', synonyms: { en: ['Years lived'] } });
  const wider = [
    ['order_id', 'city', 'unit price', 'Load (%)', 'patient_age', 'amount', 'discount rate'],
    [3, 'Lyon', 4.5, 70, 5.5, 30, 0.1],
  ];
  await api.ok('data', {
    action: 'create',
    properties: { type: 'replace', securable_id: id, data: wider, options: { header: true, update_metadata: true } },
  });
  expect(await aggregationsOf(id)).toEqual({ ...found, patient_age: 'median', 'discount rate': 'average' });
  const [after] = await api.find('column', { where: { securable_id: id, source_name: 'patient_age' } });
  expect(after?.['synonyms']).toEqual({ en: ['Years lived'] });
});
