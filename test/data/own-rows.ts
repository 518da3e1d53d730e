import { Readable } from 'node:stream';
import { inWords, isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import type { Api } from '../support/api.ts';
import type { Credential } from '../support/service.ts';
import { datasetIn, part, text } from '../support/world.ts';

/** Rows of revenue by month and region, their names first. */
export const revenueRows = [
  ['month', 'region', 'revenue'],
  ['2024-01-01', 'Europe', 1200.5],
  ['2024-02-01', 'Asia', 800],
  ['2024-02-01', 'Europe', 10],
] as const;

/** What is answered to a file: the dataset, or the refusal. */
export interface UploadAnswer {
  readonly status: number;
  readonly body: Json;
  readonly warnings: readonly JsonObject[];
}

/** Sends a file as it is. */
export const uploaded =
  (api: Api) =>
  async (query: string, type: string, bytes: Buffer): Promise<UploadAnswer> => {
    const { key, token } = api.owner;
    const answer = await api.service.server.inject({
      method: 'POST',
      url: `/0.1.0/data/file?${query}`,
      headers: { authorization: `Bearer ${key}:${token}`, 'content-type': type },
      payload: Readable.from([bytes]),
    });
    const body: Json = JSON.parse(answer.body);
    const warnings = isObject(body) ? (body['warnings'] ?? []) : [];
    return {
      status: answer.statusCode,
      body: answer.statusCode === 200 ? datasetIn(body) : body,
      warnings: isList(warnings) ? warnings.filter((one) => isObject(one)) : [],
    };
  };

/** Sends a body that is JSON text to `data`; returns the text that is answered. */
export async function sentText(api: Api, payload: string): Promise<string> {
  const { key, token } = api.owner;
  const headers = { authorization: `Bearer ${key}:${token}`, 'content-type': 'application/json' };
  return (await api.service.server.inject({ method: 'POST', url: '/0.1.0/data', headers, payload })).body;
}

/** What tests of rows that are pushed or uploaded ask of the service. */
export function ownRows(api: Api) {
  const push = (properties: JsonObject, by?: Credential): Promise<JsonObject> => api.create('data', properties, by);
  const made = (): Promise<JsonObject> =>
    push({ type: 'create', data: revenueRows, options: { header: true, name: { en: 'Revenue', nl: 'Omzet' } } });
  const columns = async (id: string): Promise<ReadonlyMap<string, JsonObject>> => {
    const rows = await api.find('column', { where: { securable_id: id } });
    return new Map(rows.map((row) => [text(row, 'source_name'), row]));
  };
  /** Revenue by month and region. */
  const totals = async (id: string): Promise<Json> => {
    const ids = await columns(id);
    const on = (name: string): JsonObject => ({ dataset_id: id, column_id: text(ids.get(name), 'id') });
    const answer = await api.ok('data', {
      action: 'get',
      find: {
        dimensions: [{ ...on('month'), level: 3 }, on('region')],
        measures: [{ ...on('revenue'), aggregation: { type: 'sum' } }],
      },
    });
    const rows = part(answer, 'data');
    return (isList(rows) ? rows : []).map((row): Json => {
      const [month, region, sum] = isList(row) ? row : [];
      return [inWords(month).slice(0, 7), isObject(region ?? null) ? text(region, 'id') : null, sum ?? null];
    });
  };
  const refusal = async (properties: JsonObject, by?: Credential): Promise<JsonObject> => {
    const { status, body } = await api.call('data', { action: 'create', properties }, by);
    return {
      status,
      code: text(body, 'code'),
      message: text(body, 'message'),
      validation: isObject(body) ? (body['validation'] ?? null) : null,
    };
  };
  return { push, made, columns, totals, refusal };
}
