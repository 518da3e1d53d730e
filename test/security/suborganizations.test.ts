import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi, type Somebody } from '../support/api.ts';
import { fontFile } from '../support/font-file.ts';
import { type Credential, storesToTest } from '../support/service.ts';
import { part } from '../support/world.ts';

const owner = { flagOwner: true };
const newPerson = (): object => ({ email: `${randomUUID()}@people.example`, name: 'New' });

/** What an action names of the scene. */
interface Scene {
  readonly organization: string;
  readonly theme: string;
  readonly defaultTheme: string;
  readonly usedTheme: string;
  readonly tag: string;
  readonly font: string;
  readonly integration: string;
  readonly filterGroup: string;
  readonly plugin: string;
  readonly ssoconfig: string;
  readonly dataset: string;
  readonly inside: Somebody;
  readonly signsIn: Somebody;
  readonly above: Somebody;
  readonly outside: Somebody;
  readonly whole: Somebody;
}

type Action = readonly [says: string, resource: string, body: (scene: Scene) => object];
const link = (id: string, role: string, other: string, properties?: object): object => ({
  action: 'associate',
  id,
  resource: { role, id: other },
  ...(properties && { properties }),
});
const create = (properties: object): object => ({ action: 'create', properties });
const update = (id: string, properties: object): object => ({ action: 'update', id, properties });
const remove = (id: string): object => ({ action: 'delete', id });

/** Every action on what belongs to the whole organization: for its owners without a suborganization alone. */
const settings: readonly Action[] = [
  ['reads single sign-on', 'ssoconfig', ({ ssoconfig }) => ({ action: 'get', id: ssoconfig })],
  [
    'changes single sign-on',
    'ssoconfig',
    ({ ssoconfig }) => update(ssoconfig, { config: { issuer: 'https://idp.example' } }),
  ],
  [
    'changes the organization',
    'organization',
    ({ organization }) => update(organization, { flag_experimental_ai: true }),
  ],
  ['changes the default theme', 'theme', ({ defaultTheme }) => update(defaultTheme, { name: { en: 'Other' } })],
  [
    'changes the theme of a dashboard of others',
    'theme',
    ({ usedTheme }) => update(usedTheme, { name: { en: 'Other' } }),
  ],
  ['changes a tag of a dashboard of others', 'tag', ({ tag }) => update(tag, { name: { en: 'Other' } })],
  ['deletes a tag of a dashboard of others', 'tag', ({ tag }) => remove(tag)],
  ['adds a font', 'font', () => create({ name: 'Brand', data: fontFile('Brand').toString('base64') })],
  [
    'changes a font',
    'font',
    ({ font }) => update(font, { data: fontFile('Brand', { records: 2 }).toString('base64') }),
  ],
  ['sets the default theme', 'theme', ({ theme, organization }) => link(theme, 'defaultTheme', organization)],
  ['makes an integration', 'integration', () => create({ name: { en: 'Portal' } })],
  ['changes an integration', 'integration', ({ integration }) => update(integration, { name: { en: 'Other' } })],
  [
    'binds somebody to an identity',
    'identity',
    ({ signsIn }) => create({ user_id: signsIn.id, issuer: 'https://idp.example', subject: randomUUID() }),
  ],
  [
    'puts somebody into an integration',
    'integration',
    ({ integration, outside }) => link(integration, 'Users', outside.id),
  ],
  ['makes a filter group', 'embedfiltergroup', () => create({ name: { en: 'All' } })],
  ['reads a filter group', 'embedfiltergroup', ({ filterGroup }) => ({ action: 'get', id: filterGroup })],
  ['changes a filter group', 'embedfiltergroup', ({ filterGroup }) => update(filterGroup, { name: { en: 'None' } })],
  [
    'takes a dataset out of a filter group',
    'securable',
    ({ dataset, filterGroup }) => ({ id: dataset, resource: { role: 'EmbedFilterGroups', id: filterGroup } }),
  ],
  ['changes a plugin of somebody else', 'plugin', ({ plugin }) => update(plugin, { name: { en: 'Other' } })],
  ['gives a token a rate limit', 'authorization', () => create({ type: 'api', rate_limit: 100_000 })],
  ['deletes a filter group', 'embedfiltergroup', ({ filterGroup }) => remove(filterGroup)],
  ['deletes an integration', 'integration', ({ integration }) => remove(integration)],
  ['deletes a theme', 'theme', ({ theme }) => remove(theme)],
  ['deletes a plugin of somebody else', 'plugin', ({ plugin }) => remove(plugin)],
  ['deletes single sign-on', 'ssoconfig', ({ ssoconfig }) => remove(ssoconfig)],
  ['makes single sign-on', 'ssoconfig', () => create({ protocol: 'OIDC', config: {} })],
];

