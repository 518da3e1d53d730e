/** Formats of files that a viewer may take of an item: pictures, then rows. */
export const exportFormats = ['png', 'svg', 'pdf', 'xlsx', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];
