import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { part } from '../support/world.ts';

const mask = '********';
const base_url = 'https://plugin.example.com/inlay';

describe.each(storesToTest)('plugins on %s', (store) => {
  const api = useApi(store);
  const slugs = { made: 0 };
  const slug = (): string => `plugin-${(slugs.made += 1)}`;

  it('takes and gives a plugin as documented', async () => {
    const fields = {
      slug: 'Weather-1',
      name: { en: 'Weather' },
      description: { en: 'Temperatures', fr: 'Températures' },
      url: 'https://weather.example.com/about',
      license: 'Apache-2.0',
      base_url,
      authorize: 'token',
      tiles: true,
      search: true,
      public: true,
      color: '#1a2B3c',
      protocol_version: '2.0.0',
      pushdown: true,
      properties: { station: { type: 'text' } },
    };
    const made = await api.create('plugin', { ...fields, secret: 'of the plugin' });
    expect(made).toMatchObject({ ...fields, reviewed: false, secret: 'of the plugin' });
    expect(await api.get('plugin', made['id'])).toMatchObject({ ...fields, secret: mask });
    for (const name of ['created_at', 'updated_at', 'organization_id', 'user_id'])
      expect(made).not.toHaveProperty(name);
    expect(part(made, 'organization')).toMatchObject({ id: api.organizationId });
  });

  it('start with nothing but a slug and the defaults', async () => {
    expect(await api.create('plugin', { slug: slug() })).toMatchObject({
      name: null,
      url: null,
      license: null,
      base_url: null,
      authorize: 'none',
      tiles: false,
      search: false,
      public: false,
      reviewed: false,
      color: null,
      secret: null,
      pushdown: false,
      properties: {},
    });
  });

  it('refuse what a slug, a colour, an address or a word cannot be', async () => {
    const wrong = [
      {},
      { slug: null },
      { slug: '' },
      { slug: 'with space' },
      { slug: 'é' },
      { slug: 'x'.repeat(51) },
      { slug: slug(), color: 'red' },
      { slug: slug(), color: '#12345' },
      { slug: slug(), authorize: 'password' },
      { slug: slug(), base_url: 'ftp://plugin.example.com' },
      { slug: slug(), base_url: 'https://user:pass@plugin.example.com' },
      { slug: slug(), base_url: 'http://plugin.example.com' },
      { slug: slug(), base_url: 'https://127.0.0.1/' },
      { slug: slug(), base_url: 'https://10.0.0.8/' },
      { slug: slug(), base_url: 'https://localhost/' },
      { slug: slug(), url: 'javascript:alert(1)' },
      { slug: slug(), reviewed: true },
    ];
    for (const properties of wrong) {
      expect([properties, (await api.refused('plugin', { properties })).status]).toEqual([properties, 400]);
    }
  });

  it('have a slug that nobody else has', async () => {
    const taken = slug();
    const { id } = await api.create('plugin', { slug: taken });
    const refusal = await api.refused('plugin', { properties: { slug: taken } });
    expect(refusal).toMatchObject({
      status: 400,
      code: 'already_taken',
      validation: { 'properties.slug': expect.anything() },
    });
    const other = await api.create('plugin', { slug: slug() });
    expect((await api.refused('plugin', { id: other['id'], properties: { slug: taken } })).code).toBe('already_taken');
    expect((await api.update('plugin', id, { slug: taken }))['slug']).toBe(taken);
  });

  it('accept their own record sent back, the embedded organization too', async () => {
    const { id } = await api.create('plugin', { slug: slug(), secret: 'kept', name: { en: 'Echo' } });
    const record = await api.get('plugin', id);
    const changed = await api.update('plugin', id, { ...record, license: 'MIT' });
    expect(changed).toMatchObject({ license: 'MIT', secret: mask });
    const organization = { ...Object(record['organization']), name: { en: 'Another' } };
    const refusal = await api.refused('plugin', { id, properties: { organization } });
    expect(refusal).toMatchObject({ status: 400, code: 'field_read_only' });
  });

  it('are seen by everybody when public, else by their organization and those linked', async () => {
    const stranger = await api.stranger();
    const member = await api.person();
    const { id } = await api.create('plugin', { slug: slug(), name: { en: 'Hidden' } });
    expect((await api.refused('plugin', { action: 'get', id }, stranger.login)).status).toBe(404);
    expect((await api.refused('plugin', { action: 'get', id }, member.login)).status).toBe(404);
    await api.associate('plugin', id, 'Organization', api.organizationId);
    expect((await api.get('plugin', id, member.login))['id']).toBe(id);
    await api.dissociate('plugin', id, 'Organization', api.organizationId);
    expect((await api.refused('plugin', { action: 'get', id }, member.login)).status).toBe(404);
    await api.update('plugin', id, { public: true });
    expect((await api.get('plugin', id, stranger.login))['id']).toBe(id);
    expect(await api.findIds('plugin', { where: { id } }, stranger.login)).toEqual([id]);
    expect((await api.refused('plugin', { id, properties: { public: false } }, stranger.login)).status).toBe(403);
  });

  it('show another organization no private member of theirs', async () => {
    await api.update('organization', api.organizationId, {
      vat: 'BE 0123',
      dpo_email: 'dpo@example.com',
      city: 'Ghent',
    });
    const { id, organization } = await api.create('plugin', { slug: slug(), public: true });
    expect(organization).toMatchObject({ vat: 'BE 0123', dpo_email: 'dpo@example.com', city: 'Ghent' });
    const stranger = await api.stranger();
    const seen = part(await api.get('plugin', id, stranger.login), 'organization');
    expect(seen).toMatchObject({
      id: api.organizationId,
      vat: null,
      dpo_email: null,
      city: null,
      payment_method: null,
    });
    expect(Object.keys(Object(seen)).toSorted()).toEqual(Object.keys(Object(organization)).toSorted());
  });

  it('have one thumbnail at most', async () => {
    const { id } = await api.create('plugin', { slug: slug() });
    const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
    const first = await api.create('image', { media_type: 'image/png', data });
    const second = await api.create('image', { media_type: 'image/png', data });
    await api.associate('plugin', id, 'Thumbnail', first['id']);
    await api.associate('plugin', id, 'Thumbnail', second['id']);
    expect(Object.keys(await api.links('plugin', id, 'Thumbnail'))).toEqual([second['id']]);
    await api.dissociate('plugin', id, 'Thumbnail', first['id']);
    expect(Object.keys(await api.links('plugin', id, 'Thumbnail'))).toEqual([second['id']]);
    await api.dissociate('plugin', id, 'Thumbnail', second['id']);
    expect(await api.links('plugin', id, 'Thumbnail')).toEqual({});
  });

  it('are not deleted while accounts depend on them, and say how many do', async () => {
    const { id } = await api.create('plugin', { slug: slug(), base_url });
    const account = await api.create('account', { plugin_id: id });
    const refusal = await api.refused('plugin', { action: 'delete', id });
    expect(refusal).toMatchObject({
      status: 400,
      code: 'in_use',
      validation: { id: [expect.stringContaining('1 account')] },
    });
    await api.remove('account', account['id']);
    expect(await api.remove('plugin', id)).toEqual({ code: 200 });
  });
});
