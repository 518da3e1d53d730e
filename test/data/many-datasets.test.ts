import { describe, expect, it } from 'vitest';
import { counted } from '../support/counts.ts';
import { useApi } from '../support/api.ts';
import { datasetIn } from '../support/world.ts';

/** More than a child keeps attached; in the full run more than it may hold open. */
const datasets = counted(150, 800);

describe('an organization with many small datasets', () => {
  const api = useApi('sqlite', {});
  const ids: string[] = [];

  const rowsOf = (dataset: number): readonly (readonly (string | number)[])[] =>
    Array.from({ length: 100 }, (_, row) => [`region ${row % 4}`, dataset]);
  const make = async (dataset: number): Promise<string> => {
    const data = [['region', 'n'], ...rowsOf(dataset)];
    const properties = { type: 'create', data, options: { header: true } };
    return datasetIn(await api.ok('data', { action: 'create', properties })).id;
  };
  const totals = async (id: string): Promise<unknown> => {
    const columns = await api.find('column', { where: { securable_id: id } });
    const on = (name: string) => ({
      dataset_id: id,
      column_id: columns.find((column) => column['source_name'] === name)?.['id'] ?? null,
    });
    const measures = [{ ...on('n'), aggregation: { type: 'sum' } }];
    const where = [{ expression: '? = ?', parameters: [on('region'), 'region 1'] }];
    return (await api.ok('data', { action: 'get', find: { dimensions: [], measures, where } }))['data'];
  };

  it('is answered about each of them, and again about those that were asked about first', async () => {
    for (let at = 0; at < datasets; at += 10)
      ids.push(...(await Promise.all(Array.from({ length: 10 }, (_, index) => make(at + index)))));
    for (const [dataset, id] of ids.entries()) expect(await totals(id), `dataset ${dataset}`).toEqual([[25 * dataset]]);
    for (const [dataset, id] of ids.slice(0, 10).entries()) expect(await totals(id)).toEqual([[25 * dataset]]);
    expect([...api.service.app.engine.retired()]).toEqual([]);
  }, 600_000);

  it('uses at most 150 KB of the disk for each of them', async () => {
    const used = await api.service.app.engine.usedBytes(api.organizationId, null);
    expect(used / ids.length).toBeLessThan(150_000);
  });
});
