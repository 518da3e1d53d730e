import { describe, expect, it } from 'vitest';
import type { Json } from '@inlay/contract';
import { useApi } from '../support/api.ts';
import { type Credential, storesToTest } from '../support/service.ts';
import { datasetIn } from '../support/world.ts';

const abreast = 24;

describe.each(storesToTest)('rows that several clients append at once on %s', (store) => {
  const api = useApi(store, {});
  const made = async (): Promise<string> =>
    datasetIn(
      await api.ok('data', {
        action: 'create',
        properties: {
          type: 'create',
          data: [
            ['n', 'word'],
            [0, 'first'],
          ],
          options: { header: true },
        },
      }),
    ).id;
  const append = (id: string, data: readonly unknown[], by?: Credential, headers?: Record<string, string>) =>
    api.service.call(
      'data',
      { action: 'create', properties: { type: 'append', securable_id: id, data } },
      by ?? api.owner,
      headers,
    );
  const numbers = Array.from({ length: abreast }, (_, index) => index + 1);
  const count = async (id: string): Promise<unknown> => {
    const measures = [{ dataset_id: id, column_id: '*', aggregation: { type: 'count' } }];
    return (await api.ok('data', { action: 'get', find: { dimensions: [], measures } }))['data'];
  };
  const rowsOf = (body: Json): unknown => datasetIn(body)['rows'];

  it('are all there, in fewer versions than requests', async () => {
    const id = await made();
    const answers = await Promise.all(numbers.map((n) => append(id, [[n, `word ${n}`]])));
    expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 200));
    expect(await count(id)).toEqual([[abreast + 1]]);
    const totals = new Set(answers.map(({ body }) => rowsOf(body)));
    expect(totals.size).toBeLessThan(abreast / 2);
    expect([...totals].map(Number).toSorted((a, b) => b - a)[0]).toBe(abreast + 1);
  });

  it('are refused alone where they do not fit, each with its own row', async () => {
    const id = await made();
    const answers = await Promise.all(
      numbers.map((n) =>
        append(
          id,
          n % 8 === 0
            ? [
                [n, 'good'],
                ['none', 'bad'],
              ]
            : n === 5
              ? [[n]]
              : [[n, 'good']],
        ),
      ),
    );
    const refused = answers.flatMap(({ status, body }, index) =>
      status === 200 ? [] : [{ index: index + 1, status, body }],
    );
    expect(refused.map(({ index }) => index)).toEqual([5, 8, 16, 24]);
    for (const { status, body, index } of refused) {
      expect(status).toBe(400);
      if (index !== 5) expect(JSON.stringify(body)).toContain('row 2, column n');
    }
    expect(await count(id)).toEqual([[abreast + 1 - 4]]);
  });

  it('are refused for those who may not store them, and stored for the others', async () => {
    const id = await made();
    const { login } = await api.person({ flagMember: true });
    const answers = await Promise.all(numbers.map((n) => append(id, [[n, 'x']], n % 6 === 0 ? login : api.owner)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(abreast - 4);
    expect(await count(id)).toEqual([[abreast + 1 - 4]]);
  });

  it('are stored once for one Idempotency-Key, whoever they are stored with', async () => {
    const id = await made();
    const send = () =>
      Promise.all(numbers.map((n) => append(id, [[n, 'x']], api.owner, { 'idempotency-key': `append-${n}-${id}` })));
    const first = await send();
    const again = await send();
    expect(first.map(({ status }) => status)).toEqual(again.map(({ status }) => status));
    expect(again.map(({ status }) => status)).toEqual(numbers.map(() => 200));
    expect(await count(id)).toEqual([[abreast + 1]]);
  });

  it('are stored once for one Idempotency-Key that two of them have', async () => {
    const id = await made();
    const twice = { 'idempotency-key': `twice-${id}` };
    const keyed = () => append(id, [[7, 'x']], api.owner, twice);
    const first = await Promise.all([...[1, 2, 3, 4].map((n) => append(id, [[n, 'x']])), keyed(), keyed()]);
    expect(first.map(({ status }) => status)).toEqual(first.map(() => 200));
    expect(await count(id)).toEqual([[6]]);
    const again = await Promise.all([keyed(), ...[8, 9, 10].map((n) => append(id, [[n, 'x']]))]);
    expect(again.map(({ status }) => status)).toEqual(again.map(() => 200));
    expect(await count(id)).toEqual([[9]]);
  });

  it('take the types that one of them names for its own rows alone', async () => {
    const answer = await api.ok('data', {
      action: 'create',
      properties: { type: 'create', data: [['n'], [0.5], [1e300]], options: { header: true } },
    });
    const { id } = datasetIn(answer);
    const long = () => append(id, [['0.12345678901234567890123']]);
    expect((await long()).status).toBe(400);
    const named = () =>
      api.service.call(
        'data',
        {
          action: 'create',
          properties: {
            type: 'append',
            securable_id: id,
            data: [[1.5]],
            options: { columns: { n: 'numeric' } },
          },
        },
        api.owner,
      );
    const answers = await Promise.all([named(), named(), long(), long(), long(), long()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 400, 400, 400]);
  });
});
