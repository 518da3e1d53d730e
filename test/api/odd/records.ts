import { isList, type Json } from '@inlay/contract';
import type { Api } from '../../support/api.ts';
import { part, text } from '../../support/world.ts';

/** Returns the records that an odd request names as `<dataset>`, `<amount>` and so on: what stands for each name. */
export async function oddRecords(api: Api): Promise<Readonly<Record<string, string>>> {
  const make = async (resource: string, properties: object): Promise<string> =>
    (await api.create(resource, properties)).id;
  const dataset = await make('data', {
    data: [
      ['region', 'amount', 'day'],
      ['North', 12.5, '2020-01-31'],
    ],
    options: { header: true, name: { en: 'Sales' } },
  });
  const [{ columns = [] } = {}] = await api.find('dataset', {
    where: { id: dataset },
    include: [{ model: 'Columns' }],
  });
  const columnNamed = (name: string): string =>
    text(isList(columns) ? columns.find((column) => part(column, 'source_name') === name) : {}, 'id');
  const [region, amount, day] = [columnNamed('region'), columnNamed('amount'), columnNamed('day')];
  const slots: Json = [{ name: 'measure', content: [{ columnId: amount, datasetId: dataset }] }];
  const views: Json = [{ screenModus: 'desktop', items: [{ id: 'total', type: 'evolution-number', slots }] }];
  const dashboard = await make('dashboard', { name: { en: 'Sales' }, contents: { views } });
  const { key: embedKey, token: embedToken } = await api.embedToken({
    access: { dashboards: [{ id: dashboard, rights: 'read' }], datasets: [{ id: dataset, rights: 'read' }] },
  });
  const member = await api.person({ flagMember: true });
  return {
    dataset,
    region,
    amount,
    day,
    dashboard,
    embedKey,
    embedToken,
    ...api.owner,
    memberKey: member.login.key,
    memberToken: member.login.token,
    member: member.id,
    organization: api.organizationId,
    owner: api.userId,
    account: await make('account', { name: 'Warehouse', provider: 'postgresql', host: 'db.example', port: '5432' }),
    tag: await make('tag', { name: { en: 'Tag' } }),
    group: await make('group', { name: { en: 'Group' } }),
    collection: await make('collection', { name: { en: 'Collection' } }),
  };
}

/** Returns the value with the ids of records in place of their names. */
export const withRecords = (value: string, records: Readonly<Record<string, string>>): string =>
  value.replaceAll(/<(\w+)>/gu, (name, record: string) => records[record] ?? name);
