import { isList, type Json, type JsonObject } from '@inlay/contract';
import { sumBy, sales, type Sale, type SalesDataset } from '../browser/sales.ts';
import type { Api, Somebody } from './api.ts';
import { dataOf, pushSales, salesContents } from './sales-world.ts';
import type { Credential } from './service.ts';
import { part, text } from './world.ts';

/** The sales that the items show. */
export const outside = sales.filter(({ region }) => region !== 'Europe');
/** Returns the rows of an answer, members as their ids. */
export const plain = (answer: unknown): readonly (readonly unknown[])[] =>
  dataOf(answer).map((row) => (isList(row) ? row.map((cell) => part(cell, 'id') ?? cell) : []));
export const byRegion = (rows: readonly Sale[]): readonly (readonly [string, number])[] =>
  sumBy(rows, ({ region }) => region);
export const totals = byRegion(sales);
export const totalOf = (region: string): readonly (readonly [string, number])[] =>
  totals.filter(([name]) => name === region);
/** Lies between the sums of the regions. */
export const middle = 6000;

export const sum = { aggregation: { type: 'sum' } };

/** What tests of filters of tokens and links ask of the service; `load` pushes the sales and makes a dashboard of them. */
export function filterOrigins(api: Api) {
  const world: { dataset: SalesDataset; dashboard: string } = {
    dataset: { id: '', columns: { day: '', region: '', product: '', revenue: '', quantity: '' } },
    dashboard: '',
  };
  const load = async (): Promise<void> => {
    world.dataset = await pushSales(api);
    world.dashboard = (await api.create('dashboard', { contents: salesContents(world.dataset) })).id;
  };
  const filter = (
    column: keyof SalesDataset['columns'],
    expression: string,
    value: Json,
    more: JsonObject = {},
  ): JsonObject => ({
    securable_id: world.dataset.id,
    column_id: world.dataset.columns[column],
    expression,
    value,
    ...more,
  });
  const ofRegions = (more: JsonObject = {}): JsonObject =>
    filter('region', '? = ?', 'Asia', { origin: 'chart', chart_id: 'Regions', ...more });
  const ofGroups = (more: JsonObject = {}): JsonObject =>
    filter('revenue', '? > ?', middle, { clause: 'having', ...more });
  const starting = (more: JsonObject = {}): JsonObject =>
    filter('product', '? in ?', ['Bread'], { origin: 'initialization', ...more });
  const access = (rights = 'use'): JsonObject => ({
    datasets: [{ id: world.dataset.id, rights }],
    dashboards: [{ id: world.dashboard, rights: 'read' }],
  });
  const issue = (filters: readonly JsonObject[], more: JsonObject = {}): Promise<JsonObject> =>
    api.ok('authorization', {
      action: 'create',
      properties: { type: 'embed', username: 'ada', access: access(), filters, ...more },
    });
  const token = async (filters: readonly JsonObject[], more: JsonObject = {}): Promise<Credential> => {
    const made = await issue(filters, more);
    return { key: text(made, 'id'), token: text(made, 'token') };
  };
  const column = (name: keyof SalesDataset['columns'], more: object = {}): JsonObject => ({
    dataset_id: world.dataset.id,
    column_id: world.dataset.columns[name],
    ...more,
  });
  const regions = (more: JsonObject = {}): JsonObject => ({
    dimensions: [column('region')],
    measures: [column('revenue', sum)],
    ...more,
  });
  const of = (itemId: string): JsonObject => ({ dashboard_id: world.dashboard, item_id: itemId });
  const ask = (find: JsonObject, by: Credential): Promise<JsonObject> => api.ok('data', { action: 'get', find }, by);
  const seen = async (find: JsonObject, by: Credential): Promise<ReturnType<typeof plain>> =>
    plain(await ask(find, by));
  const refused = (find: JsonObject, by: Credential) => api.refused('data', { action: 'get', find }, by);
  const warned = ({ warnings = null }: JsonObject): readonly unknown[] =>
    (isList(warnings) ? warnings : []).map((one) => [part(one, 'path'), part(one, 'code')]);
  const exported = async (properties: object, by: Credential): Promise<string> => {
    const { statusCode, body } = await api.service.server.inject({
      method: 'POST',
      url: '/0.1.0/export',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ ...by, action: 'create', properties }),
    });
    if (statusCode !== 200) throw new Error(`export answered ${statusCode} ${body}`);
    return body;
  };
  const linked = (person: Somebody, filters: readonly JsonObject[]): Promise<JsonObject> =>
    api.associate('securable', world.dataset.id, 'Users', person.id, { flagUse: true, filters });

  return {
    world,
    load,
    filter,
    ofRegions,
    ofGroups,
    starting,
    access,
    issue,
    token,
    column,
    regions,
    of,
    ask,
    seen,
    refused,
    warned,
    exported,
    linked,
  };
}
