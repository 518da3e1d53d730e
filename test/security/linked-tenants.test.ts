import { isList, type Json, type JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { counted } from '../support/counts.ts';
import { drawSchema, visibleRows, type LinkedSchema } from '../support/linked-schema.ts';
import { storesToTest, type Credential } from '../support/service.ts';
import { randomOf } from '../support/tenant-queries.ts';
import { part, text } from '../support/world.ts';

const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';

/** A dataset of the test and its columns by name. */
interface Dataset {
  readonly id: string;
  readonly columns: Readonly<Record<string, string>>;
}

describe.each(storesToTest)('row filters over linked datasets on %s', (store) => {
  const api = useApi(store);

  async function dataset(rows: readonly (readonly Json[])[]): Promise<Dataset> {
    const options = { header: true, name: { en: 'Rows' } };
    const { id } = await api.create('data', { type: 'create', data: rows, options });
    const found = await api.find('column', { where: { securable_id: id } });
    return { id, columns: Object.fromEntries(found.map((row) => [text(row, 'source_name'), text(row, 'id')])) };
  }
  const link = (from: Dataset, column: string, to: Dataset, key: string, type = 'lookup'): Promise<JsonObject> =>
    api.associate('column', from.columns[column], 'Joins', to.columns[key], { type });
  const filter = (of: Dataset, column: string, value: Json, more: JsonObject = {}): JsonObject => ({
    ...{ securable_id: of.id, column_id: of.columns[column] ?? '', expression: '? = ?', value },
    ...more,
  });
  const issue = (properties: object): Promise<JsonObject> =>
    api.ok('authorization', { action: 'create', properties: { type: 'embed', username: 'ada', ...properties } });
  const credential = (made: JsonObject): Credential => ({ key: text(made, 'id'), token: text(made, 'token') });
  const uses = (...of: readonly Dataset[]) => ({ datasets: of.map(({ id }) => ({ id, rights: 'use' })) });
  const token = async (
    of: readonly Dataset[],
    filters: readonly JsonObject[],
    more: object = {},
  ): Promise<Credential> => credential(await issue({ access: uses(...of), filters, ...more }));

  const on = (of: Dataset, column: string) => ({ dataset_id: of.id, column_id: of.columns[column] ?? '' });
  const rowsFind = (of: Dataset, column: string) => ({
    ...{ dimensions: [], measures: [on(of, column)], options: { rollup_data: false } },
  });
  /** The values of a number column that somebody sees, or the code of the refusal. */
  async function values(of: Dataset, column: string, by: Credential): Promise<readonly number[] | string> {
    const { body } = await api.call('data', { action: 'get', find: rowsFind(of, column) }, by);
    const rows = part(body, 'data');
    if (!isList(rows)) return text(body, 'code');
    return rows.flatMap((row) => (isList(row) ? row.map(Number) : [])).toSorted((one, other) => one - other);
  }

  let customers: Dataset;
  let orders: Dataset;
  let lines: Dataset;
  beforeAll(async () => {
    customers = await dataset([
      ['id', 'tenant', 'city'],
      [1, 'acme', 'Ghent'],
      [2, 'bolt', 'Lyon'],
      [3, 'acme', 'Bruges'],
      [3, 'bolt', 'Paris'],
    ]);
    orders = await dataset([
      ['id', 'customer', 'amount'],
      [10, 1, 100],
      [11, 2, 200],
      [12, 3, 300],
      [13, null, 400],
      [14, 9, 500],
    ]);
    lines = await dataset([
      ['order', 'price'],
      [10, 1],
      [11, 2],
      [10, 3],
      [77, 4],
    ]);
    await link(orders, 'customer', customers, 'id');
    await link(lines, 'order', orders, 'id');
  });
  const acme = (): JsonObject => filter(customers, 'tenant', 'acme');

  it('bound what looks them up, over any number of links, whether the filtered dataset is open or not', async () => {
    for (const open of [
      [customers, orders, lines],
      [orders, lines],
    ]) {
      const by = await token(open, [acme()]);
      expect(await values(orders, 'amount', by)).toEqual([100]);
      expect(await values(lines, 'price', by)).toEqual([1, 3]);
    }
  });

  it('leave no group of other tenants in a query over both', async () => {
    const by = await token([customers, orders], [acme()]);
    const find = { dimensions: [on(customers, 'tenant')], measures: [{ ...on(orders, '*'), column_id: '*' }] };
    const { data } = await api.ok('data', { action: 'get', find }, by);
    expect(data).toEqual([[expect.objectContaining({ id: 'acme' }), 1]]);
  });

  it('hold in an export too', async () => {
    const by = await token([orders], [acme()]);
    const answer = await api.service.server.inject({
      ...{ method: 'POST', url: '/0.1.0/export', headers: { 'content-type': 'application/json' } },
      payload: JSON.stringify({
        ...by,
        action: 'create',
        properties: { type: 'csv', query: rowsFind(orders, 'amount') },
      }),
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.body.match(/\d{3}/gu)).toEqual(['100']);
  });

  it('hold for people, groups and collections as for tokens', async () => {
    const person = await api.person({ flagEditor: true });
    await api.associate('securable', customers.id, 'Users', person.id, { flagUse: true, filters: [acme()] });
    await api.associate('securable', orders.id, 'Users', person.id, { flagUse: true });
    expect(await values(orders, 'amount', person.login)).toEqual([100]);
    const other = await api.person({ flagEditor: true });
    const group = await api.create('group', { name: { en: 'Bolt' } });
    await api.associate('group', group.id, 'Users', other.id);
    const bolt = filter(customers, 'tenant', 'bolt');
    await api.associate('securable', customers.id, 'Groups', group.id, { flagUse: true, filters: [bolt] });
    await api.associate('securable', orders.id, 'Users', other.id, { flagUse: true });
    expect(await values(orders, 'amount', other.login)).toEqual([200]);
    // Whoever made the group is in it, and bound by its filters like everybody there.
    await api.dissociate('securable', customers.id, 'Groups', group.id);
  });

  it('bound what a filtered person hands on', async () => {
    const giver = await api.person({ flagEditor: true });
    await api.associate('securable', customers.id, 'Users', giver.id, { flagUse: true, filters: [acme()] });
    await api.associate('securable', orders.id, 'Users', giver.id, { flagUse: true });
    const collection = await api.create('collection', { name: { en: 'Kept' } }, giver.login);
    await api.associate('securable', orders.id, 'Collections', collection.id, undefined, giver.login);
    const receiver = await api.person({ flagEditor: true });
    await api.associate('collection', collection.id, 'Users', receiver.id, { flagUse: true }, giver.login);
    expect(await values(orders, 'amount', receiver.login)).toEqual([100]);
  });

  it('do not follow links where they say so, nor exact links', async () => {
    const all = [100, 200, 300, 400, 500];
    expect(await values(orders, 'amount', await token([orders], [{ ...acme(), propagate: false }]))).toEqual(all);
    const notes = await dataset([
      ['customer', 'pages'],
      [1, 7],
      [2, 8],
    ]);
    await link(notes, 'customer', customers, 'id', 'exact');
    expect(await values(notes, 'pages', await token([notes], [acme()]))).toEqual([7, 8]);
  });

  it('are refused where they name no dataset, or no column of it; so are hidden columns', async () => {
    const refused = (properties: object) =>
      api.refused('authorization', {
        ...{ action: 'create', properties: { type: 'embed', username: 'ada', access: uses(orders), ...properties } },
      });
    const at = (place: string) => ({
      status: 400,
      code: 'reference_unknown',
      validation: { [place]: [expect.any(String)] },
    });
    const noDataset = { ...acme(), securable_id: unknownId };
    expect(await refused({ filters: [acme(), noDataset] })).toEqual(at('properties.filters[1].column_id'));
    expect(await refused({ filters: [{ ...acme(), column_id: unknownId }] })).toEqual(
      at('properties.filters[0].column_id'),
    );
    expect(await refused({ filters: [{ ...acme(), column_id: orders.columns['id'] }] })).toEqual(
      at('properties.filters[0].column_id'),
    );
    expect(await refused({ hidden_columns: [unknownId] })).toEqual(at('properties.hidden_columns[0]'));
    const person = await api.person({ flagEditor: true });
    const linking = (filters: readonly JsonObject[]) =>
      api.refused('securable', {
        ...{ action: 'associate', id: orders.id, resource: { role: 'Users', id: person.id } },
        properties: { flagUse: true, filters },
      });
    expect(await linking([acme()])).toMatchObject({ status: 400, code: 'reference_unknown' });
    expect(await linking([filter(orders, 'none', 1)])).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  it('are unknown where they name what another organization has', async () => {
    const stranger = await api.stranger();
    const options = { header: true, name: { en: 'Theirs' } };
    const theirs = await api.create('data', { type: 'create', data: [['a'], [1]], options }, stranger.login);
    const [theirColumn] = await api.findIds('column', { where: { securable_id: theirs.id } }, stranger.login);
    const properties = { type: 'embed', username: 'ada', access: uses(orders), hidden_columns: [theirColumn ?? ''] };
    expect(await api.refused('authorization', { action: 'create', properties })).toMatchObject({
      code: 'reference_unknown',
    });
  });

  it('that were stored before and name no dataset, or hide no column, refuse every query', async () => {
    const made = await issue({ access: uses(orders, lines) });
    const lost = { ...acme(), securable_id: unknownId };
    await api.overwrite('authorization', text(made, 'id'), { filters: [lost] }, {});
    expect(await values(lines, 'price', credential(made))).toBe('row_filter_invalid');
    const hiding = await issue({ access: uses(orders, lines) });
    await api.overwrite('authorization', text(hiding, 'id'), {}, { hidden_columns: JSON.stringify([unknownId]) });
    expect(await values(orders, 'amount', credential(hiding))).toBe('row_filter_invalid');
  });

  describe('whose link, column or dataset is removed', () => {
    async function shop(): Promise<{ people: Dataset; sales: Dataset; apart: Dataset }> {
      const people = await dataset([
        ['id', 'tenant', 'secret'],
        [1, 'acme', 'x'],
        [2, 'bolt', 'y'],
      ]);
      const sales = await dataset([
        ['person', 'amount', 'margin'],
        [1, 5, 1],
        [2, 6, 2],
      ]);
      const apart = await dataset([['n'], [42]]);
      await link(sales, 'person', people, 'id');
      return { people, sales, apart };
    }

    it('refuse the datasets that looked it up until a link leads there again, and no others', async () => {
      const { people, sales, apart } = await shop();
      const by = await token([people, sales, apart], [filter(people, 'tenant', 'acme')]);
      expect(await values(sales, 'amount', by)).toEqual([5]);
      await api.dissociate('column', sales.columns['person'], 'Joins', people.columns['id']);
      expect(await values(sales, 'amount', by)).toBe('row_filter_invalid');
      expect(await values(apart, 'n', by)).toEqual([42]);
      await link(sales, 'person', people, 'id', 'exact');
      expect(await values(sales, 'amount', by)).toBe('row_filter_invalid');
      await link(sales, 'person', people, 'id');
      expect(await values(sales, 'amount', by)).toEqual([5]);
    });

    it('are not led elsewhere by somebody whom they bound', async () => {
      const { people, sales } = await shop();
      const editor = await api.person({ flagEditor: true });
      const filters = [filter(people, 'tenant', 'acme')];
      await api.associate('securable', people.id, 'Users', editor.id, { flagModify: true, filters });
      await api.associate('securable', sales.id, 'Users', editor.id, { flagModify: true });
      expect(await values(sales, 'amount', editor.login)).toEqual([5]);
      const ends = (column: string, key: string) => ({
        id: sales.columns[column],
        resource: { role: 'Joins', id: people.columns[key] },
      });
      const undo = { action: 'dissociate', ...ends('person', 'id') };
      const other = { action: 'associate', ...ends('margin', 'id') };
      const exact = { action: 'associate', ...ends('person', 'id'), properties: { type: 'exact' } };
      for (const body of [undo, other, exact])
        expect(await api.refused('column', body, editor.login)).toMatchObject({ code: 'forbidden' });
      await api.ok('column', undo);
      expect(await api.refused('column', other, editor.login)).toMatchObject({ code: 'forbidden' });
      expect(await values(sales, 'amount', editor.login)).toBe('row_filter_invalid');
    });

    it('are lifted by an owner of the dataset whom no filter bounds, and by nobody else', async () => {
      const { people, sales } = await shop();
      const by = await token([sales], [filter(people, 'tenant', 'acme')]);
      const bounded = await api.person({ flagEditor: true });
      await api.associate('securable', sales.id, 'Users', bounded.id, {
        ...{ flagOwn: true, filters: [filter(sales, 'person', 1)] },
      });
      await api.dissociate('column', sales.columns['person'], 'Joins', people.columns['id']);
      const setting = { action: 'update', id: sales.id, properties: { shared_across_tenants: true } };
      expect(await api.refused('securable', setting, bounded.login)).toMatchObject({ code: 'forbidden' });
      expect(await values(sales, 'amount', by)).toBe('row_filter_invalid');
      await api.ok('securable', setting);
      expect(await values(sales, 'amount', by)).toEqual([5, 6]);
    });

    it('refuse what they reached once the column or the dataset of the filter is deleted', async () => {
      const { people, sales, apart } = await shop();
      const by = await token([sales, apart], [filter(people, 'tenant', 'acme')]);
      await api.remove('column', people.columns['tenant']);
      expect(await values(sales, 'amount', by)).toBe('row_filter_invalid');
      await api.remove('securable', people.id);
      expect(await values(sales, 'amount', by)).toBe('row_filter_invalid');
      expect(await values(apart, 'n', by)).toEqual([42]);
    });

    it('refuse a dataset that lost a hidden column', async () => {
      const { sales, apart } = await shop();
      const by = await token([sales, apart], [], { hidden_columns: [sales.columns['margin']] });
      expect(await values(sales, 'amount', by)).toEqual([5, 6]);
      await api.remove('column', sales.columns['margin']);
      expect(await values(sales, 'amount', by)).toBe('row_filter_invalid');
      expect(await values(apart, 'n', by)).toEqual([42]);
    });
  });

  it('that are missing are told when the token is made, or refused where the organization wants that', async () => {
    const apart = await dataset([['n'], [1]]);
    const collection = await api.create('collection', { name: { en: 'Kept' } });
    await api.associate('securable', apart.id, 'Collections', collection.id);
    const given = {
      access: { ...uses(orders), collections: [{ id: collection.id, inheritRights: 'use' }] },
      filters: [acme()],
    };
    const made = await issue(given);
    expect(made['warnings']).toEqual([
      { path: 'properties.access', code: 'row_filter_missing', message: expect.stringContaining(apart.id) },
    ]);
    expect((await issue({ access: uses(lines), filters: [acme()] }))['warnings']).toBeUndefined();
    await api.update('organization', api.organizationId, { require_row_filters: true });
    const properties = { type: 'embed', username: 'ada', ...given };
    expect(await api.refused('authorization', { action: 'create', properties })).toMatchObject({
      ...{ status: 400, code: 'row_filters_required' },
      validation: { 'properties.filters': [expect.stringContaining(apart.id)] },
    });
    await api.update('securable', apart.id, { shared_across_tenants: true });
    expect((await issue(given))['warnings']).toBeUndefined();
    await api.update('organization', api.organizationId, { require_row_filters: false });
  });

  describe('over any datasets', () => {
    const names = ['id', 'tenant', 'left', 'right', 'amount'] as const;
    async function stored(schema: LinkedSchema): Promise<readonly Dataset[]> {
      const made: Dataset[] = [];
      for (const rows of schema.datasets) {
        // Text and number columns keep their types where all values are null.
        const data = rows.map((row) => names.map((name) => row[name]));
        made.push(await dataset([[...names], [-1, 'nobody', -2, -2, -3], ...data]));
      }
      for (const { from, column, to, type } of schema.links) {
        const [one, other] = [made[from], made[to]];
        if (one !== undefined && other !== undefined) await link(one, column, other, 'id', type);
      }
      return made;
    }

    it('show exactly the rows that going through them one by one shows, and none once a link is gone', async () => {
      const asked = counted(60, 10_000);
      let queries = 0;
      let bounded = 0;
      for (let seed = 1; queries < asked; seed += 1) {
        const random = randomOf(seed);
        const schema = drawSchema(random);
        const made = await stored(schema);
        const open = made.filter(() => random.below(4) > 0);
        const filters = schema.filters.flatMap(({ dataset: at, value, propagate }) => {
          const of = made[at];
          return of === undefined ? [] : [filter(of, 'tenant', value, { propagate })];
        });
        const by = await token(open, filters);
        for (const one of open) {
          const place = made.indexOf(one);
          const expected = visibleRows(schema, place).map(({ amount }) => amount);
          if (expected.length < (schema.datasets[place]?.length ?? 0)) bounded += 1;
          const sorted = expected.toSorted((left, right) => left - right);
          const found = await values(one, 'amount', by);
          const shown = isList(found) ? found.filter((amount) => amount !== -3) : found;
          expect(shown, `seed ${seed}, dataset ${place}`).toEqual(sorted);
          queries += 1;
        }
        const [gone] = schema.links.filter(({ type }) => type === 'lookup');
        const [from, to] = gone === undefined ? [] : [made[gone.from], made[gone.to]];
        if (gone === undefined || from === undefined || to === undefined) continue;
        await api.dissociate('column', from.columns[gone.column], 'Joins', to.columns['id']);
        for (const one of open) {
          const place = made.indexOf(one);
          const expected = visibleRows(schema, place).map(({ amount }) => amount);
          const found = await values(one, 'amount', by);
          // Another link may still lead there; then only its own rows count, and never more than all filters let through.
          if (!isList(found)) expect(found).toBe('row_filter_invalid');
          else if (!schema.links.some((other) => other !== gone && other.from === gone.from && other.to === gone.to))
            for (const amount of found) expect([...expected, -3], `seed ${seed}, dataset ${place}`).toContain(amount);
          queries += 1;
        }
      }
      expect(bounded).toBeGreaterThan(asked / 10);
    }, 1_800_000);
  });
});
