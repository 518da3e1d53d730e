import { isObject, upgradeContents, type Json } from '@inlay/contract';
import type { Caller } from '../../access/caller.ts';
import { isDatasetOf } from '../../access/given.ts';
import { shownDashboard, type AppearanceContext } from '../appearance/load-appearance.ts';
import { withEntryDefaults, type EntryResources } from '../appearance/entry-defaults.ts';
import { withSlotDatasets } from '../appearance/slot-datasets.ts';
import { Problem } from '../../problems/problem.ts';
import { sql } from '../../store/sql.ts';
import type { Reader } from '../../store/store.ts';
import { offersIn, type ParameterOffers } from './parameter-offers.ts';
import { isTooLarge, storedItems, type StoredItem } from './stored-item.ts';

export async function linkedDatasets(reader: Reader, dashboardId: string): Promise<ReadonlySet<string>> {
  const rows = await reader.rows(
    sql`select l.target_id from link l where l.first_id = ${dashboardId} and ${isDatasetOf('l')}`,
  );
  return new Set(rows.map((row) => String(row['target_id'])));
}

/** Adds the dataset to each formula of an organization in contents, without an access check. */
export const withItemDatasets = async (reader: Reader, organizationId: string, contents: Json): Promise<Json> =>
  isObject(contents)
    ? withSlotDatasets(reader, () => sql`t.organization_id = ${organizationId}`, upgradeContents(contents))
    : contents;

/** Does what `withItemDatasets` does, and also adds the defaults of those columns and formulas that the caller may see. */
export async function withItemDefaults(
  reader: Reader,
  caller: Caller,
  resources: EntryResources,
  contents: Json,
): Promise<Json> {
  const completeContents = await withItemDatasets(reader, caller.organizationId, contents);
  return isObject(completeContents) ? withEntryDefaults(reader, resources, caller, completeContents) : completeContents;
}

/** The items of a dashboard that a caller sees, and the datasets linked to the dashboard. */
export interface ShownItems {
  readonly items: readonly StoredItem[];
  readonly linked: ReadonlySet<string>;
  /** Returns the parameter values that the dashboard's controls offer. They are computed only once. */
  readonly offers: () => ParameterOffers;
}

/** Reads the items of a dashboard; null if the caller may not read any. Raises Problem: 403 `forbidden`. */
export async function loadShownItems(
  context: AppearanceContext,
  caller: Caller,
  dashboardId: string,
): Promise<ShownItems | null> {
  const [record, linked] = await Promise.all([
    shownDashboard(context, caller, dashboardId),
    linkedDatasets(context.reader, dashboardId),
  ]);
  if (record === null) return null;
  const contents = record['contents'] ?? null;
  if (isTooLarge(contents))
    throw new Problem('forbidden', {
      message: 'This dashboard has more than 5,000 items and columns, so its items open no rows to readers.',
    });
  let offers: ParameterOffers | null = null;
  return { items: storedItems(contents), linked, offers: () => (offers ??= offersIn(contents)) };
}
