/** Formats of exported files: pictures, then rows. */
export const exportFormats = ['png', 'svg', 'pdf', 'xlsx', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];
