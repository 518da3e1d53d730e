import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@inlay/contract';
import { useApi, type Api } from '../support/api.ts';
import { type Credential, storesToTest } from '../support/service.ts';
import { part, text } from '../support/world.ts';

const mask = '********';
const config = {
  client_id: 'inlay',
  client_secret: 'of the provider',
  issuer: 'https://login.example.com',
  authorization_url: 'https://login.example.com/authorize',
  token_url: 'https://login.example.com/token',
  user_info_url: 'https://login.example.com/userinfo',
};

interface Owner {
  readonly by: Credential;
  readonly organizationId: string;
  readonly made: JsonObject;
}

/** Returns the owner of a new organization with a configuration of its own. */
async function configured(api: Api, properties: object = { protocol: 'OIDC', config }): Promise<Owner> {
  const { login, organizationId } = await api.stranger();
  return { by: login, organizationId, made: await api.create('ssoconfig', properties, login) };
}

/** What the first successful login does. */
const verify = (api: Api, { made }: Owner, disabled = false): Promise<void> =>
  api.overwrite(
    'ssoconfig',
    text(made, 'id'),
    { is_verified: true, disable_email_password: disabled },
    { is_verified: 1, disable_email_password: disabled ? 1 : 0 },
  );

describe.each(storesToTest)('SSO configurations on %s', (store) => {
  const api = useApi(store);
  const change = (owner: Owner, properties: object): Promise<JsonObject> =>
    api.update('ssoconfig', owner.made['id'], properties, owner.by);
  const refusal = (owner: Owner, properties: object) =>
    api.refused('ssoconfig', { id: owner.made['id'], properties }, owner.by);

  it('starts unverified with e-mail login enabled', async () => {
    const { made, organizationId } = await configured(api);
    expect(made).toMatchObject({
      organization_id: organizationId,
      protocol: 'OIDC',
      config,
      is_verified: false,
      disable_email_password: false,
    });
    const { login } = await api.stranger();
    const properties = { protocol: 'OIDC', config: {} };
    const disabled = { ...properties, disable_email_password: true };
    expect((await api.refused('ssoconfig', { properties: disabled }, login)).code).toBe('sso_not_verified');
    const verified = { ...properties, is_verified: true };
    expect((await api.refused('ssoconfig', { properties: verified }, login)).code).toBe('field_read_only');
    const echoed = { ...properties, is_verified: false, disable_email_password: false };
    expect(await api.create('ssoconfig', echoed, login)).toMatchObject({ is_verified: false });
  });

  it('refuses a configuration without protocol or config', async () => {
    const { login } = await api.stranger();
    const wrong = [
      {},
      { protocol: 'OIDC' },
      { config: {} },
      { protocol: null, config: {} },
      { protocol: 'OIDC', config: null },
      { protocol: 'SAML', config: {} },
      { protocol: 'oidc', config: {} },
      { protocol: 'OIDC', config: 'x' },
      { protocol: 'OIDC', config: { clientid: 'x' } },
      { protocol: 'OIDC', config: { issuer: 'ftp://login.example.com' } },
      { protocol: 'OIDC', config: { token_url: 'javascript:1' } },
      { protocol: 'OIDC', config: { client_id: 7 } },
      { protocol: 'OIDC', config: { client_secret: mask } },
      { protocol: 'OIDC', config: { mapping: 'x' } },
    ];
    for (const properties of wrong) {
      const { status, validation } = await api.refused('ssoconfig', { properties }, login);
      expect([properties, status, Object.keys(validation).length > 0]).toEqual([properties, 400, true]);
    }
    const typo = await api.refused('ssoconfig', { properties: { protocol: 'OIDC', config: { isuer: 'x' } } }, login);
    expect(typo.validation['properties.config.isuer']).toEqual(['is not known; did you mean "issuer"?']);
  });

  it('stores a part of the config, and a mapping of claims', async () => {
    const mapping = { name: 'display_name', groups: 'teams' };
    const owner = await configured(api, { protocol: 'OIDC', config: { client_id: 'inlay', mapping } });
    expect(owner.made['config']).toMatchObject({ client_id: 'inlay', client_secret: null, issuer: null, mapping });
  });

  it('refuses a second configuration of an organization', async () => {
    const owner = await configured(api);
    const second = { properties: { protocol: 'OIDC', config: {} } };
    expect(await api.refused('ssoconfig', second, owner.by)).toMatchObject({ status: 400, code: 'sso_config_exists' });
    await api.remove('ssoconfig', owner.made['id'], owner.by);
    expect((await api.ok('ssoconfig', second, owner.by))['protocol']).toBe('OIDC');
  });

  it('keeps one configuration when two are created at once', async () => {
    const { login } = await api.stranger();
    const body = { properties: { protocol: 'OIDC', config: {} } };
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => api.call('ssoconfig', body, login)));
    const codes = answers.map((answer) => (answer.status === 200 ? 'made' : text(answer.body, 'code')));
    expect(codes.filter((code) => code === 'made')).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['made', 'sso_config_exists']));
    expect(await api.find('ssoconfig', {}, login)).toHaveLength(1);
  });

  it('updates protocol and config by member', async () => {
    const owner = await configured(api);
    expect((await change(owner, { protocol: 'OIDC' }))['config']).toEqual({ ...config, client_secret: mask });
    const secret = await change(owner, { config: { client_secret: 'renewed' } });
    expect(secret['config']).toEqual({ ...config, client_secret: 'renewed' });
    const mapped = await change(owner, { config: { mapping: { name: 'n' } } });
    expect(mapped['config']).toEqual({ ...config, client_secret: mask, mapping: { name: 'n' } });
    const cleared = await change(owner, { config: { client_secret: null, mapping: null } });
    expect(part(cleared['config'], 'client_secret')).toBeNull();
  });

  it('shows the client secret once', async () => {
    const owner = await configured(api);
    expect(part(owner.made['config'], 'client_secret')).toBe('of the provider');
    const read = await api.get('ssoconfig', owner.made['id'], owner.by);
    expect(read['config']).toEqual({ ...config, client_secret: mask });
    const echoed = await change(owner, read);
    expect(echoed['config']).toEqual({ ...config, client_secret: mask });
  });

  it('never takes is_verified from a request', async () => {
    const owner = await configured(api);
    expect(await refusal(owner, { is_verified: true })).toMatchObject({ status: 400, code: 'field_read_only' });
    expect((await change(owner, { is_verified: false }))['is_verified']).toBe(false);
    await verify(api, owner);
    expect(await refusal(owner, { is_verified: false })).toMatchObject({ status: 400, code: 'field_read_only' });
    expect((await change(owner, { is_verified: true }))['is_verified']).toBe(true);
  });

  it('refuses to disable e-mail login before it is verified', async () => {
    const owner = await configured(api);
    expect(await refusal(owner, { disable_email_password: true })).toMatchObject({
      status: 400,
      code: 'sso_not_verified',
    });
    const both = await refusal(owner, { disable_email_password: true, is_verified: true });
    expect(both.status).toBe(400);
    expect((await change(owner, { disable_email_password: false }))['disable_email_password']).toBe(false);
    expect(await api.get('ssoconfig', owner.made['id'], owner.by)).toMatchObject({
      is_verified: false,
      disable_email_password: false,
    });
  });

  it('disables e-mail login once it is verified, which ends logins that the provider did not make', async () => {
    const owner = await configured(api);
    await verify(api, owner);
    const made = await api.create('authorization', { type: 'api' }, owner.by);
    expect(await change(owner, { disable_email_password: true })).toMatchObject({
      is_verified: true,
      disable_email_password: true,
    });
    const back = { id: owner.made['id'], properties: { disable_email_password: null } };
    expect((await api.refused('ssoconfig', back, owner.by)).code).toBe('credentials_invalid');
    const by = { key: text(made, 'id'), token: text(made, 'token') };
    expect((await change({ ...owner, by }, { disable_email_password: null }))['disable_email_password']).toBe(false);
  });

  it('must be verified again after it points elsewhere, and forgets the secret unless it comes along', async () => {
    const moves = [
      { issuer: 'https://other.example.com' },
      { client_id: 'other' },
      { authorization_url: 'https://other.example.com/a' },
      { token_url: 'https://other.example.com/t' },
      { user_info_url: null },
    ];
    for (const move of moves) {
      const owner = await configured(api);
      await verify(api, owner, true);
      expect(await change(owner, { config: move })).toMatchObject({
        is_verified: false,
        disable_email_password: false,
        config: { ...config, ...move, client_secret: null },
      });
    }
    const owner = await configured(api);
    await verify(api, owner);
    const carried = await change(owner, { config: { issuer: 'https://other.example.com', client_secret: 'new' } });
    expect(carried).toMatchObject({ is_verified: false, config: { client_secret: 'new' } });
    expect(part((await api.get('ssoconfig', owner.made['id'], owner.by))['config'], 'client_secret')).toBe(mask);
  });

  it('stays verified when nothing that counts changes', async () => {
    const owner = await configured(api);
    await verify(api, owner, true);
    const same = { protocol: 'OIDC', config: { ...config, client_secret: mask, mapping: { name: 'n' } } };
    expect(await change(owner, same)).toMatchObject({ is_verified: true, disable_email_password: true });
  });

  it('refuses to move and to disable e-mail login in one request', async () => {
    const owner = await configured(api);
    await verify(api, owner);
    const { status, validation } = await refusal(owner, {
      disable_email_password: true,
      config: { token_url: 'https://other.example.com/t' },
    });
    expect([status, Object.keys(validation)]).toEqual([400, ['properties.disable_email_password']]);
    expect((await api.get('ssoconfig', owner.made['id'], owner.by))['is_verified']).toBe(true);
  });

  it('refuses e-mail login only while it is verified and says so', async () => {
    const owner = await configured(api);
    const [user] = await api.find('user', {}, owner.by);
    const password = 'a long pass phrase';
    await api.update('user', text(user, 'id'), { password }, owner.by);
    const login = { properties: { type: 'login', email: text(user, 'email'), password } };
    expect((await api.call('authorization', login, null)).status).toBe(200);
    await verify(api, owner, true);
    expect((await api.refused('authorization', login, null)).status).toBe(401);
    await change(owner, { disable_email_password: false });
    expect((await api.call('authorization', login, null)).status).toBe(200);
  });

  it('belongs to the organization of its creator and is not moved', async () => {
    const owner = await configured(api);
    const { id } = owner.made;
    expect(
      await api.associate('ssoconfig', id, 'Organization', owner.organizationId, undefined, owner.by),
    ).toMatchObject({ id });
    const role = { role: 'Organization', id: owner.organizationId };
    expect((await api.refused('ssoconfig', { id, resource: role }, owner.by)).status).toBe(400);
    const foreign = { action: 'associate', id, resource: { role: 'Organization', id: api.organizationId } };
    expect((await api.refused('ssoconfig', foreign, owner.by)).status).toBe(400);
    expect(await refusal(owner, { organization_id: api.organizationId })).toMatchObject({ code: 'field_read_only' });
    expect((await api.refused('ssoconfig', { action: 'get', id })).status).toBe(404);
  });

  it('is there for Organization Owners only', async () => {
    const member = await api.person({ flagEditor: true });
    const body = { properties: { protocol: 'OIDC', config: {} } };
    expect((await api.refused('ssoconfig', body, member.login)).status).toBe(403);
    expect(await api.findIds('ssoconfig', {}, member.login).catch(() => [])).toEqual([]);
  });
});
