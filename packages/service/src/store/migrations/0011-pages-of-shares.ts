import type { Migration } from '../migrate.ts';

/**
 * Stores who made a share, since the rights of this person limit what the page of the share shows. For existing shares,
 * this is the owner of the dashboard. Also deletes the tokens of a share with the share.
 */
export const pagesOfShares: Migration = {
  id: 11,
  name: 'pages of shares',
  statements: () => [
    'alter table "share" add column "user_id" text',
    'update "share" set "user_id" = (select s.owner_id from securable s where s.id = "share".securable_id)',
    'alter table "authorization" add column "share_id" text',
    'create index "authorization__share_id__index" on "authorization" ("share_id") where "share_id" is not null',
  ],
};
