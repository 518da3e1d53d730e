import {
  embedRoles,
  featureNames,
  featureOf,
  featuresOf,
  listOr,
  objectOr,
  type Feature,
  type JsonObject,
} from '@inlay/contract';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { FeatureUse, Operation } from '../../packages/service/src/declare/declaration.ts';
import { resources } from '../../packages/service/src/resources/index.ts';
import type { SalesDataset } from '../browser/sales.ts';
import { useApi } from '../support/api.ts';
import { askedFilter, pushSales, salesContents } from '../support/sales-world.ts';
import { storesToTest, type Credential } from '../support/service.ts';
import { text } from '../support/world.ts';

/** One place that a feature governs: an operation of a resource, or a part of it. */
interface Cell {
  readonly name: string;
  readonly feature: Feature;
  readonly resource: string;
  readonly operation: Operation;
}

const cells: readonly Cell[] = resources.flatMap((resource) =>
  (resource.features ?? []).flatMap(({ feature, on, of = resource.name, what }: FeatureUse) =>
    on.map((operation) => ({
      name: [feature, of, operation, ...(what === undefined ? [] : [what])].join(' '),
      feature,
      resource: resource.variety?.paths === true ? of : resource.name,
      operation,
    })),
  ),
);

test('each feature with effect has a place that needs it', () => {
  const governing = new Set(cells.map(({ feature }) => feature));
  expect(featureNames.filter((name) => !governing.has(name))).toEqual(
    featureNames.filter((name) => featureOf(name)?.withoutEffect === true),
  );
});

test('the nearest word wins, and in one list the word that takes away', () => {
  expect(featuresOf('viewer', [['!drill'], ['drill']])).toContain('drill');
  expect(featuresOf('viewer', [['!drill'], [], ['drill', '!drill']])).not.toContain('drill');
  expect(featuresOf('viewer', [['edit_limited', 'nothing'], []])).toContain('edit_limited');
  expect(featuresOf('somebody', [])).toEqual(featuresOf('viewer', []));
  for (const role of embedRoles) expect(featuresOf(role, [])).not.toContain('edit_limited');
});

