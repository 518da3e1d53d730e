import { featureNames, featureOf, type Feature, type FeatureRight } from '@inlay/contract';
import type { Caller } from '../../access/caller.ts';
import { hasFeature } from '../../access/features.ts';
import { isDatasetOf } from '../../access/given.ts';
import { columnsOf, condition, permits } from '../../access/permits.ts';
import { securable } from '../../declare/roles.ts';
import { join, name, sql, text, type Sql } from '../../store/sql.ts';
import type { Reader } from '../../store/store.ts';

const aliasOf = ({ on, level }: FeatureRight): string => `${on}_${level}`;

/** Returns a column that is 1 if the caller holds the right on a dashboard, or on a dataset linked to it. */
function heldColumn(caller: Caller, dashboardId: string, right: FeatureRight): Sql {
  const holds = condition(permits(securable(right.level), caller, columnsOf(text('t'))));
  const rows =
    right.on === 'dashboard'
      ? sql`select 1 from securable t where t.id = ${dashboardId} and ${holds}`
      : sql`select 1 from link l join securable t on t.id = l.target_id
          where l.first_id = ${dashboardId} and ${isDatasetOf('l')} and ${holds}`;
  return sql`case when exists (${rows}) then 1 else 0 end as ${name(aliasOf(right))}`;
}

/**
 * Returns the features that a caller has and of whose rights the caller holds one on a dashboard or its datasets; without a
 * dashboard, those that the caller has. A caller who may see the dashboard is presumed.
 */
export async function allowedFeatures(
  reader: Reader,
  caller: Caller,
  dashboardId: string | null,
): Promise<readonly Feature[]> {
  const own = featureNames.filter(
    (feature) => featureOf(feature)?.withoutEffect !== true && hasFeature(caller, feature),
  );
  const rights = new Map(
    own.flatMap((feature) => {
      const { rights: needed = [] } = featureOf(feature) ?? {};
      return needed.map((right) => [aliasOf(right), right] as const);
    }),
  );
  if (dashboardId === null || rights.size === 0) return own;
  const columns = [...rights.values()].map((right) => heldColumn(caller, dashboardId, right));
  const [row = {}] = await reader.rows(sql`select ${join(columns, ', ')}`);
  return own.filter((feature) => {
    const { rights: needed } = featureOf(feature) ?? {};
    return needed === undefined || needed.some((right) => Number(row[aliasOf(right)]) === 1);
  });
}
