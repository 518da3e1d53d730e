import type { Rows } from './secrets/sealed-keys.ts';
import { sql } from './sql.ts';

/** A dataset version that the store refers to. */
export interface StoredVersion {
  readonly tenant: string;
  readonly datasetId: string;
  readonly version: string;
}

/** Lists the dataset versions that the store refers to. Raises what the store raises. */
export async function storedVersions(store: Rows): Promise<readonly StoredVersion[]> {
  const rows = await store.rows(
    sql`select organization_id, id, data_version from securable where data_version is not null order by id`,
  );
  return rows.map((row) => ({
    tenant: String(row['organization_id']),
    datasetId: String(row['id']),
    version: String(row['data_version']),
  }));
}