/** What reaches above a suborganization, or out of it. */
const beyond: readonly Action[] = [
  [
    'makes somebody an admin',
    'organization',
    ({ organization, inside }) => link(organization, 'Users', inside.id, { flagAdmin: true }),
  ],
  [
    'makes themselves an admin',
    'organization',
    ({ organization, above }) => link(organization, 'Users', above.id, { flagMember: true }),
  ],
  [
    'takes an admin out',
    'organization',
    ({ organization, above }) => ({ id: organization, resource: { role: 'Users', id: above.id } }),
  ],
  ['sets the password of an admin', 'user', ({ above }) => update(above.id, { password: 'a new long pass phrase' })],
  [
    'moves the address of an admin',
    'user',
    ({ above }) => update(above.id, { email: `${randomUUID()}@people.example` }),
  ],
  [
    'binds an admin to an identity',
    'identity',
    ({ above }) => create({ user_id: above.id, issuer: 'https://idp.example', subject: randomUUID() }),
  ],
  ['deletes an admin', 'user', ({ above }) => remove(above.id)],
  ['changes somebody outside', 'user', ({ outside }) => update(outside.id, { name: 'Other' })],
  ['changes somebody of the whole', 'user', ({ whole }) => update(whole.id, { name: 'Other' })],
  ['deletes somebody outside', 'user', ({ outside }) => remove(outside.id)],
  [
    'ranks somebody outside',
    'organization',
    ({ organization, outside }) => link(organization, 'Users', outside.id, owner),
  ],
  [
    'binds somebody outside to an identity',
    'identity',
    ({ outside }) => create({ user_id: outside.id, issuer: 'https://idp.example', subject: randomUUID() }),
  ],
  ['makes somebody outside', 'user', () => create({ ...newPerson(), suborganization: 'south' })],
  ['moves somebody out', 'user', ({ inside }) => update(inside.id, { suborganization: 'south' })],
  ['issues a token outside', 'authorization', () => create({ type: 'embed', username: 'x', suborganization: 'south' })],
  ['makes a group outside', 'group', () => create({ name: { en: 'G' }, suborganization: 'south' })],
];

/** What the owner of a suborganization does in it. */
const within: readonly Action[] = [
  ['makes somebody', 'user', () => create(newPerson())],
  ['changes somebody', 'user', ({ inside }) => update(inside.id, { name: 'Other' })],
  ['ranks somebody', 'organization', ({ organization, inside }) => link(organization, 'Users', inside.id, owner)],
  ['issues a token', 'authorization', () => create({ type: 'embed', username: 'x' })],
  ['makes a group', 'group', () => create({ name: { en: 'G' } })],
  ['makes a theme', 'theme', () => create({ name: { en: 'T' } })],
  ['changes a theme that no dashboard of others uses', 'theme', ({ theme }) => update(theme, { name: { en: 'U' } })],
  ['makes a tag', 'tag', () => create({ name: { en: 'T' } })],
  ['deletes somebody', 'user', ({ inside }) => remove(inside.id)],
];

