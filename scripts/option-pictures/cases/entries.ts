import type { JsonObject } from '@inlay/contract';
import type { ColumnId } from '../columns.ts';

/** Returns a column of the sales in a slot. */
export const column = (columnId: ColumnId, more: JsonObject = {}): JsonObject => ({
  datasetId: 'sales',
  columnId,
  ...more,
});
/** Euros of a column. */
export const euros = (columnId: ColumnId, more: JsonObject = {}): JsonObject =>
  column(columnId, { currency: 'EUR', format: ',.0f', ...more });
export const months = column('date', { level: 3 });
export const quarters = column('date', { level: 2 });
