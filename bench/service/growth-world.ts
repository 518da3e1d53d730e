import { isList, isObject, type Json } from '@inlay/contract';
import { marks, type Copies } from './fill.ts';
import { post } from './load.ts';
import { contents, type Seeded } from './seed.ts';

/** What a store is asked, by the name of the measurement. */
export type Requests = Readonly<Record<string, readonly Buffer[]>>;

/** A seeded organization with one record of each kind to copy, and what is asked of it. */
export interface GrowthWorld {
  readonly templates: Readonly<Record<'securable' | 'group' | 'user' | 'authorization', string>>;
  readonly requests: Requests;
}

const textOf = (value: Json | undefined, member: string): string =>
  isObject(value) && typeof value[member] === 'string' ? value[member] : '';
const rowsOf = (value: Json): readonly Json[] => (isObject(value) && isList(value['rows']) ? value['rows'] : []);

const data: readonly (readonly (string | number)[])[] = [
  ['region', 'product', 'revenue'],
  ...Array.from({ length: 200 }, (_, at) => [`region ${at % 8}`, `product ${at % 25}`, at]),
];

/** Makes the records over HTTP; both stores to compare get the same. */
export async function growthWorld(port: number, { key, token, ids }: Seeded): Promise<GrowthWorld> {
  const owner = `Bearer ${key}:${token}`;
  const call = async (resource: string, body: object): Promise<Json> => {
    const answer = await fetch(`http://127.0.0.1:${port}/0.1.0/${resource}`, {
      method: 'POST',
      headers: { authorization: owner, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const body_: Json = JSON.parse(await answer.text());
    if (!answer.ok) throw new Error(`${resource}: ${JSON.stringify(body_)}`);
    return body_;
  };
  const make = async (resource: string, properties: object): Promise<Json> => call(resource, { properties });
  const pushed = await call('data', {
    action: 'create',
    properties: { type: 'create', data, options: { header: true, name: { en: 'Sales' } } },
  });
  const dataset = textOf(rowsOf(pushed)[0], 'id');
  const columns = rowsOf(await call('column', { find: { where: { securable_id: dataset } } }));
  const column = (name: string): object => ({
    dataset_id: dataset,
    column_id: textOf(
      columns.find((one) => textOf(one, 'source_name') === name),
      'id',
    ),
  });
  const [dashboard = ''] = ids;
  const tokenFor = (username: string, suborganization: string): Promise<Json> =>
    make('authorization', {
      type: 'embed',
      role: 'viewer',
      username,
      suborganization,
      access: { dashboards: [{ id: dashboard, rights: 'read' }], datasets: [{ id: dataset, rights: 'use' }] },
      filters: [{ expression: '? in ?', parameters: [column('region'), ['region 1', 'region 2']] }],
    });
  const suborganization = `tenant-${marks.suborganization}`;
  const viewer = await tokenFor('viewer', 'tenant-of-viewer');
  const group = await make('group', { name: { en: `Group ${marks.copy}` } });
  const user = await make('user', {
    name: `Person ${marks.copy}`,
    email: `person-${marks.copy}@example.com`,
    suborganization,
  });
  const people = await Promise.all(
    [...Array(20).keys()].map((at) => make('user', { name: `Wilhelmina ${at}`, email: `w${at}@example.com` })),
  );
  const template = await tokenFor(`person-${marks.copy}`, suborganization);
  const copied = await make('securable', {
    type: 'dashboard',
    name: { en: `Copied ${marks.copy}` },
    contents: contents(),
  });
  const as = (who: string, resource: string, body: object): Buffer =>
    post(`/0.1.0/${resource}`, JSON.stringify(body), who);
  const asOwner = (resource: string, body: object): readonly Buffer[] => [as(owner, resource, body)];
  const embed = `Bearer ${textOf(viewer, 'id')}:${textOf(viewer, 'token')}`;
  return {
    templates: {
      securable: textOf(copied, 'id'),
      group: textOf(group, 'id'),
      user: textOf(user, 'id'),
      authorization: textOf(template, 'id'),
    },
    requests: {
      'get a dashboard': ids.slice(0, 200).map((id) => as(owner, 'securable', { action: 'get', id })),
      'get a person': people.map((one) => as(owner, 'user', { action: 'get', id: textOf(one, 'id') })),
      'get as an embed token': [as(embed, 'securable', { action: 'get', id: dashboard })],
      'search dashboards by name': asOwner('securable', { find: { search: { keyphrase: 'needle' }, limit: 50 } }),
      'search people by name': asOwner('user', { find: { search: { keyphrase: 'wilhelmina' }, limit: 20 } }),
      'tokens of a user name': asOwner('authorization', { find: { where: { username: 'viewer' }, limit: 20 } }),
      'tokens of a suborganization': asOwner('authorization', {
        find: { where: { suborganization: 'tenant-of-viewer' }, limit: 20 },
      }),
      'first 20 people': asOwner('user', { find: { limit: 20, count: false } }),
      'next 20 people': asOwner('user', {
        find: { where: { id: { gt: textOf(people[3], 'id') } }, order: [['id', 'asc']], limit: 20, count: false },
      }),
      'embed query': [
        as(embed, 'data', {
          action: 'get',
          find: { queries: [{ dimensions: [column('product')], measures: [column('revenue')] }] },
        }),
      ],
      appearance: [as(embed, 'appearance', { action: 'get', find: { dashboard_id: dashboard } })],
    },
  };
}

/** How many copies of each record. */
export const copiesOf = (
  { templates }: GrowthWorld,
  counts: Readonly<Record<keyof GrowthWorld['templates'], number>>,
): readonly Copies[] =>
  (['securable', 'group', 'user', 'authorization'] as const).map((table) => ({
    table,
    template: templates[table],
    copies: counts[table],
  }));
