import type { RollupShape, StorageType } from '../../packages/query/src/index.ts';
import { rollupId } from '../../packages/service/src/data/rollups/stored.ts';
import type { Json } from '@inlay/contract';
import { settled } from './accelerations.ts';
import type { Api } from './api.ts';

const scanned = (name: string, storageType: StorageType) => ({ name, storageType });
const part = (name: 'count' | 'sum' | 'min' | 'max', column: string, type: StorageType) => ({
  name,
  of: { kind: 'column', relation: 'r', name: column, type } as const,
  reads: [scanned(column, type)],
});
const rows = { name: 'rows', of: null, reads: [] } as const;
const amounts = (['count', 'sum', 'min', 'max'] as const).map((name) => part(name, 'amount', 'decimal'));
const day = (level: 3 | 5) => ({ column: scanned('day', 'timestamp'), zone: 'UTC', level, weekstart: 1 });

/** Rollups of the tables of tenants. The first ones of orders have no tenants, so that only callers who see all rows may read them. */
const shapes: Readonly<Record<'orders' | 'customers', readonly RollupShape[]>> = {
  orders: [
    { columns: [scanned('region', 'text')], times: [], parts: [rows, ...amounts] },
    { columns: [scanned('quantity', 'integer')], times: [day(3)], parts: [rows, ...amounts] },
    {
      columns: [scanned('region', 'text'), scanned('tenant', 'text')],
      times: [day(5)],
      parts: [rows, ...amounts, part('sum', 'quantity', 'integer')],
    },
    {
      columns: [
        scanned('customer', 'integer'),
        scanned('quantity', 'integer'),
        scanned('region', 'text'),
        scanned('tenant', 'text'),
      ],
      times: [day(3)],
      parts: [rows, ...amounts, part('sum', 'quantity', 'integer')],
    },
  ],
  customers: [
    {
      columns: [scanned('id', 'integer'), scanned('tenant', 'text')],
      times: [],
      parts: [rows, part('min', 'name', 'text')],
    },
  ],
};

/** Switches rollups of a table of tenants on. */
export async function addRollups(api: Api, accelerationId: string, table: 'orders' | 'customers'): Promise<void> {
  const measured = { group_by: [], measures: [], rows: 0, copy_rows: 0, queries: 0, share: 0 };
  const proposals = shapes[table].map((shape) => ({ id: rollupId(shape), ...measured }));
  const stored: Json = JSON.parse(JSON.stringify(shapes[table]));
  const byId = Object.fromEntries(
    proposals.map(({ id }, index): readonly [string, Json] => [id, Array.isArray(stored) ? stored[index] : null]),
  );
  await api.service.app.service.store.write({ kind: 'propose rollups', id: accelerationId, proposals, shapes: byId });
  await api.update('acceleration', accelerationId, { rollup_ids: proposals.map(({ id }) => id) });
  const { rollups } = await settled(api, accelerationId);
  if (!Array.isArray(rollups) || rollups.length !== proposals.length) throw new Error(JSON.stringify(rollups));
}
