import type { Migration } from '../migrate.ts';
import { recordLast } from './0006-text-in-its-row.ts';

const tables = ['organization', 'integration', 'authorization'] as const;

/** Moves `feature_overrides` into columns, since every request of an embed token reads them. */
export const featuresOfTokens: Migration = {
  id: 27,
  name: 'features of tokens',
  statements: (dialect) =>
    tables.flatMap((table) => [
      `alter table "${table}" add column "feature_overrides" text`,
      `update "${table}" set "feature_overrides" = ${dialect === 'sqlite' ? 'record' : 'record::json'} ->> 'feature_overrides'`,
      ...(dialect === 'sqlite' && table === 'authorization' ? recordLast(table) : []),
    ]),
};
