import type { JsonObject } from '@inlay/contract';
import type { ModelColumn, StorageType } from '@inlay/query';

/** The columns: their names, what they hold and how they are kept. Their ids are their names in lower case. */
export const columns = {
  date: { label: 'Date', type: 'datetime', kept: 'timestamp' },
  delivery: { label: 'Delivery', type: 'datetime', kept: 'timestamp' },
  country: { label: 'Country', type: 'hierarchy', kept: 'text' },
  channel: { label: 'Channel', type: 'hierarchy', kept: 'text' },
  product: { label: 'Product', type: 'hierarchy', kept: 'text' },
  revenue: { label: 'Revenue', type: 'numeric', kept: 'double' },
  result: { label: 'Result', type: 'numeric', kept: 'double' },
  orders: { label: 'Orders', type: 'numeric', kept: 'double' },
  returns: { label: 'Returns', type: 'numeric', kept: 'double' },
  margin: { label: 'Margin', type: 'numeric', kept: 'double' },
  seconds: { label: 'Seconds', type: 'numeric', kept: 'double' },
  traffic: { label: 'Traffic', type: 'numeric', kept: 'double' },
} as const satisfies Readonly<
  Record<string, { readonly label: string; readonly type: ModelColumn['type']; readonly kept: StorageType }>
>;
export type ColumnId = keyof typeof columns;
const isColumnId = (id: string): id is ColumnId => Object.hasOwn(columns, id);
const ids = Object.keys(columns).filter(isColumnId);

/** An entry with the name and the type of its column, as the service adds them where it does not say. */
export function completed(entry: JsonObject): JsonObject {
  const id = ids.find((one) => one === entry['columnId']);
  if (id === undefined) return entry;
  const { label, type } = columns[id];
  return { label, type, ...entry };
}
