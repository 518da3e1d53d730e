import type { Json, JsonObject } from '@inlay/contract';
import { Failure, type Transport } from '../../transport.ts';

/** A view of a dashboard, or one item of it, as a viewer sees it. */
export interface ExportedView {
  readonly type: string;
  readonly dashboardId: string | null;
  readonly itemId: string | null;
  readonly theme: Json;
  /** Screen mode, language, zone, filters and levels, as an export takes them. */
  readonly more: JsonObject;
}

/** A file of what a viewer sees. Raises Failure. */
export async function exportedFile(
  transport: Transport,
  { type, dashboardId, itemId, theme, more }: ExportedView,
): Promise<Blob> {
  if (dashboardId === null)
    throw new Failure('not_stored', 0, 'Only what is stored in a dashboard can be exported.', 'Set dashboard-id.');
  const properties: JsonObject = {
    type,
    dashboard_id: dashboardId,
    ...(itemId === null ? {} : { item_id: itemId }),
    ...(theme === null ? {} : { theme: typeof theme === 'string' ? { id: theme } : theme }),
    ...more,
  };
  return (await transport.file('export', { action: 'create', properties })).blob();
}

/** Longer than any browser takes to begin with a file. */
const keptMs = 60_000;

/** Has the browser save a file under a name; what names of files cannot have is left out. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name.replaceAll(/["*/:<>?\\|]+/gu, ' ').trim();
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), keptMs);
}
