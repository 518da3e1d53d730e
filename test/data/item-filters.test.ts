import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { isList, type Json, type JsonObject } from '@inlay/contract';
import { contentsOf, inSlot, item, sales, slot, sumBy, type Sale, type SalesDataset } from '../browser/sales.ts';
import { sheetRows } from '../../packages/service/src/workbook/read-sheet.ts';
import { textsOfPdf } from '../export/pdf-texts.ts';
import { useApi, type Somebody } from '../support/api.ts';
import { askedFilter, dataOf, pushSales, storedFilter } from '../support/sales-world.ts';
import { storesToTest } from '../support/service.ts';
import { roomy } from '../support/workbooks.ts';
import { part, text } from '../support/world.ts';

/** Returns the rows of two columns by the first one. */
const rounded = (rows: readonly Json[]): readonly unknown[] =>
  rows.map((row) => (isList(row) ? [part(row[0], 'id') ?? row[0], row[1]] : [row])).toSorted(byText);
const byText = (one: unknown, other: unknown): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
const sums = (of: (sale: Sale) => boolean): readonly unknown[] =>
  sumBy(sales.filter(of), ({ region }) => region).map(([name, value]) => [name, value]);
const isOutside = ({ region }: Sale): boolean => region !== 'Europe';
/** What stands in no file and no answer that keeps to the filters. */
const hidden = 'Europe';

