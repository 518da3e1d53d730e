import { isList, type Json, type JsonObject } from '@inlay/contract';
import type { Api } from './api.ts';
import type { Credential } from './service.ts';
import { part, text } from './world.ts';

/** A dataset of a test and its columns by their names at the source. */
export interface LinkedDataset {
  readonly id: string;
  readonly columns: Readonly<Record<string, string>>;
}

/** What tests of linked datasets ask of the service. */
export function linkedDatasets(api: Api) {
  async function dataset(rows: readonly (readonly Json[])[]): Promise<LinkedDataset> {
    const options = { header: true, name: { en: 'Rows' } };
    const { id } = await api.create('data', { type: 'create', data: rows, options });
    const found = await api.find('column', { where: { securable_id: id } });
    return { id, columns: Object.fromEntries(found.map((row) => [text(row, 'source_name'), text(row, 'id')])) };
  }
  const link = (
    from: LinkedDataset,
    column: string,
    to: LinkedDataset,
    key: string,
    type = 'lookup',
  ): Promise<JsonObject> => api.associate('column', from.columns[column], 'Joins', to.columns[key], { type });
  const filter = (of: LinkedDataset, column: string, value: Json, more: JsonObject = {}): JsonObject => ({
    securable_id: of.id,
    column_id: of.columns[column] ?? '',
    expression: '? = ?',
    value,
    ...more,
  });
  const issue = (properties: object): Promise<JsonObject> =>
    api.ok('authorization', { action: 'create', properties: { type: 'embed', username: 'ada', ...properties } });
  const credential = (made: JsonObject): Credential => ({ key: text(made, 'id'), token: text(made, 'token') });
  const uses = (...of: readonly LinkedDataset[]) => ({ datasets: of.map(({ id }) => ({ id, rights: 'use' })) });
  const token = async (
    of: readonly LinkedDataset[],
    filters: readonly JsonObject[],
    more: object = {},
  ): Promise<Credential> => credential(await issue({ access: uses(...of), filters, ...more }));

  const on = (of: LinkedDataset, column: string) => ({ dataset_id: of.id, column_id: of.columns[column] ?? '' });
  const rowsFind = (of: LinkedDataset, column: string) => ({
    dimensions: [],
    measures: [on(of, column)],
    options: { rollup_data: false },
  });
  /** Returns the values of a number column that somebody sees, or the code of the refusal. */
  async function values(of: LinkedDataset, column: string, by: Credential): Promise<readonly number[] | string> {
    const { body } = await api.call('data', { action: 'get', find: rowsFind(of, column) }, by);
    const rows = part(body, 'data');
    if (!isList(rows)) return text(body, 'code');
    return rows.flatMap((row) => (isList(row) ? row.map(Number) : [])).toSorted((one, other) => one - other);
  }

  return { dataset, link, filter, issue, credential, uses, token, on, rowsFind, values };
}
