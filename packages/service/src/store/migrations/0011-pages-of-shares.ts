import type { Migration } from '../migrate.ts';

/**
 * Stores who made a share, whose rights limit its page; for existing shares, the owner of the dashboard. Tokens of a
 * share are deleted with it.
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
