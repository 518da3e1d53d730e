import type { Json } from '@inlay/contract';

/** One row of a sheet: texts, numbers, true or false, and null for empty cells. Dates are ISO 8601. */
export type SheetRow = readonly Json[];

/** Something about a workbook that keeps it from being read; `message` is fit for people. */
export class WorkbookFault extends Error {}
