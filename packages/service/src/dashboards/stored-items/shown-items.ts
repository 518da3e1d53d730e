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

/** The datasets that are linked to a dashboard. */
export async function linkedDatasets(reader: Reader, dashboardId: string): Promise<ReadonlySet<string>> {
  const rows = await reader.rows(
    sql`select l.target_id from link l where l.first_id = ${dashboardId} and ${isDatasetOf('l')}`,
  );
  return new Set(rows.map((row) => String(row['target_id'])));
}

/** Contents in which each formula of an organization says its dataset, whoever may see it. */
export const withItemDatasets = async (reader: Reader, organizationId: string, contents: Json): Promise<Json> =>
  isObject(contents)
    ? withSlotDatasets(reader, () => sql`t.organization_id = ${organizationId}`, upgradeContents(contents))
    : contents;

/** The same with what slots leave to their columns and formulas, as far as the caller may see them. */
export async function withItemDefaults(
  reader: Reader,
  caller: Caller,
  resources: EntryResources,
  contents: Json,
): Promise<Json> {
  const whole = await withItemDatasets(reader, caller.organizationId, contents);
  return isObject(whole) ? withEntryDefaults(reader, resources, caller, whole) : whole;
}

/** The items of a dashboard in the version that is shown to a caller, and the datasets that are linked to it. */
export interface ShownItems {
  readonly items: readonly StoredItem[];
  readonly linked: ReadonlySet<string>;
  /** What its controls let readers set parameters to; read once. */
  readonly offers: () => ParameterOffers;
}

/** Reads the items of a dashboard; null where there is none that the caller may read. Raises Problem 403 `forbidden`. */
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
