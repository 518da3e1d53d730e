import { inWords, isObject, parseObject, type Json } from '@inlay/contract';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { oneStore } from '../support/service.ts';
import { oddRecords, withRecords } from './odd/records.ts';

/** One request as a mistake makes it, in which `<dataset>` stands for the id of a dataset, with the status and the beginning of what its sender reads. */
interface OddRequest {
  readonly what: string;
  readonly path: string;
  readonly method?: 'DELETE' | 'GET' | 'OPTIONS' | 'PATCH' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  /** Whose credentials it has: those of an owner where nobody is named. */
  readonly by?: 'nobody' | 'owner' | 'embed' | 'member';
  readonly body?: Json;
  readonly status: number;
  readonly says: string;
}

const table = new URL('odd/requests.json', import.meta.url);
const odd: readonly OddRequest[] = JSON.parse(readFileSync(table, 'utf8'));

/** What an answer says: its faults with their places, or its message. */
function saidBy(text: string): string {
  if (!text.startsWith('{')) return '';
  const { validation = null, message = '' } = parseObject(text);
  return isObject(validation)
    ? Object.entries(validation)
        .map(([at, faults]) => `${at} ${Array.isArray(faults) ? String(faults[0]) : ''}`)
        .join('; ')
    : inWords(message);
}

const senders = {
  nobody: null,
  owner: 'Bearer <key>:<token>',
  embed: 'Bearer <embedKey>:<embedToken>',
  member: 'Bearer <memberKey>:<memberToken>',
} as const satisfies Readonly<Record<NonNullable<OddRequest['by']>, string | null>>;

describe('odd requests', () => {
  const api = useApi(oneStore, { INLAY_SIGNUP: 'false' });
  let ids: Readonly<Record<string, string>> = {};
  beforeAll(async () => {
    ids = await oddRecords(api);
  });

  it.each(odd.map((one) => [one.what, one] as const))(
    '%s',
    async (_what, { method = 'POST', path, by = 'owner', body, ...one }) => {
      const authorization = senders[by];
      const headers = {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(authorization === null ? {} : { authorization }),
        ...one.headers,
      };
      const answer = await api.service.server.inject({
        method,
        url: withRecords(path.startsWith('/') ? path : `/0.1.0/${path}`, ids),
        payload: body === undefined ? '' : withRecords(typeof body === 'string' ? body : JSON.stringify(body), ids),
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, withRecords(value, ids)])),
      });
      const said = saidBy(answer.body).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, '…');
      expect([answer.statusCode, said.slice(0, one.says.length)]).toEqual([one.status, one.says]);
      expect(answer.body).not.toMatch(/undefined|\[object|\bNaN|\ba [aeio]\w+ |find\.find|Internal error/u);
    },
  );

  it('hold a row filter of the last days, which a token gives as {unit, quantity}', async () => {
    const { dataset = '', region = '', day = '' } = ids;
    const filter = { securable_id: dataset, column_id: day, expression: '? more_than_ago ?' };
    const asked = { action: 'get', find: { dimensions: [{ dataset_id: dataset, column_id: region }] } };
    const rowsBefore = async (years: number): Promise<unknown> => {
      const filters = [{ ...filter, value: { unit: 'year', quantity: years } }];
      const by = await api.embedToken({ filters, access: { datasets: [{ id: dataset, rights: 'use' }] } });
      return (await api.ok('data', asked, by))['data'];
    };
    expect(await rowsBefore(100)).toEqual([]);
    expect(await rowsBefore(0)).toHaveLength(1);
  });
});