describe.each(storesToTest)('the filters of an item on %s', (store) => {
  const api = useApi(store);
  let dataset: SalesDataset;
  let dashboard: string;
  /** Reads the dashboard and the dataset, and may use neither. */
  let reader: Somebody;

  const grant = (id: string, person: Somebody, flags: object): Promise<unknown> =>
    api.associate('securable', id, 'Users', person.id, flags);
  const ask = (find: object): Promise<JsonObject> => api.ok('data', { action: 'get', find }, reader.login);
  const of = (itemId: string, more: object = {}): JsonObject => ({ dashboard_id: dashboard, item_id: itemId, ...more });
  const own = (): JsonObject => storedFilter(dataset, 'region', '? != ?', hidden);

  /** Revenue by region: outside Europe, in two ways, without filters, and with filters that nobody can read. */
  function contents(): JsonObject {
    const slots = [slot('x-axis', inSlot(dataset, 'region')), slot('measure', inSlot(dataset, 'revenue'))];
    const chart = (id: string, filters: readonly Json[]): JsonObject =>
      item(id, 'column-chart', slots, [0, 0, 16, 18], { filters });
    const either = {
      or: [
        storedFilter(dataset, 'region', '? = ?', 'Asia'),
        { and: [storedFilter(dataset, 'region', '? = ?', 'Africa'), storedFilter(dataset, 'quantity', '? > ?', 5)] },
      ],
    };
    const { id: _id, ...unnamed } = chart('', [own()]);
    const items = [
      chart('Outside', [own()]),
      chart('Either', [either]),
      chart('All', []),
      chart('Unreadable', [{ expression: '? = ?', parameters: [] }]),
      unnamed,
      item('Choice', 'dropdown-filter', [slot('dimension', inSlot(dataset, 'region'))], [0, 0, 8, 8], {
        filters: [own()],
      }),
      item('Table', 'regular-table', [slot('columns', inSlot(dataset, 'region'))], [0, 0, 8, 8], { filters: [own()] }),
    ];
    return contentsOf(dataset, items);
  }
  async function exported(properties: object): Promise<{ readonly status: number; readonly body: Buffer }> {
    const { statusCode, rawPayload } = await api.service.server.inject({
      method: 'POST',
      url: '/0.1.0/export',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({
        action: 'create',
        properties: { dashboard_id: dashboard, ...properties },
        ...reader.login,
      }),
    });
    return { status: statusCode, body: rawPayload };
  }

  /** Returns the rows of the workbook of an item, the header first. */
  async function workbookRows(itemId: string): Promise<(readonly unknown[])[]> {
    const { status, body } = await exported({ type: 'xlsx', item_id: itemId });
    expect(status).toBe(200);
    const folder = mkdtempSync(join(tmpdir(), 'inlay-filters-'));
    try {
      const path = join(folder, 'rows.xlsx');
      writeFileSync(path, body);
      const rows: (readonly unknown[])[] = [];
      for await (const chunk of sheetRows(path, null, roomy)) rows.push(...chunk);
      return rows;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  beforeAll(async () => {
    dataset = await pushSales(api);
    ({ id: dashboard } = await api.create('dashboard', { contents: contents() }));
    reader = await api.person({ flagMember: true });
    for (const id of [dashboard, dataset.id]) await grant(id, reader, { flagRead: true });
  });

  it('narrow that item alone, joined ones too, and one without an id', async () => {
    expect(rounded(dataOf(await ask(of('Outside'))))).toEqual(sums(isOutside));
    expect(rounded(dataOf(await ask(of('item-4'))))).toEqual(sums(isOutside));
    expect(dataOf(await ask(of('All')))).toHaveLength(3);
    const isEither = ({ region, quantity }: Sale): boolean =>
      region === 'Asia' || (region === 'Africa' && quantity > 5);
    expect(rounded(dataOf(await ask(of('Either'))))).toEqual(sums(isEither));
  });

  it('hold whatever a reader asks for', async () => {
    const dimensions = [{ dataset_id: dataset.id, column_id: dataset.columns.region }];
    const measures = [{ dataset_id: dataset.id, column_id: dataset.columns.revenue, aggregation: { type: 'sum' } }];
    const whole = askedFilter(dataset, 'region', '? = ?', hidden);
    expect(rounded(dataOf(await ask(of('Outside', { dimensions, measures, where: [] }))))).toEqual(sums(isOutside));
    expect(dataOf(await ask(of('Outside', { where: [whole] })))).toEqual([]);
    const either = { or: [whole, askedFilter(dataset, 'region', '? != ?', hidden)] };
    expect(rounded(dataOf(await ask(of('Outside', { where: [either] }))))).toEqual(sums(isOutside));
    const [first] = await api
      .call('data', { action: 'get', find: { queries: [of('Outside'), of('All')] } }, reader.login)
      .then(({ body }) => (isList(body) ? body : []));
    expect(rounded(dataOf(first))).toEqual(sums(isOutside));
  });

  it('leave the same members out of the choices of a filter item', async () => {
    const members = dataOf(await ask(of('Choice')));
    expect(members).toHaveLength(2);
    expect(JSON.stringify(members)).not.toContain(hidden);
  });

  it('close the item alone where they cannot be read', async () => {
    const said = await api.refused('data', { action: 'get', find: of('Unreadable') }, reader.login);
    expect(said).toMatchObject({ status: 403, code: 'forbidden' });
    for (const filters of ['text', [7], [{ or: [] }], [{ and: [own(), 7] }], [{ and: [own()], or: [own()] }]]) {
      const changed = JSON.parse(
        JSON.stringify(contents()).replaceAll('"filters":[]', `"filters":${JSON.stringify(filters)}`),
      );
      const { id } = await api.create('dashboard', { contents: changed });
      await grant(id, reader, { flagRead: true });
      const find = { dashboard_id: id, item_id: 'All' };
      expect(await api.refused('data', { action: 'get', find }, reader.login)).toMatchObject({ status: 403 });
      expect(dataOf(await ask({ dashboard_id: id, item_id: 'Outside' }))).toHaveLength(2);
    }
  });

  it('hold in files of rows', async () => {
    const files = [
      { type: 'csv', item_id: 'Outside' },
      { type: 'csv', item_id: 'Table' },
      { type: 'csv', query: of('Outside'), dashboard_id: undefined },
      { type: 'ndjson', query: of('Outside'), dashboard_id: undefined },
    ];
    for (const file of files) {
      const { status, body } = await exported(file);
      expect([file, status]).toEqual([file, 200]);
      expect(body.toString()).toContain('Asia');
      expect(body.toString()).not.toContain(hidden);
    }
    const unreadable = await exported({ type: 'csv', item_id: 'Unreadable' });
    expect([unreadable.status, unreadable.body.toString()]).toEqual([400, expect.stringContaining('cannot be read')]);
  });

  it('hold in workbooks and pictures', async () => {
    expect((await workbookRows('All')).slice(1).toSorted(byText)).toEqual(sums(() => true));
    expect((await workbookRows('Outside')).slice(1).toSorted(byText)).toEqual(sums(isOutside));
    expect((await exported({ type: 'png', item_id: 'Table' })).status).toBe(200);
    const svg = (await exported({ type: 'svg', item_id: 'Table' })).body.toString();
    const pdf = textsOfPdf((await exported({ type: 'pdf', item_id: 'Table', paper: 'fit' })).body);
    for (const picture of [svg, pdf]) {
      expect(picture).toContain('Region: not Europe');
      expect(picture).toContain('Asia');
      // The line of filters names the region once; no row does.
      expect(picture.split(hidden)).toHaveLength(2);
    }
    const pages = textsOfPdf((await exported({ type: 'pdf', item_id: 'Table' })).body);
    expect(pages.split('Region: not Europe').length).toBe(pages.split('(continued)').length + 1);
    const french = await exported({ type: 'svg', item_id: 'Table', locale_id: 'fr' });
    expect(french.body.toString()).toContain('Région: sauf Europe');
  });

  it('hold in work that is done later', async () => {
    const later = await api.call('data', { action: 'get', find: of('Outside') }, reader.login, {
      prefer: 'respond-async',
    });
    expect(later.status).toBe(202);
    const url = `/0.1.0/task/${text(later.body, 'id')}/file`;
    const headers = { authorization: `Bearer ${reader.login.key}:${reader.login.token}` };
    for (let times = 0; times < 400; times += 1) {
      const { statusCode, body } = await api.service.server.inject({ method: 'GET', url, headers });
      if (statusCode !== 200) {
        await sleep(25);
        continue;
      }
      expect(rounded(dataOf(JSON.parse(body)))).toEqual(sums(isOutside));
      return;
    }
    throw new Error('the task did not end');
  });

  it('hold as they were in the version that a token reads', async () => {
    const { id } = await api.create('dashboard', { contents: contents() });
    const kept = async (environment: string): Promise<void> => {
      const [version] = Object.keys(await api.links('securable', id, 'Versions'))
        .toSorted()
        .toReversed();
      await api.update('dashboardversion', version ?? '', { environment });
    };
    await api.update('securable', id, {
      contents: { ...contents(), parameters: [{ parameter: 'metadata.x', type: 'text' }] },
    });
    await kept('narrowed');
    const access = { dashboards: [{ id, rights: 'read' }], datasets: [{ id: dataset.id, rights: 'read' }] };
    const token = await api.embedToken({ access, environment: 'narrowed' });
    const find = { dashboard_id: id, item_id: 'Outside' };
    await api.update('securable', id, { contents: contentsOf(dataset, []) });
    expect(rounded(dataOf(await api.ok('data', { action: 'get', find }, token)))).toEqual(sums(isOutside));
  });

  it('have the names of their columns in what is shown, but of hidden ones', async () => {
    const access = { dashboards: [{ id: dashboard, rights: 'read' }], datasets: [{ id: dataset.id, rights: 'read' }] };
    const hiding = await api.embedToken({ access, hidden_columns: [dataset.columns.quantity] });
    const find = { dashboard_id: dashboard };
    const [shown, hidingShown] = await Promise.all(
      [reader.login, hiding].map(async (by) =>
        JSON.stringify((await api.call('appearance', { action: 'get', find }, by)).body),
      ),
    );
    const named = /"properties":\{"label":(?:"|\{"en":")quantity/iu;
    expect(shown).toMatch(named);
    expect(hidingShown).toContain(dataset.columns.quantity);
    expect(hidingShown).not.toMatch(named);
  });

  it('are checked at their place', async () => {
    const wrong = storedFilter(dataset, 'quantity', '? > ?', 'many');
    const chart = item('Wrong', 'column-chart', [slot('x-axis', inSlot(dataset, 'region'))], [0, 0, 8, 8], {
      filters: [
        own(),
        { or: [own(), wrong] },
        { ...own(), parameters: [{ dataset_id: dataset.id, column_id: 'no' }, 1] },
      ],
    });
    const made = await api.create('dashboard', { contents: contentsOf(dataset, [chart]) });
    const paths = (isList(made['warnings']) ? made['warnings'] : []).map((warning) => part(warning, 'path'));
    const at = 'properties.contents.views[0].items[0].filters';
    expect(paths).toEqual([`${at}[1].or[1].parameters[1]`, `${at}[2].parameters[0].column_id`]);
  });
});
