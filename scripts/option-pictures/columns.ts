import type { JsonObject } from '@inlay/contract';
import type { ModelColumn, StorageType } from '@inlay/query';

/** The columns: their names, what they hold and how they are kept. Their ids are their names in lower case. */
export const columns = {
  date: { label: 'Date', type: 'datetime', storageType: 'timestamp' },
  delivery: { label: 'Delivery', type: 'datetime', storageType: 'timestamp' },
  country: { label: 'Country', type: 'hierarchy', storageType: 'text' },
  channel: { label: 'Channel', type: 'hierarchy', storageType: 'text' },
  product: { label: 'Product', type: 'hierarchy', storageType: 'text' },
  revenue: { label: 'Revenue', type: 'numeric', storageType: 'double' },
  result: { label: 'Result', type: 'numeric', storageType: 'double' },
  orders: { label: 'Orders', type: 'numeric', storageType: 'double' },
  returns: { label: 'Returns', type: 'numeric', storageType: 'double' },
  margin: { label: 'Margin', type: 'numeric', storageType: 'double' },
  seconds: { label: 'Seconds', type: 'numeric', storageType: 'double' },
  traffic: { label: 'Traffic', type: 'numeric', storageType: 'double' },
} as const satisfies Readonly<
  Record<string, { readonly label: string; readonly type: ModelColumn['type']; readonly storageType: StorageType }>
>;
export type ColumnId = keyof typeof columns;
const isColumnId = (id: string): id is ColumnId => Object.hasOwn(columns, id);
const ids = Object.keys(columns).filter(isColumnId);

/** Returns an entry with the name and the type of its column, as the service adds them where it does not say. */
export function completed(entry: JsonObject): JsonObject {
  const id = ids.find((one) => one === entry['columnId']);
  if (id === undefined) return entry;
  const { label, type } = columns[id];
  return { label, type, ...entry };
}
