import type { Migration } from '../migrate.ts';

/** Adds addresses that refresh accelerations. */
export const refreshWebhooks: Migration = {
  id: 23,
  name: 'refresh webhooks',
  addsOnly: true,
  statements: () => [
    'alter table acceleration add column webhook_hash text',
    'create index "acceleration__webhook_hash__index" on acceleration (webhook_hash) where webhook_hash is not null',
  ],
};