describe.each(storesToTest)('features of embed tokens on %s', (store) => {
  const api = useApi(store);
  let dataset: SalesDataset;
  let issuer: Credential;
  let collection: string;
  let place: string;

  const contents = (): JsonObject => salesContents(dataset);
  const withTitle = (): JsonObject =>
    JSON.parse(JSON.stringify(contents()).replaceAll('"en":"Regions"', '"en":"Areas"'));
  const withFormula = (formula: string): JsonObject => {
    const item = {
      id: 'n',
      type: 'conditional-number',
      position: { col: 0, row: 0, sizeX: 9, sizeY: 9 },
      slots: [{ name: 'measure', content: [{ datasetId: dataset.id, formula }] }],
    };
    return { ...contents(), views: [...listOr(contents()['views']), { screenModus: 'mobile', items: [item] }] };
  };
  const moved = (): JsonObject => JSON.parse(JSON.stringify(contents()).replaceAll('"col":0', '"col":1'));

  /** Records of their own for one cell, so that what is changed or deleted matters to no other. */
  async function recordsFor() {
    const dashboard = await api.create('dashboard', { contents: contents() });
    await api.associate('dashboard', dashboard.id, 'Collections', collection);
    const expression = `sum({${dataset.columns.revenue}})`;
    const formula = await api.create('formula', { securable_id: dataset.id, name: { en: 'F' }, expression });
    return { dashboard: dashboard.id, formula: formula.id, expression };
  }
  type Records = Awaited<ReturnType<typeof recordsFor>>;

  /** A request that needs the feature of its cell, and what it is answered where the feature is on. */
  interface Attempt {
    readonly body: object;
    /** The code of the refusal; undefined for 200. */
    readonly code?: string;
    readonly others?: readonly string[];
  }
  const sum = () => ({ dataset_id: dataset.id, column_id: dataset.columns.revenue, aggregation: { type: 'sum' } });
  const years = (level: number) => ({
    dimensions: [{ dataset_id: dataset.id, column_id: dataset.columns.day, level }],
    measures: [sum()],
  });
  const create = (properties: object, code?: string): Attempt => ({
    body: { action: 'create', properties },
    ...(code === undefined ? {} : { code }),
  });
  const update = (id: string, properties: object, others: readonly string[] = []): Attempt => ({
    body: { action: 'update', id, properties },
    others,
  });
  const link = (action: 'associate' | 'dissociate', id: string, role: string, other: string): Attempt => ({
    body: { action, id, resource: { role, id: other } },
  });
  const item = (dashboard: string, item_id: string) => ({ dashboard_id: dashboard, item_id });
  const share = async ({ dashboard }: Records) => text(await api.create('share', { securable_id: dashboard }), 'id');
  const schedule = async ({ dashboard }: Records) =>
    text(await api.create('schedule', { securable_id: dashboard, cron: '0 7 * * 1' }), 'id');
  const version = async ({ dashboard }: Records) => {
    await api.update('dashboard', dashboard, { contents: moved() });
    return text((await api.find('dashboardversion', { where: { securable_id: dashboard } }))[0], 'id');
  };
  const draft = async ({ dashboard }: Records) =>
    text(await api.create('dashboardversion', { securable_id: dashboard }, await token([])), 'id');
  const exportOf =
    (type: string, more: object = {}) =>
    ({ dashboard }: Records): Attempt =>
      create({ type, ...item(dashboard, 'Regions'), width: 300, ...more });

  const attempts: Readonly<Record<string, (records: Records) => Attempt | Promise<Attempt>>> = {
    'view dashboard get': ({ dashboard }) => ({ body: { action: 'get', id: dashboard } }),
    'view dashboard update': ({ dashboard }) => update(dashboard, { contents: moved() }),
    'view dashboard delete': ({ dashboard }) => ({ body: { action: 'delete', id: dashboard } }),
    'view dashboardversion get': async (records) => ({ body: { action: 'get', id: await version(records) } }),
    'view dashboardversion update': async (records) => update(await version(records), { name: 'V' }),
    'view dashboardversion create': ({ dashboard }) => create({ securable_id: dashboard }),
    'view dashboardversion delete': async (records) => ({ body: { action: 'delete', id: await draft(records) } }),
    'view appearance get of a dashboard': ({ dashboard }) => ({ body: { find: { dashboard_id: dashboard } } }),
    'view data get for queries of stored items': ({ dashboard }) => ({ body: { find: item(dashboard, 'Regions') } }),
    'view export create of a dashboard': exportOf('csv'),
    ...Object.fromEntries(
      ['svg', 'png', 'pdf', 'csv', 'xlsx'].map((type) => [
        `export_${type} export create of type \`${type}\``,
        exportOf(type),
      ]),
    ),
    'export_ndjson export create of type `ndjson`': () => create({ type: 'ndjson', query: years(1) }),
    'drill export create with `steps`': exportOf('csv', {
      item_id: 'Years',
      steps: [
        {
          item_id: 'Years',
          column_id: 'day',
          level: 2,
          filter: { expression: '? = ?', parameters: [{ dataset_id: 'd', column_id: 'c' }, 1] },
        },
      ],
    }),
    'drill data get for finer levels than those of the stored item, and for free queries': ({ dashboard }) => ({
      body: { find: { ...item(dashboard, 'Years'), ...years(2) } },
    }),
    'edit_filters export create with `filters` or `parameters`': ({ dashboard }) =>
      create({
        type: 'csv',
        ...item(dashboard, 'Regions'),
        filters: [askedFilter(dataset, 'region', '? = ?', 'Asia')],
      }),
    'edit_filters data get for filters and parameters that the stored item does not have, and for free queries': ({
      dashboard,
    }) => ({
      body: { find: { ...item(dashboard, 'Regions'), where: [askedFilter(dataset, 'region', '? = ?', 'Asia')] } },
    }),
    'formulas data get for free queries with the text of a formula': ({ expression }) => ({
      body: { find: { measures: [{ dataset_id: dataset.id, formula: expression }] } },
    }),
    'formulas formula create': ({ expression }) => create({ securable_id: dataset.id, name: { en: 'G' }, expression }),
    'formulas formula update': ({ formula }) => update(formula, { name: { en: 'H' } }),
    'formulas formula delete': ({ formula }) => ({ body: { action: 'delete', id: formula } }),
    'formulas formula associate': ({ formula }) => link('associate', formula, 'Securable', dataset.id),
    'formulas formula dissociate': ({ formula }) => ({
      ...link('dissociate', formula, 'Securable', dataset.id),
      code: 'association_required',
    }),
    'formulas column create with an `expression`': ({ expression }) =>
      create({ securable_id: dataset.id, name: { en: 'C' }, type: 'numeric', expression }),
    'formulas column update with an `expression`': ({ expression }) =>
      update(dataset.columns.quantity, { expression: expression.replace('sum', 'max') }),
    'formulas dashboard create of formulas in `contents`': ({ expression }) =>
      create({ contents: withFormula(expression) }),
    'formulas dashboard update of formulas in `contents`': ({ dashboard, expression }) =>
      update(dashboard, { contents: withFormula(expression) }),
    'ai_questions aichart create': () =>
      create({ dataset_id: dataset.id, type: 'generate-chart', question: 'revenue by region' }),
    'ai_questions iqformula create': () => create({ prompt: 'revenue divided by quantity', dataset_ids: [dataset.id] }),
    'ai_questions generatedescriptions create': () => create({ datasets: [dataset.id] }, 'forbidden'),
    'share share create': ({ dashboard }) => create({ securable_id: dashboard }),
    'share share update': async (records) => update(await share(records), { active: false }),
    'share share delete': async (records) => ({ body: { action: 'delete', id: await share(records) } }),
    'share share associate': async (records) => link('associate', await share(records), 'Securable', records.dashboard),
    'share share dissociate': async (records) => ({
      ...link('dissociate', await share(records), 'Securable', records.dashboard),
      code: 'association_required',
    }),
    'edit_full dashboard create': () => create({ contents: contents() }),
    'edit_full dashboard update beyond `edit_limited`': ({ dashboard }) => update(dashboard, { contents: withTitle() }),
    'edit_full dashboard delete': ({ dashboard }) => ({ body: { action: 'delete', id: dashboard } }),
    'edit_full dashboard associate': ({ dashboard }) => link('associate', dashboard, 'Datasets', dataset.id),
    'edit_full dashboard dissociate': ({ dashboard }) => link('dissociate', dashboard, 'Datasets', dataset.id),
    'edit_full published update': async (records) => update(await version(records), { name: 'V' }),
    'edit_full schedule create': ({ dashboard }) => create({ securable_id: dashboard, cron: '0 7 * * 1' }),
    'edit_full schedule update': async (records) => update(await schedule(records), { name: 'S' }),
    'edit_full schedule delete': async (records) => ({ body: { action: 'delete', id: await schedule(records) } }),
    'edit_full schedule associate': async (records) =>
      link('associate', await schedule(records), 'Securable', records.dashboard),
    'edit_full schedule dissociate': async (records) => ({
      ...link('dissociate', await schedule(records), 'Securable', records.dashboard),
      code: 'association_required',
    }),
    ...Object.fromEntries(
      (['edit_full', 'edit_limited'] as const).flatMap((feature) => {
        const what = feature === 'edit_full' ? 'without `edit_limited`' : 'without `edit_full`';
        const others = feature === 'edit_full' ? [] : ['!edit_full'];
        return [
          [
            `${feature} draft create ${what}`,
            ({ dashboard }: Records) => ({ ...create({ securable_id: dashboard }), others }),
          ],
          [
            `${feature} draft update ${what}`,
            async (records: Records) => update(await draft(records), { name: 'D' }, others),
          ],
          [
            `${feature} draft delete ${what}`,
            async (records: Records) => ({ body: { action: 'delete', id: await draft(records) }, others }),
          ],
        ] as const;
      }),
    ),
    'edit_limited dashboard update of layout and look, and of type and filters with *use* on the datasets': ({
      dashboard,
    }) => update(dashboard, { contents: moved() }, ['!edit_full']),
  };

  const token = (feature_overrides: readonly string[], more: object = {}): Promise<Credential> => {
    const access = {
      collections: [{ id: collection, inheritRights: 'own' }],
      datasets: [{ id: dataset.id, rights: 'own' }],
    };
    return api.embedToken({ role: 'owner', access, feature_overrides, ...more }, issuer);
  };

  beforeAll(async () => {
    dataset = await pushSales(api);
    issuer = await api.apiToken(api.owner);
    collection = text(await api.create('collection', { name: { en: 'All' } }), 'id');
    place = text(await api.create('integration', { name: { en: 'Place' } }), 'id');
    await api.update('organization', api.organizationId, { flag_experimental_ai: true });
  });

  it('have an attempt for each place that a feature governs', () => {
    expect(cells.map(({ name }) => name).toSorted()).toEqual(Object.keys(attempts).toSorted());
  });

  it.each(cells)('$name: is refused where it is off, and answered where it is on', async ({ name, ...cell }) => {
    const { feature, resource } = cell;
    const attempt = attempts[name];
    if (attempt === undefined) throw new Error(`no attempt for ${name}`);
    const records = await recordsFor();
    const { body, code, others = [] } = await attempt(records);
    const placed = await token(others, { integration_id: place });
    const plain = await token(others);
    const refuse = async (by: Credential, where: string): Promise<void> => {
      const answer = await api.call(resource, body, by);
      // Without the limited editing there is only the full one to name.
      const named = feature === 'edit_limited' ? 'edit_full' : feature;
      const role = code === 'forbidden' ? 'forbidden' : 'feature_off';
      expect([where, answer.status, text(answer.body, 'code')]).toEqual([where, 403, role]);
      if (role === 'feature_off') expect(text(answer.body, 'message')).toContain(`"${named}"`);
    };
    await refuse(await token([...others, `!${feature}`]), 'token');
    await api.update('integration', place, { feature_overrides: [`!${feature}`] });
    await refuse(placed, 'integration');
    await api.update('integration', place, { feature_overrides: [] });
    await api.update('organization', api.organizationId, { feature_overrides: [`!${feature}`] });
    await refuse(plain, 'organization');
    await api.update('organization', api.organizationId, { feature_overrides: [feature] });
    const answer = await api.call(resource, body, plain);
    await api.update('organization', api.organizationId, { feature_overrides: [] });
    expect([answer.status === 200 ? undefined : text(answer.body, 'code')]).toEqual([code]);
  });

  it('hold for queries that name no item, which need drill and filters', async () => {
    const { dashboard } = await recordsFor();
    for (const feature of ['drill', 'edit_filters']) {
      const by = await token([`!${feature}`]);
      expect((await api.refused('data', { find: years(1) }, by)).validation).toEqual({
        find: [`needs the feature "${feature}"`],
      });
      expect((await api.call('data', { find: item(dashboard, 'Regions') }, by)).status).toBe(200);
    }
  });

  it('are answered by the appearance of a dashboard, as far as rights let them do anything', async () => {
    const { dashboard } = await recordsFor();
    const featuresFor = async (by: Credential) =>
      objectOr(await api.ok('appearance', { find: { dashboard_id: dashboard } }, by))['features'];
    const known = featureNames.filter((name) => featureOf(name)?.withoutEffect !== true);
    const own = known.filter((name) => name !== 'edit_limited');
    expect(await featuresFor(await token([]))).toEqual(own);
    expect(await featuresFor(api.owner)).toEqual(known);
    const reader = { access: { dashboards: [{ id: dashboard, rights: 'read' }] } };
    expect(await featuresFor(await token(['!drill', '!export_pdf'], reader))).toEqual(
      own.filter((name) => name === 'view' || name === 'edit_filters' || /^export_(?!pdf)/u.test(name)),
    );
  });

  it('include formulas for whoever changes the dashboard, as its contents have formulas of their own', async () => {
    const { dashboard } = await recordsFor();
    const by = await token([], {
      access: {
        dashboards: [{ id: dashboard, rights: 'modify' }],
        datasets: [{ id: dataset.id, rights: 'use' }],
      },
    });
    const answer = await api.ok('appearance', { find: { dashboard_id: dashboard } }, by);
    expect(objectOr(answer)['features']).toContain('formulas');
  });

  it('leave people alone', async () => {
    await api.update('organization', api.organizationId, { feature_overrides: featureNames.map((name) => `!${name}`) });
    const { dashboard } = await recordsFor();
    for (const by of [api.owner, issuer])
      expect((await api.call('dashboard', { action: 'get', id: dashboard }, by)).status).toBe(200);
    await api.update('organization', api.organizationId, { feature_overrides: [] });
  });

  it('without view, lists have no contents', async () => {
    const { dashboard } = await recordsFor();
    const by = await token(['!view']);
    const [row] = await api.find('securable', { where: { id: dashboard } }, by);
    expect(row).toMatchObject({ id: dashboard, contents: null });
    expect((await api.refused('dashboard', { find: {} }, by)).code).toBe('feature_off');
  });
});
