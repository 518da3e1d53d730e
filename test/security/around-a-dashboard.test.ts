import { randomUUID } from 'node:crypto';
import { newestContents, type Json } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { runBehind, useApi } from '../support/api.ts';
import { pushSales, salesContents } from '../support/sales-world.ts';
import { type Credential, storesToTest } from '../support/service.ts';
import { part, text } from '../support/world.ts';

/**
 * What each caller sees of the records around one dashboard and its dataset, by hand from the rules in the specification:
 * rights (levels, embed tokens), dashboards (versions), resources. `x`: sees it, `.`: does not.
 *
 * viewer: a person with read on both. share: the token of the public page. staging, none: designers of an embed token with
 * modify on the dashboard and use on the dataset, in an environment with and without a version. modifier: a person.
 */
const matrix = `
                    owner  modifier  viewer  share  staging  none
dashboard             x       x        x       x       x      .
dataset               x       x        x       x       x      x
column                x       x        x       x       x      x
formula               x       x        x       x       x      x
hierarchylevel        x       x        x       x       x      x
version               x       x        .       .       .      .
version of staging    x       x        .       .       x      .
schedule              x       x        .       .       x      .
share                 x       .        .       .       .      .
tag                   x       x        x       .       .      .
image                 x       x        x       .       .      .
airequest             x       .        .       .       .      .
collection            x       .        .       .       .      .
integration           x       x        x       .       .      .
embedfiltergroup      x       .        .       .       .      .
theme                 x       x        x       .       .      .
`;

const [head = '', ...lines] = matrix.split('\n').filter((line) => line.trim() !== '');
const actors = head.trim().split(/\s+/u);
const cells = lines.map((line) => {
  const [, record = '', marks = ''] = /^(\S+(?: \S+)*)\s{2,}(.+)$/u.exec(line) ?? [];
  return { record, seenBy: actors.filter((_, at) => marks.trim().split(/\s+/u)[at] === 'x') };
});

describe.each(storesToTest)('records around a dashboard on %s', (store) => {
  const api = useApi(store);
  const callers = new Map<string, Credential>();
  const records = new Map<string, readonly [resource: string, id: string]>();

  beforeAll(async () => {
    const dataset = await pushSales(api);
    const contents = { ...salesContents(dataset), version: newestContents };
    const dashboard = await api.create('dashboard', {
      name: { en: 'Sales' },
      contents: { ...contents, note: 'first' },
    });
    await api.update('securable', dashboard.id, { contents: { ...contents, note: 'second' } });
    await api.update('securable', dashboard.id, { contents });
    const [first = '', second = ''] = await api.findIds('dashboardversion', { order: [['created_at', 'asc']] });
    await api.update('dashboardversion', second, { environment: 'staging' });
    const share = await api.create('share', { securable_id: dashboard.id });

    const people = { modifier: { flagModify: true }, viewer: { flagRead: true } };
    for (const [name, flags] of Object.entries(people)) {
      const { id, login } = await api.person({ flagMember: true });
      for (const one of [dashboard.id, dataset.id]) await api.associate('securable', one, 'Users', id, flags);
      callers.set(name, login);
    }
    const page = await api.service.server.inject({ method: 'POST', url: `/s/${text(share, 'slug')}/token` });
    const opened: Json = JSON.parse(page.body);
    callers.set('share', { key: text(opened, 'key'), token: text(opened, 'token') });
    const access = {
      dashboards: [{ id: dashboard.id, rights: 'modify' }],
      datasets: [{ id: dataset.id, rights: 'use' }],
    };
    for (const [name, environment] of [
      ['staging', 'staging'],
      ['none', 'production'],
    ] as const)
      callers.set(name, await api.embedToken({ role: 'designer', environment, access }));
    callers.set('owner', api.owner);

    const region = dataset.columns.region;
    const own = async (resource: string, properties: object): Promise<readonly [string, string]> => [
      resource,
      (await api.create(resource, properties)).id,
    ];
    const name = { en: 'Of the dashboard' };
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    records.set('dashboard', ['securable', dashboard.id]);
    records.set('dataset', ['securable', dataset.id]);
    records.set('column', ['column', region]);
    const formula = { name, expression: `count({${region}})`, securable_id: dataset.id };
    records.set('formula', await own('formula', formula));
    records.set('hierarchylevel', await own('hierarchylevel', { name, column_id: region, level: 1 }));
    records.set('version', ['dashboardversion', first]);
    records.set('version of staging', ['dashboardversion', second]);
    records.set(
      'schedule',
      await own('schedule', { name: 'Weekly', securable_id: dashboard.id, cron: '0 8 * * 1', active: false }),
    );
    records.set('share', ['share', share.id]);
    for (const resource of ['tag', 'collection', 'integration', 'embedfiltergroup', 'theme'])
      records.set(resource, await own(resource, { name }));
    const request = randomUUID();
    await runBehind(
      api.service,
      `insert into airequest (id, organization_id, created_at, updated_at, revision, shape, record)
        select '${request}', organization_id, created_at, updated_at, 1, 1, '{"id":"${request}"}' from securable
        where id = '${dashboard.id}'`,
    );
    records.set('airequest', ['airequest', request]);
    records.set('image', await own('image', { media_type: 'image/png', data: pixel }));
  });

  it.each(cells)('are shown to those in the table alone: $record', async ({ record, seenBy }) => {
    const [resource = '', id = ''] = records.get(record) ?? [];
    const seeing: string[] = [];
    for (const actor of actors) {
      const by = callers.get(actor);
      const answer = await api.call(resource, { find: { where: { id }, attributes: ['id'] } }, by);
      const isFound = answer.status === 200 && part(answer.body, 'count') === 1;
      if (isFound) seeing.push(actor);
      // The request below is only a row of the store, which no get can serialise.
      if (resource === 'airequest') continue;
      const isRead = (await api.call(resource, { action: 'get', id }, by)).status === 200;
      expect([actor, isRead]).toEqual([actor, isFound]);
    }
    expect(seeing).toEqual(seenBy);
  });

  it('are included for those alone who find them', async () => {
    const models = ['Versions', 'Schedule', 'Share', 'Tags', 'Collections', 'Integrations', 'EmbedFilterGroups'];
    const [, dashboard = ''] = records.get('dashboard') ?? [];
    for (const actor of actors) {
      const by = callers.get(actor);
      for (const model of models) {
        const find = { where: { id: dashboard }, include: [{ model }] };
        const answer = await api.call('securable', { find }, by);
        if (answer.status !== 200) continue;
        const found = JSON.stringify(answer.body);
        for (const { record, seenBy } of cells) {
          const [resource = '', id = ''] = records.get(record) ?? [];
          if (resource === 'securable' || id === '' || seenBy.includes(actor)) continue;
          expect([actor, model, record, found.includes(id)]).toEqual([actor, model, record, false]);
        }
      }
    }
  });
});
