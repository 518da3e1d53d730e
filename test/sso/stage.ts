import { afterAll, beforeAll, expect } from 'vitest';
import { sql } from '../../packages/service/src/store/sql.ts';
import { useApi, type Api } from '../support/api.ts';
import type { StoreName } from '../support/service.ts';
import { startProvider, type Provider } from './provider.ts';
import { app, base, openBrowser, type Browser, type Tenant } from './visitor.ts';

/** What sign-ins are played on: the service, a provider that does as it is told, browsers, and a look at what they left. */
export interface Stage {
  readonly api: Api;
  readonly browser: () => Browser;
  readonly provider: () => Provider;
  readonly rows: (table: 'identity' | 'user' | 'authorization', organizationId: string) => Promise<number>;
  readonly isVerified: (tenant: Tenant) => Promise<unknown>;
  /** Nobody got in, and nothing was verified. */
  readonly expectNobody: (tenant: Tenant) => Promise<void>;
}

/** Returns a stage for the tests of the file, or the block, that calls it. */
export function useStage(store: StoreName): Stage {
  const held: { provider?: Provider } = {};
  beforeAll(async () => {
    held.provider = await startProvider();
  });
  afterAll(() => held.provider?.stop());
  const api = useApi(store, {
    INLAY_BASE_URL: base,
    INLAY_ALLOW_PRIVATE_HOSTS: 'true',
    INLAY_SSO_ORIGINS: app,
  });
  const provider = (): Provider => {
    if (held.provider === undefined) throw new Error('no provider');
    return held.provider;
  };
  const browser = () => openBrowser(() => api.service);
  const rows = async (table: 'identity' | 'user' | 'authorization', organizationId: string): Promise<number> => {
    const statements = {
      identity: sql`select count(*) as n from identity where organization_id = ${organizationId}`,
      user: sql`select count(*) as n from "user" where organization_id = ${organizationId}`,
      authorization: sql`select count(*) as n from "authorization" where organization_id = ${organizationId} and identity_id is not null`,
    };
    return Number((await api.service.app.service.store.rows(statements[table]))[0]?.['n']);
  };
  const isVerified = async ({ configurationId, owner }: Tenant): Promise<unknown> =>
    (await api.get('ssoconfig', configurationId, owner))['is_verified'];
  const expectNobody = async (tenant: Tenant): Promise<void> => {
    expect(await isVerified(tenant)).toBe(false);
    const { organizationId } = tenant;
    expect([
      await rows('identity', organizationId),
      await rows('user', organizationId),
      await rows('authorization', organizationId),
    ]).toEqual([0, 1, 0]);
  };
  return { api, browser, provider, rows, isVerified, expectNobody };
}
