import { inWords, isObject, parseObject, type Json } from '@inlay/contract';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { oneStore } from '../support/service.ts';

/** One request as a mistake makes it, with the status and the beginning of what its sender reads. */
interface OddRequest {
  readonly what: string;
  readonly path: string;
  readonly method?: 'GET' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  /** Without credentials. */
  readonly by?: 'nobody';
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

describe('odd requests', () => {
  const api = useApi(oneStore, { INLAY_SIGNUP: 'false' });

  it.each(odd.map((one) => [one.what, one] as const))(
    '%s',
    async (_what, { method = 'POST', path, by, body, ...one }) => {
      const { key, token } = api.owner;
      const answer = await api.service.server.inject({
        method,
        url: path.startsWith('/') ? path : `/0.1.0/${path}`,
        payload: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(by === 'nobody' ? {} : { authorization: `Bearer ${key}:${token}` }),
          ...one.headers,
        },
      });
      const said = saidBy(answer.body).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, '…');
      expect([answer.statusCode, said.slice(0, one.says.length)]).toEqual([one.status, one.says]);
      expect(answer.body).not.toMatch(/undefined|\[object|\bNaN|\ba [aeio]\w+ |find\.find|Internal error/u);
    },
  );
});
