import type { Json } from '@inlay/contract';

/** One row of a sheet: strings, numbers, booleans, and null for empty cells. Dates are ISO 8601. */
export type SheetRow = readonly Json[];

/** Why a workbook cannot be read; `message` is fit for users. */
export class WorkbookFault extends Error {}
