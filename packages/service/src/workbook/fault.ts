import type { Json } from '@inlay/contract';

/** A row of a sheet. Cells are strings, numbers, booleans, or null if empty. Dates are ISO 8601 strings. */
export type SheetRow = readonly Json[];

/** Raised if a workbook cannot be read. The message explains why and may be shown to users. */
export class WorkbookFault extends Error {}
