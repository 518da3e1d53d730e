import { newestContents, type JsonObject } from '@inlay/contract';
import { apply, DashboardModel, diff, invert } from '@inlay/contract/change';
import { beforeAll, describe, expect, it } from 'vitest';
import { rowsOf, runBehind, useApi } from '../support/api.ts';
import { storesToTest, type Credential } from '../support/service.ts';
import { part, text } from '../support/world.ts';

const contents = (step: number): JsonObject => ({ version: newestContents, views: [], step });
const at = '2026-07-01T09:30:00.000Z';
const path = 'dashboardversion';

describe.each(storesToTest)('drafts on %s', (store) => {
  const api = useApi(store);
  let issuer: Credential;
  let dashboard: string;

  const token = (username: string | null, suborganization: string | null, more: object = {}): Promise<Credential> =>
    api.embedToken(
      {
        username,
        ...(suborganization === null ? {} : { suborganization }),
        role: 'designer',
        access: { dashboards: [{ id: dashboard, rights: 'modify' }] },
        ...more,
      },
      issuer,
    );
  const draftOf = (by?: Credential, more: object = {}) => api.create(path, { securable_id: dashboard, ...more }, by);
  const modifier = async (): Promise<Credential> => {
    const person = await api.person({ flagMember: true });
    await api.associate('securable', dashboard, 'Users', person.id, { flagModify: true });
    return person.login;
  };
  const etagOf = async (resource: string, id: string, by?: Credential): Promise<string> =>
    String((await api.call(resource, { action: 'get', id }, by)).headers['etag']);

  beforeAll(async () => {
    issuer = await api.apiToken(api.owner);
    dashboard = (await api.create('dashboard', { contents: contents(1) })).id;
    await api.update('dashboard', dashboard, { contents: contents(2) });
  });

  it('begin with the contents and the ETag of their dashboard, and are checked and warned of as those are', async () => {
    const by = await token('begin', 'a');
    const made = await draftOf(by);
    expect(made).toMatchObject({
      state: 'draft',
      contents: contents(2),
      based_on: await etagOf('dashboard', dashboard),
      steps: [],
      user_id: null,
      suborganization: 'a',
      username: 'begin',
      name: null,
      environment: null,
    });
    const own = await draftOf();
    expect(own).toMatchObject({ user_id: api.userId, username: null, suborganization: null });
    const item = { id: 'x', type: 'no-such-chart', position: { col: 0, row: 0, sizeX: 1, sizeY: 1 } };
    const odd = { version: newestContents, views: [{ screenModus: 'desktop', items: [item] }] };
    const warned = await api.update(path, own.id, { contents: odd });
    expect(warned['warnings']).toEqual((await api.update('dashboard', dashboard, { contents: odd }))['warnings']);
    expect(warned['warnings']).not.toBe(undefined);
    await api.update('dashboard', dashboard, { contents: contents(2) });
    const wrong = {
      contents: { version: newestContents, views: [{ screenModus: 'desktop' }, { screenModus: 'desktop' }] },
    };
    expect((await api.refused(path, { id: own.id, properties: wrong })).validation).toEqual(
      (await api.refused('dashboard', { id: dashboard, properties: wrong })).validation,
    );
    expect((await api.refused(path, { id: own.id, properties: { environment: 'x' } })).code).toBe('field_read_only');
    expect((await api.refused(path, { id: own.id, properties: { state: 'published' } })).code).toBe('field_read_only');
    expect((await api.refused(path, { properties: { securable_id: dashboard, state: 'published' } })).status).toBe(400);
    await api.remove(path, own.id);
    await api.remove(path, made.id, by);
  });

  it('are seen, changed and deleted by their writer alone, whoever else may modify the dashboard', async () => {
    const ada = await token('ada', 'a');
    const draft = await draftOf(ada, { contents: contents(9), name: 'Secret plan', steps: [{ change: [], at }] });
    const viewer = { role: 'viewer', access: { dashboards: [{ id: dashboard, rights: 'read' }] } };
    const admin = await api.person({ flagAdmin: true });
    const others: Readonly<Record<string, Credential>> = {
      'the issuer of the token': issuer,
      'the owner of dashboard and organization': api.owner,
      'an admin': admin.login,
      'a person with modify': await modifier(),
      'another end user of the tenant': await token('bob', 'a'),
      'the same name in another tenant': await token('ada', 'b'),
      'a tenant of the same name': await token('a', 'ada'),
      'a token without a username': await token(null, 'a'),
      'a token of the issuer without both': await token(null, null),
      'a viewer of the same name': await token('ada', 'a', viewer),
      'a token of the environment': await token('ada', 'a', { environment: 'production' }),
      'another organization': (await api.stranger()).login,
    };
    const before = await api.get(path, draft.id, ada);
    for (const [who, by] of Object.entries(others)) {
      const found: unknown[] = [];
      for (const find of [
        {},
        { where: { state: 'draft' } },
        { where: { id: draft.id } },
        { where: { name: { like: '%Secret%' } } },
        { where: { name: 'Secret plan' } },
        { where: { securable_id: dashboard, username: 'ada' } },
        { search: { keyphrase: 'Secret plan' } },
        { order: [['updated_at', 'desc']], attributes: ['id', 'steps'] },
      ]) {
        const answer = await api.call(path, { find }, by);
        if (answer.status === 200)
          found.push(...rowsOf(answer.body).filter((row) => row['state'] !== 'published' && row['id'] === draft.id));
        if (JSON.stringify(find) !== '{}' && !('order' in find) && answer.status === 200)
          expect([who, find, part(answer.body, 'count')]).toEqual([who, find, 0]);
      }
      const withVersions = await api.call(
        'securable',
        { find: { where: { id: dashboard }, include: [{ model: 'Versions' }] } },
        by,
      );
      expect([who, JSON.stringify(withVersions.body).includes(draft.id), found]).toEqual([who, false, []]);
      const answers = await Promise.all(
        [
          { action: 'get', id: draft.id },
          { action: 'update', id: draft.id, properties: { contents: contents(0) } },
          { action: 'update', id: draft.id, properties: { name: 'Seen', username: 'ada' } },
          { action: 'delete', id: draft.id },
        ].map((body) => api.call(path, body, by)),
      );
      expect([who, answers.map(({ status }) => status)]).toEqual([who, [404, 404, 404, 404]]);
    }
    const { request_id: _one, ...unchanged } = await api.get(path, draft.id, ada);
    const { request_id: _other, ...expected } = before;
    expect(unchanged).toEqual(expected);
    const again = await token('ada', 'a');
    expect(await api.get(path, draft.id, again)).toMatchObject({ contents: contents(9) });
    await api.update(path, draft.id, { name: 'Renamed' }, again);
    await api.remove(path, draft.id, again);
  });

  it('are no version to those who read, export or share the dashboard, nor to the list of versions', async () => {
    const marked = { version: newestContents, views: [], step: 'of-the-draft' };
    const draft = await draftOf(undefined, { contents: marked });
    const [kept] = await api.findIds(path, { where: { securable_id: dashboard, state: 'published' } });
    await api.update(path, String(kept), { environment: 'live' });
    const inside = await token('eve', 'e', { environment: 'live' });
    const share = await api.create('share', { securable_id: dashboard });
    const opened = await api.service.server.inject({
      method: 'POST',
      url: `/s/${text(share, 'slug')}/token`,
      headers: { 'content-type': 'application/json' },
      payload: '{}',
    });
    const view: unknown = JSON.parse(opened.body);
    const viewer = { key: text(view, 'key'), token: text(view, 'token') };
    const answers = [
      await api.call('appearance', { find: { dashboard_id: dashboard } }, inside),
      await api.call('appearance', { find: { dashboard_id: dashboard } }),
      await api.call(path, { find: {} }, inside),
      await api.call('appearance', { find: { dashboard_id: dashboard } }, viewer),
      await api.call(path, { find: {} }, viewer),
    ];
    for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(/of-the-draft/u);
    // The draft is newer than any version, and a rename keeps no second copy all the same.
    const count = async () =>
      (await api.findIds(path, { where: { securable_id: dashboard, state: 'published' } })).length;
    const before = await count();
    await api.update('dashboard', dashboard, { name: { en: 'One' } });
    const after = await count();
    await api.update('dashboard', dashboard, { name: { en: 'Two' } });
    expect([after - before <= 1, await count()]).toEqual([true, after]);
    await api.remove(path, draft.id);
  });

  it('end with the right to modify, and come back with it', async () => {
    const person = await api.person({ flagMember: true });
    await api.associate('securable', dashboard, 'Users', person.id, { flagModify: true });
    const draft = await draftOf(person.login);
    await api.associate('securable', dashboard, 'Users', person.id, { flagUse: true, flagModify: false });
    for (const body of [{ action: 'get' }, { action: 'update', properties: { name: 'x' } }, { action: 'delete' }])
      expect((await api.refused(path, { ...body, id: draft.id }, person.login)).status).toBe(404);
    expect((await api.refused(path, { properties: { securable_id: dashboard } }, person.login)).status).toBe(403);
    await api.associate('securable', dashboard, 'Users', person.id, { flagModify: true });
    expect((await api.get(path, draft.id, person.login))['id']).toBe(draft.id);
    await api.remove('user', person.id);
    expect(await api.findIds(path, { where: { id: draft.id } })).toEqual([]);
  });

  it('end for a token with the rights of its issuer', async () => {
    const owner = await api.person({ flagOwner: true });
    await api.associate('securable', dashboard, 'Users', owner.id, { flagOwner: true });
    const by = await api.embedToken(
      { username: 'ida', role: 'designer', access: { dashboards: [{ id: dashboard, rights: 'modify' }] } },
      await api.apiToken(owner.login),
    );
    const draft = await draftOf(by);
    await api.associate('securable', dashboard, 'Users', owner.id, {
      flagRead: true,
      flagUse: false,
      flagModify: false,
      flagOwner: false,
    });
    expect((await api.refused(path, { action: 'get', id: draft.id }, by)).status).toBe(404);
    expect((await api.refused(path, { id: draft.id, properties: { name: 'x' } }, by)).status).toBe(404);
    // The draft belongs to the end user, so a token of another issuer opens it again.
    expect((await api.get(path, draft.id, await token('ida', null)))['id']).toBe(draft.id);
  });

  it('belong to somebody: a token without a username has none', async () => {
    for (const by of [await token(null, null), await token(null, 'a')])
      expect((await api.refused(path, { properties: { securable_id: dashboard } }, by)).status).toBe(403);
  });

  it('are one per writer and dashboard, however many requests race', async () => {
    const by = await token('racer', 'a');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.call(path, { properties: { securable_id: dashboard } }, by)),
    );
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 400),
    ]);
    const refused = answers.filter(({ status }) => status === 400).map(({ body }) => text(body, 'code'));
    expect(new Set(refused)).toEqual(new Set(['draft_exists']));
    expect((await api.find(path, { where: { state: 'draft' } }, by)).length).toBe(1);
    const other = (await api.create('dashboard', {})).id;
    expect((await api.create(path, { securable_id: other })).id).not.toBe('');
    await api.remove('dashboard', other);
  });

  it('are refused on an old ETag, as dashboards are, and only one of two saves on the same ETag is kept', async () => {
    const by = await token('saver', 'a');
    const draft = await draftOf(by);
    for (const [resource, id] of [
      [path, draft.id],
      ['dashboard', dashboard],
    ] as const) {
      const etag = await etagOf(resource, id, by);
      const save = (step: number) =>
        api.call(resource, { id, properties: { contents: contents(step) } }, by, { 'if-match': etag });
      const saves = await Promise.all([save(20), save(21)]);
      expect(saves.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 409]);
      const [made] = saves.filter(({ status }) => status === 200);
      expect(made?.headers['etag']).toBe(await etagOf(resource, id, by));
      expect((await save(22)).status).toBe(409);
    }
    // What a draft is based on tells that the dashboard has changed since.
    const stale = { 'if-match': text(draft, 'based_on') };
    const publish = { id: dashboard, properties: { contents: contents(23) } };
    expect((await api.call('dashboard', publish, by, stale)).status).toBe(409);
    await api.update(path, draft.id, { based_on: await etagOf('dashboard', dashboard, by) }, by);
    const fresh = { 'if-match': text(await api.get(path, draft.id, by), 'based_on') };
    expect((await api.call('dashboard', publish, by, fresh)).status).toBe(200);
  });

  it('hold hundreds of steps that lead back to the first contents and forth again', async () => {
    const by = await token('undoer', 'a');
    const stateOf = (step: number): DashboardModel => DashboardModel.read(JSON.stringify(contents(step)));
    const steps = Array.from({ length: 300 }, (_, index) => {
      const [before, after] = [stateOf(index), stateOf(index + 1)];
      const change = diff(before, after);
      return { label: `Step ${index}`, change, inverse: invert(before, change), at, undone: index >= 250 };
    });
    const inverse = diff(stateOf(250), stateOf(0));
    const draft = await draftOf(by, { contents: contents(250), inverse, steps });
    expect(await api.get(path, draft.id, by)).toMatchObject({ inverse, steps });
    expect(apply(stateOf(250), inverse)).toEqual(stateOf(0));
    expect(apply(stateOf(250), steps[249]?.inverse ?? [])).toEqual(stateOf(249));
    await api.update(path, draft.id, { steps: null }, by);
    expect((await api.get(path, draft.id, by))['steps']).toEqual([]);
  });

  it('refuse steps of another shape, too many and too large ones, with their places', async () => {
    const by = await token('shapes', 'a');
    const draft = await draftOf(by);
    const said = async (steps: unknown): Promise<readonly string[]> =>
      Object.keys((await api.refused(path, { id: draft.id, properties: { steps } }, by)).validation);
    expect(await said({})).toEqual(['properties.steps']);
    expect(await said([null, 7, [1]])).toEqual([0, 1, 2].map((index) => `properties.steps[${index}]`));
    expect(await said([{}])).toEqual(['properties.steps[0].change', 'properties.steps[0].at']);
    expect(await said([{ change: [{ kind: 'set' }], inverse: 'x', at, label: 7, undone: 1, colour: 1 }])).toEqual([
      'properties.steps[0].change[0]',
      'properties.steps[0].inverse',
      'properties.steps[0].label',
      'properties.steps[0].undone',
      'properties.steps[0].colour',
    ]);
    for (const wrong of ['yesterday', null, 7, {}])
      expect(await said([{ change: [], at: wrong }])).toEqual(['properties.steps[0].at']);
    expect(await said(Array.from({ length: 1001 }, () => ({ change: [], at })))).toEqual(['properties.steps']);
    const text = JSON.stringify('x'.repeat(1_000_000));
    const large = { change: [{ kind: 'set', part: '', path: ['a'], text }], at };
    expect(await said([large, large])).toEqual(['properties.steps']);
    for (const properties of [
      { based_on: 7 },
      { inverse: [{ kind: 'set' }] },
      { inverse: 'x' },
      { based_on: 'x'.repeat(256) },
      { contents: 7 },
      { contents: 'x' },
      { user_id: api.userId },
      { username: 'ada' },
      { writer: 'x' },
      { securable_id: api.userId },
    ])
      expect((await api.refused(path, { id: draft.id, properties }, by)).status).toBe(400);
    for (const securable_id of [null, 7, 'x', draft.id, api.userId])
      expect((await api.refused(path, { properties: { securable_id } }, by)).status).toBe(400);
    expect((await api.refused(path, { properties: {} }, by)).status).toBe(400);
  });

  it('go after 90 days without a change, and with their dashboard', async () => {
    const [kept, old] = [await token('kept', 'a'), await token('old', 'a')];
    const [young, untouched] = [await draftOf(kept), await draftOf(old)];
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString();
    const age = (id: string, days: number) =>
      runBehind(api.service, `update dashboardversion set updated_at = '${daysAgo(days)}' where id = '${id}'`);
    await age(untouched.id, 91);
    await age(young.id, 89);
    const [published = ''] = await api.findIds(path, { where: { securable_id: dashboard, state: 'published' } });
    await age(published, 400);
    const none = { answersBefore: '2000', loginsBefore: '2000', requestsBeforeMs: 0, tasksBefore: '2000' };
    await api.service.app.service.store.write({ kind: 'sweep', ...none });
    expect((await api.refused(path, { action: 'get', id: untouched.id }, old)).status).toBe(404);
    expect((await api.get(path, young.id, kept))['id']).toBe(young.id);
    expect((await api.get(path, published))['id']).toBe(published);
    await api.remove('dashboard', dashboard);
    expect((await api.refused(path, { action: 'get', id: young.id }, kept)).status).toBe(404);
  });
});