describe.each(storesToTest)('the owner of a suborganization on %s', (store) => {
  const api = useApi(store);
  let scene: Scene;
  let north: Credential;
  beforeAll(async () => {
    const made = async (resource: string, properties: object): Promise<string> =>
      (await api.create(resource, properties)).id;
    const admin = { flagAdmin: true };
    scene = {
      organization: api.organizationId,
      theme: await made('theme', { name: { en: 'T' } }),
      defaultTheme: await made('theme', { name: { en: 'D' } }),
      usedTheme: await made('theme', { name: { en: 'U' } }),
      tag: await made('tag', { name: { en: 'T' } }),
      font: await made('font', { name: 'Brand', weight: 'bold', data: fontFile('Brand').toString('base64') }),
      integration: await made('integration', { name: { en: 'I' } }),
      filterGroup: await made('embedfiltergroup', { name: { en: 'F' } }),
      plugin: await made('plugin', {
        slug: 'weather',
        name: { en: 'W' },
        base_url: 'https://weather.example',
        public: true,
      }),
      ssoconfig: await made('ssoconfig', { protocol: 'OIDC', config: {} }),
      dataset: await made('dataset', { name: { en: 'D' } }),
      inside: await api.person({ flagMember: true }, { suborganization: 'north' }),
      signsIn: await api.person({ flagMember: true }, { suborganization: 'north' }),
      above: await api.person(admin, { suborganization: 'north' }),
      outside: await api.person({ flagMember: true }, { suborganization: 'south' }),
      whole: await api.person({ flagMember: true }),
    };
    await api.associate('theme', scene.defaultTheme, 'defaultTheme', api.organizationId);
    const views = [{ screenModus: 'desktop', items: [], options: { theme: { name: 'Used', id: scene.usedTheme } } }];
    const dashboard = await made('dashboard', { name: { en: 'D' }, contents: { views } });
    await api.associate('securable', dashboard, 'Tags', scene.tag);
    const person = await api.person(owner, { suborganization: 'north' });
    await api.associate('securable', scene.dataset, 'Users', person.id, { flagModify: true });
    await api.associate('securable', scene.dataset, 'EmbedFilterGroups', scene.filterGroup, { filters: [] });
    north = await api.apiToken(person.login);
  });

  it.each([...settings, ...beyond])('never %s', async (_says, resource, body) => {
    const asked = body(scene);
    const { status } = await api.refused(resource, asked, north);
    expect([400, 403, 404]).toContain(status);
  });

  it.each(within)('still %s', async (_says, resource, body) => {
    expect((await api.call(resource, body(scene), north)).status).toBe(200);
  });

  it.each(settings)('which an owner of the whole organization does: %s', async (_says, resource, body) => {
    expect((await api.call(resource, body(scene))).status).toBe(200);
  });

  it('puts nobody into the whole organization by leaving the suborganization empty', async () => {
    const { id, login } = await api.person({ flagMember: true }, { suborganization: 'north' }, undefined);
    const moved = await api.update('user', id, { suborganization: null }, north);
    const made = await api.create('user', { ...newPerson(), suborganization: null }, north);
    const token = await api.create('authorization', { type: 'embed', username: 'x', suborganization: null }, north);
    expect([moved, made, token].map((one) => one['suborganization'])).toEqual(['north', 'north', 'north']);
    expect((await api.find('user', { where: { suborganization: null } }, login)).length).toBe(0);
  });

  it('sees and ends no token of somebody who has moved away', async () => {
    const { id, login } = await api.person({ flagMember: true }, { suborganization: 'north' });
    const token = await api.apiToken(login, { name: 'Nightly job' });
    const tokens = (by: Credential): Promise<readonly string[]> =>
      api.findIds('authorization', { where: { user_id: id } }, by);
    const south = await api.person(owner, { suborganization: 'south' });
    expect([(await tokens(north)).length, await tokens(south.login)]).toEqual([2, []]);
    await api.update('user', id, { suborganization: 'south' });
    expect([await tokens(north), (await tokens(south.login)).length]).toEqual([[], 2]);
    expect((await api.refused('authorization', remove(token.key), north)).status).toBe(404);
  });

  it('gains no rank by signing people in through a provider of their own', async () => {
    const config = { issuer: 'https://idp.example', mapping: { roles: { claim: 'roles', values: { boss: 'admin' } } } };
    const answer = await api.call('ssoconfig', create({ protocol: 'OIDC', config }), north);
    expect([answer.status, part(answer.body, 'code')]).toEqual([403, 'forbidden']);
  });
});
