/** Formats of exported files: first those of pictures, then those of rows. */
export const exportFormats = ['png', 'svg', 'pdf', 'xlsx', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];
