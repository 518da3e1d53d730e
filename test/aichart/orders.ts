import type { Api } from '../support/api.ts';
import type { ProviderServer } from './provider-server.ts';

/** Settings of a service that asks this provider. */
export const settingsFor = ({ baseUrl }: ProviderServer): Record<string, string> => ({
  INLAY_AI_BASE_URL: baseUrl,
  INLAY_AI_MODEL: 'a-model',
  INLAY_ALLOW_PRIVATE_HOSTS: 'true',
});

/** Makes a dataset of revenue by region in an organization that has AI charts switched on; returns its id. */
export async function makeOrders(api: Api): Promise<string> {
  await api.update('organization', api.organizationId, { flag_experimental_ai: true });
  const { id } = await api.create('dataset', { name: { en: 'Orders' } });
  for (const [order, [name, type]] of [
    ['Region', 'hierarchy'],
    ['Revenue', 'numeric'],
  ].entries())
    await api.create('column', { securable_id: id, type, name: { en: name }, order });
  return id;
}
