import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isObject, isList, newestContents, type Json } from '@inlay/contract';
import { useApi } from '../support/api.ts';
import { type Credential, storesToTest } from '../support/service.ts';
import { part, text } from '../support/world.ts';

const folder = new URL('../fixtures/contents/', import.meta.url);
const pasts = readdirSync(folder).map((file): { file: string; sent: Json; read: Json } => ({
  file,
  ...JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
}));
const options = { share: { poweredBy: false }, theme: { id: 'default' }, alertingEnabled: false };
const view = (screenModus: string): object => ({ screenModus, options, filterGroups: [], items: [] });

describe.each(storesToTest)('dashboards on %s', (store) => {
  const api = useApi(store);

  it('gives a dashboard the subtype api', async () => {
    expect(await api.create('securable', {})).toMatchObject({ type: 'dashboard', subtype: 'api' });
    expect((await api.create('securable', { subtype: 'api' }))['subtype']).toBe('api');
    expect((await api.refused('dashboard', { properties: { subtype: 'mine' } })).status).toBe(400);
  });

  it('gives a new dashboard empty desktop, tablet and mobile views', async () => {
    const contents = {
      version: newestContents,
      syncScreenModes: true,
      datasetLinks: {},
      views: [view('desktop'), view('tablet'), view('mobile')],
      parameters: [],
      timezone: { type: 'fixed', id: 'UTC' },
    };
    for (const properties of [{}, { contents: null }]) {
      const made = await api.create('dashboard', properties);
      expect(JSON.stringify(made['contents'])).toBe(JSON.stringify(contents));
    }
  });

  it('stores every field that create dashboard accepts', async () => {
    const fields = {
      name: { en: 'Sales', ja: '売上' },
      description: { en: 'By region' },
      subtitle: { en: 'Monthly' },
      contents: { version: newestContents, views: [] },
      type: 'dashboard',
      css: '.title { color: teal }',
    };
    const made = await api.create('securable', fields);
    expect(made).toMatchObject(fields);
    expect(await api.get('securable', made['id'])).toEqual(made);
  });

  it('are featured by a create or an update', async () => {
    const { id } = await api.create('dashboard', { featured: false });
    expect((await api.create('dashboard', { featured: true }))['featured']).toBe(true);
    expect((await api.update('securable', id, { featured: true }))['featured']).toBe(true);
    expect((await api.update('securable', id, { featured: null }))['featured']).toBe(false);
  });

  it('refuses contents whose documented members have another type', async () => {
    const wrong = [
      'text',
      ['x'],
      7,
      { version: 1 },
      { version: null },
      { syncScreenModes: 'yes' },
      { datasetLinks: ['x'] },
      { views: {} },
      { views: ['desktop'] },
      { views: [{ screenModus: 'watch' }] },
      { views: [{ options: [1] }] },
      { views: [{ options: { share: true } }] },
      { views: [{ options: { alertingEnabled: 'no' } }] },
      { views: [{ filterGroups: {} }] },
      { views: [{ items: {} }] },
      { parameters: {} },
      { timezone: 'UTC' },
      { timezone: { id: 7 } },
      { timezone: { type: 'fixed', id: 'Mars/Olympus' } },
      { version: 'next' },
      { views: [{ screenModus: 'desktop', options: { share: { poweredBy: 'x' } } }] },
      { views: [{ screenModus: 'desktop', options: { theme: { id: 5 } } }] },
      { views: [{ screenModus: 'desktop' }, { screenModus: 'desktop' }] },
    ];
    for (const contents of wrong) {
      const { status, validation } = await api.refused('dashboard', { properties: { contents } });
      expect([contents, status, Object.keys(validation)[0]]).toEqual([
        contents,
        400,
        expect.stringContaining('properties.contents'),
      ]);
    }
    const nested = await api.refused('dashboard', {
      properties: { contents: { views: [{}, { items: 1 }], version: 2 } },
    });
    expect(Object.keys(nested.validation).toSorted()).toEqual([
      'properties.contents.version',
      'properties.contents.views[0].screenModus',
      'properties.contents.views[1].items',
      'properties.contents.views[1].screenModus',
    ]);
  });

  it('keeps items and members it does not know as they were sent', async () => {
    const contents = {
      version: newestContents,
      zebra: { nested: [{ anything: null }] },
      views: [
        {
          ours: true,
          items: [
            { z: 1, type: 'hologram', position: { row: 1.5, col: 0 }, a: ['x', { deep: [[]] }], '': 'empty name' },
          ],
          screenModus: 'desktop',
        },
      ],
      alpha: 'last',
    };
    const { id } = await api.create('dashboard', { contents });
    expect(JSON.stringify((await api.get('securable', id))['contents'])).toBe(JSON.stringify(contents));
  });

  it('gives contents back with version first', async () => {
    const made = await api.create('dashboard', { contents: { views: [], ours: 1, version: newestContents } });
    expect(Object.keys(Object(made['contents']))).toEqual(['version', 'views', 'ours']);
    const without = await api.create('dashboard', { contents: { views: [], ours: 1 } });
    expect(JSON.stringify(without['contents'])).toBe(JSON.stringify({ version: newestContents, views: [], ours: 1 }));
    const changed = await api.update('securable', made['id'], { contents: { b: 1, a: 2 } });
    expect(Object.keys(Object(changed['contents']))).toEqual(['version', 'b', 'a']);
  });

  it('refuses css that loads something or breaks out of its place', async () => {
    const wrong = [
      '</style><script>alert(1)</script>',
      '@import "https://example.com/x.css";',
      '.a { background: url(https://example.com) }',
      '.a { background: u/**/rl(x) }',
      '.a { color: red } }',
      '.a { color: red',
      '.a { width: expression(alert(1)) }',
      '.a { content: "\\75 rl" }',
      '/* open',
    ];
    for (const css of wrong) {
      expect([css, (await api.refused('dashboard', { properties: { css } })).status]).toEqual([css, 400]);
    }
    for (const css of ['', '.a { color: red }', '@media (max-width: 10px) { .a { content: "}" } }']) {
      expect((await api.create('dashboard', { css }))['css']).toBe(css);
    }
  });

  it.each(pasts)('reads every past structure of contents, and keeps it as sent: $file', async ({ sent, read }) => {
    const kept = isObject(sent) ? { version: sent['version'] ?? null, ...sent } : {};
    const { id, contents } = await api.create('dashboard', { contents: sent });
    expect(JSON.stringify(contents)).toBe(JSON.stringify(kept));
    expect((await api.get('securable', id))['contents']).toEqual(kept);
    const [found] = await api.find('securable', { where: { id }, attributes: ['contents'] });
    expect(found).toEqual({ id, contents: kept });
    const shown = await api.ok('appearance', { action: 'get', find: { dashboard_id: id } });
    expect(part(shown['dashboard'], 'contents')).toEqual(read);
  });

  it('leaves contents of a newer structure alone', async () => {
    const view = { screenModus: 'desktop', items: [{ slots: [{ content: [{ column: 'x', set: 'y' }] }] }] };
    const contents = { version: '9.0.0', views: [view] };
    const made = await api.create('dashboard', { contents });
    expect(made['contents']).toEqual(contents);
    const shown = await api.ok('appearance', { action: 'get', find: { dashboard_id: made.id } });
    expect(part(shown['dashboard'], 'contents')).toEqual(contents);
  });

  it('are shown by their slug to those who may read them, and unknown to others', async () => {
    const made = await api.create('dashboard', { slug: 'sales-2026', name: { en: 'Sales' } });
    const bySlug = (slug: string, by?: Credential) =>
      api.call('appearance', { action: 'get', find: { dashboard_slug: slug } }, by);
    const viewer = await api.embedToken({ access: { dashboards: [{ id: made.id, rights: 'read' }] } });
    const stranger = await api.embedToken({});
    for (const by of [undefined, viewer]) {
      const { status, body } = await bySlug('sales-2026', by);
      expect(status).toBe(200);
      expect(part(part(body, 'dashboard'), 'id')).toBe(made.id);
    }
    const [hidden, missing] = [await bySlug('sales-2026', stranger), await bySlug('no-such-slug', stranger)];
    expect(hidden.status).toBe(404);
    expect(hidden.body).toMatchObject({ code: 'not_found', message: part(missing.body, 'message') });
    expect((await api.refused('appearance', { action: 'get', find: { dashboard_slug: 7 } })).status).toBe(400);
    const both = { dashboard_id: made.id, dashboard_slug: 'sales-2026' };
    expect(await api.refused('appearance', { action: 'get', find: both })).toMatchObject({
      validation: { 'find.dashboard_slug': ['does not go with a dashboard_id'] },
    });
    await api.create('dataset', { slug: 'rows-2026' });
    expect((await bySlug('rows-2026')).status).toBe(404);
    expect(
      await api.find('securable', { where: { type: 'dashboard' }, attributes: ['id', 'slug', 'name'] }, viewer),
    ).toEqual([{ id: made.id, slug: 'sales-2026', name: { en: 'Sales' } }]);
  });

  it('keep their previous contents as a version, which an update restores', async () => {
    const first = { version: newestContents, views: [], step: 1 };
    const { id } = await api.create('dashboard', { contents: first });
    await api.update('securable', id, { contents: { ...first, step: 2 } });
    await api.update('securable', id, { contents: { ...first, step: 3 } });
    await api.update('securable', id, { name: { en: 'Renamed' } });
    const versions = await api.find('dashboardversion', { where: { securable_id: id }, order: [['id', 'asc']] });
    expect(versions.map(({ contents }) => part(contents, 'step'))).toEqual([1, 2, 3]);
    const named = await api.update('dashboardversion', versions[0]?.['id'], { name: 'The first', environment: 'test' });
    expect(named).toMatchObject({ name: 'The first', environment: 'test', contents: first });
    const restored = await api.update('securable', id, { contents: versions[0]?.['contents'] ?? null });
    expect(restored['contents']).toEqual(first);
    expect(await api.find('dashboardversion', { where: { securable_id: id } })).toHaveLength(3);
    const version = versions[0]?.['id'];
    expect((await api.refused('dashboardversion', { id: version, properties: { contents: {} } })).code).toBe(
      'field_read_only',
    );
    expect((await api.refused('dashboardversion', { action: 'delete', id: version })).status).toBe(403);
    const another = { securable_id: id, state: 'published' };
    expect((await api.refused('dashboardversion', { properties: another })).status).toBe(400);
  });

  it('link datasets from both sides', async () => {
    const dashboard = await api.create('dashboard', {});
    const dataset = await api.create('dataset', {});
    await api.associate('securable', dashboard['id'], 'Datasets', dataset['id']);
    expect(Object.keys(await api.links('securable', dataset['id'], 'Dashboards'))).toEqual(
      [dataset['id'], dashboard['id']].slice(1),
    );
    await api.dissociate('securable', dataset['id'], 'Dashboards', dashboard['id']);
    expect(await api.links('securable', dashboard['id'], 'Datasets')).toEqual({});
    await api.associate('securable', dataset['id'], 'Dashboards', dashboard['id']);
    expect(Object.keys(await api.links('securable', dashboard['id'], 'Datasets'))).toEqual([dataset['id']]);
    const swapped = { action: 'associate', id: dataset['id'], resource: { role: 'Datasets', id: dashboard['id'] } };
    expect((await api.refused('securable', swapped)).code).toBe('association_unknown');
    const other = { action: 'associate', id: dashboard['id'], resource: { role: 'Datasets', id: dashboard['id'] } };
    expect((await api.refused('securable', other)).code).toBe('reference_unknown');
  });

  it('become and stop being a variant, from both sides', async () => {
    const original = await api.create('dashboard', {});
    const variant = await api.create('dashboard', {});
    await api.associate('securable', original['id'], 'variants', variant['id']);
    expect(await api.get('securable', variant['id'])).toMatchObject({ is_variant: true, original_id: original['id'] });
    expect(Object.keys(await api.links('securable', original['id'], 'variants'))).toEqual([variant['id']]);
    await api.dissociate('securable', variant['id'], 'original', original['id']);
    expect(await api.get('securable', variant['id'])).toMatchObject({ is_variant: false, original_id: null });
    const again = await api.associate('securable', variant['id'], 'original', original['id']);
    expect(again).toMatchObject({ is_variant: true, original_id: original['id'] });
    const itself = { action: 'associate', id: variant['id'], resource: { role: 'original', id: variant['id'] } };
    expect((await api.refused('securable', itself)).status).toBe(400);
    await api.remove('securable', original['id']);
    expect(await api.get('securable', variant['id'])).toMatchObject({ is_variant: false, original_id: null });
  });

  it('stamp views they were sent without a list as they were sent', async () => {
    const { contents } = await api.create('dashboard', { contents: {} });
    expect(contents).toEqual({ version: newestContents });
    expect(isList(part(contents, 'views'))).toBe(false);
    expect(text(contents, 'version')).toBe(newestContents);
  });
});
