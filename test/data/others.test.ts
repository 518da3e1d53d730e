import type { Json, JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { contentsOf, item, slot } from '../browser/sales.ts';
import { useApi, type Somebody } from '../support/api.ts';
import { dataOf } from '../support/sales-world.ts';
import { storesToTest } from '../support/service.ts';
import { part, text } from '../support/world.ts';

type Visit = readonly [agent: string | null, state: string, hours: number, client: string];

/** Agents with more and fewer visits, so that a mean of means is not the mean; nobody and the empty name are among the first. */
const visits: readonly Visit[] = [[null, 9] as const, ['', 8] as const, ['Ada', 7] as const]
  .map(([agent, hours]): Visit => [agent, 'open', hours, 'A'])
  .concat(
    ['Ben', 'Cy', 'Di', 'Eve'].flatMap((agent, index) =>
      Array.from({ length: (index + 1) * 3 }, (_, visit): Visit => [
        agent,
        visit % 3 === 0 ? 'won' : 'open',
        4 - index + (visit % 3) / 4,
        `client ${visit % 5}`,
      ]),
    ),
  );
/** More than the thousand times that a query may name. */
const resultRows = 1005;
const mean = (rows: readonly Visit[]): number => rows.reduce((sum, [, , hours]) => sum + hours, 0) / rows.length;
const clients = (rows: readonly Visit[]): number => new Set(rows.map(([, , , client]) => client)).size;
const agents = (names: readonly (string | null)[]): readonly Visit[] =>
  visits.filter(([agent]) => names.includes(agent));

describe.each(storesToTest)('members beyond a limit on %s', (store) => {
  const api = useApi(store, { INLAY_RESULT_ROWS: String(resultRows) });
  let dataset: string;
  let dashboard: string;
  let reader: Somebody;
  const columns = new Map<string, string>();

  const on = (name: string, more: JsonObject = {}): JsonObject => ({
    dataset_id: dataset,
    column_id: columns.get(name) ?? '',
    ...more,
  });
  const average = (): JsonObject => on('hours', { aggregation: { type: 'average' } });
  const query = (more: JsonObject = {}): JsonObject => ({
    dimensions: [on('agent')],
    measures: [average(), on('client', { aggregation: { type: 'distinctcount' } })],
    order: [{ ...average(), order: 'desc' }],
    limit: { by: 3, others: true },
    ...more,
  });
  /** Rows with members and others as texts, numbers to the ninth digit. */
  const ask = async (find: Json, by?: Somebody['login']): Promise<readonly Json[]> =>
    dataOf(await api.ok('data', { action: 'get', find }, by)).map((row) =>
      (Array.isArray(row) ? row : []).map((cell) => {
        if (typeof cell === 'number') return Number(cell.toFixed(9));
        const others = part(cell, 'others');
        return typeof others === 'number' ? `+${others}` : (part(cell, 'id') ?? cell);
      }),
    );
  const rowOf = (member: Json, rows: readonly Visit[]): readonly Json[] => [
    member,
    Number(mean(rows).toFixed(9)),
    clients(rows),
  ];
  const first = (): readonly Json[] => [null, '', 'Ada'].map((name) => rowOf(name, agents([name])));
  const wanted = (): readonly Json[] => [...first(), rowOf('+4', agents(['Ben', 'Cy', 'Di', 'Eve']))];

  beforeAll(async () => {
    const data = [['agent', 'state', 'hours', 'client'], ...visits.map((row) => [...row])];
    const pushed = await api.create('data', { type: 'create', data, options: { header: true } });
    dataset = pushed.id;
    for (const row of await api.find('column', { where: { securable_id: dataset } }))
      columns.set(text(row, 'source_name'), text(row, 'id'));
    const inSlot = (name: string, type: string, more: JsonObject = {}): JsonObject => ({
      datasetId: dataset,
      columnId: columns.get(name) ?? '',
      type,
      label: name,
      ...more,
    });
    const hours = inSlot('hours', 'numeric', { aggregationFunc: 'average' });
    const bars = item(
      'Bars',
      'bar-chart',
      [
        slot('y-axis', inSlot('agent', 'hierarchy')),
        slot('measure', hours, inSlot('client', 'hierarchy', { aggregationFunc: 'distinctcount' })),
      ],
      [0, 0, 24, 16],
      { options: { sort: { by: 'measure', order: 'desc' }, limit: 3, others: true } },
    );
    const top = { ...bars, id: 'Top', options: { sort: { by: 'measure', order: 'desc' }, limit: 3 } };
    const contents = contentsOf({ id: dataset }, [bars, top]);
    ({ id: dashboard } = await api.create('dashboard', { contents }));
    reader = await api.person({ flagMember: true });
    for (const one of [dashboard, dataset])
      await api.associate('securable', one, 'Users', reader.id, { flagRead: true });
  });

  it('come as one, with each measure over all of their rows', async () => {
    expect(await ask(query())).toEqual(wanted());
    expect(await ask({ queries: [query()] })).toEqual(wanted());
    expect(await ask(query({ limit: { by: 7, others: true } }))).toHaveLength(7);
  });

  it('are those of an item, for its readers too, who ask nothing beyond it', async () => {
    const of = (itemId: string, more: JsonObject = {}): JsonObject => ({
      dashboard_id: dashboard,
      item_id: itemId,
      ...more,
    });
    expect(await ask(of('Bars'))).toEqual(wanted());
    expect(await ask(of('Bars'), reader.login)).toEqual(wanted());
    const csv = await api.call(
      'export',
      { action: 'create', properties: { type: 'csv', dashboard_id: dashboard, item_id: 'Bars' } },
      reader.login,
    );
    expect(csv.body).toMatch(/\r\n"Others",2\.\d+,5\r\n$/u);
    const asks = (find: JsonObject) => api.refused('data', { action: 'get', find }, reader.login);
    const beyond = of(
      'Top',
      query({ measures: [average(), on('client', { aggregation: { type: 'distinctcount' } })] }),
    );
    expect(await asks(beyond)).toMatchObject({ status: 403, validation: { 'find.limit.others': expect.anything() } });
  });

  it('are split by further dimensions, and left out where `having` drops them', async () => {
    const split = await ask(query({ dimensions: [on('agent'), on('state')], measures: [average()] }));
    const others = agents(['Ben', 'Cy', 'Di', 'Eve']);
    const inState = (state: string): readonly Json[] => {
      const own = others.filter((row) => row[1] === state);
      return ['+4', state, Number(mean(own).toFixed(9))];
    };
    expect(split).toHaveLength(5);
    for (const state of ['open', 'won']) expect(split).toContainEqual(inState(state));
    const having: readonly JsonObject[] = [{ expression: '? > ?', parameters: [average(), 2] }];
    const kept = ['Ben', 'Cy', 'Di', 'Eve'].filter((name) => mean(agents([name])) > 2);
    expect(await ask(query({ having }))).toEqual([...first(), rowOf(`+${kept.length}`, agents(kept))]);
    expect(kept).toEqual(['Ben', 'Cy', 'Di']);
  });

  it('are refused where a second query would name too many members, or the first has not all groups', async () => {
    const day = (index: number): string => new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10);
    const data = [['day', 'n'], ...Array.from({ length: resultRows + 5 }, (_, index) => [day(index), index])];
    const { id } = await api.create('data', { type: 'create', data, options: { header: true } });
    const found = await api.find('column', { where: { securable_id: id } });
    const of = (name: string, more: JsonObject): JsonObject => {
      const columnId = text(found.find((row) => text(row, 'source_name') === name) ?? {}, 'id');
      return { dataset_id: id, column_id: columnId, ...more };
    };
    const sum = of('n', { aggregation: { type: 'sum' } });
    const members = (by: number, more: JsonObject = {}): JsonObject => ({
      dimensions: [of('day', { level: 5 })],
      measures: [sum],
      order: [{ ...sum, order: 'asc' }],
      limit: { by, others: true },
      ...more,
    });
    const from = (least: number): JsonObject => ({ having: [{ expression: '? >= ?', parameters: [sum, least] }] });
    expect((await ask(members(5, from(100)))).at(-1)).toEqual(['+905', (905 * (105 + 1009)) / 2]);
    expect((await ask(members(5))).at(-1)).toEqual(['+1000', (1005 * (5 + 1009)) / 2]);
    const split = { dimensions: [of('day', { level: 5 }), of('n', {})] };
    for (const [find, says] of [
      [members(1001), 'names 1001 members'],
      [members(1, from(5)), 'names 1004 members'],
      [members(5, from(0)), 'needs all groups'],
      [members(5, split), 'needs all groups'],
    ] as const)
      expect(await api.refused('data', { action: 'get', find })).toMatchObject({
        status: 400,
        code: 'query_invalid',
        validation: { 'find.limit.others': [expect.stringContaining(says)] },
      });
  });

  it('are refused where nothing tells them from the first', async () => {
    const time = await api.create('data', {
      type: 'create',
      data: [
        ['at', 'n'],
        ['2026-01-01T10:00:00.000001Z', 1],
      ],
      options: { header: true },
    });
    const found = await api.find('column', { where: { securable_id: time.id } });
    const at = found.find((row) => text(row, 'source_name') === 'at') ?? {};
    const find = {
      dimensions: [{ dataset_id: time.id, column_id: text(at, 'id') }],
      limit: { by: 1, others: true },
    };
    expect(await api.refused('data', { action: 'get', find })).toMatchObject({
      status: 400,
      validation: { 'find.dimensions[0]': [expect.stringContaining('needs a level')] },
    });
    const rows = { action: 'create', properties: { type: 'csv', query: query() } };
    expect(await api.refused('export', rows)).toMatchObject({ status: 400, code: 'query_invalid' });
  });
});
