import { inLanguage, parametersOf, writeFilterSets, type Json, type JsonObject } from '@inlay/contract';
import { Failure } from '@inlay/client/transport';
import type { BoardController } from '../board-controller.ts';

/** Page settings that affect the look of a file. */
interface AppearanceSettings {
  readonly theme: Json;
  readonly patterns: boolean;
}

/** Exports a board or one of its items in its current state. Raises Failure. */
export async function exportedFile(
  board: BoardController,
  { theme, patterns }: AppearanceSettings,
  type: string,
  itemId: string | null,
): Promise<Blob> {
  const { viewer, model, timeZone, states } = board;
  if (model.storedIn === null)
    throw new Failure('not_stored', 0, 'Only what is stored in a dashboard can be exported.', 'Set dashboard-id.');
  const sets = board.allSets();
  const properties: JsonObject = {
    type,
    dashboard_id: model.storedIn,
    ...(itemId === null ? {} : { item_id: itemId }),
    ...(theme === null ? {} : { theme: typeof theme === 'string' ? { id: theme } : theme }),
    screen_mode: model.screen,
    locale_id: viewer.locale,
    timezone_id: timeZone,
    filters: writeFilterSets(sets),
    parameters: parametersOf(sets),
    steps: states.written(),
    patterns,
  };
  return (await viewer.transport.file('export', { action: 'create', properties })).blob();
}

/** Time in milliseconds after which every browser has started a download. */
const downloadMs = 60_000;

/** Downloads a file. Its name is the title of its item, without characters that are illegal in file names. */
export function saveFile(board: BoardController, itemId: string, file: Blob, format: string): void {
  const name = `${inLanguage(board.item(itemId)?.title, board.viewer.locale) || itemId}.${format}`;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name.replaceAll(/["*/:<>?\\|]+/gu, ' ').trim();
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), downloadMs);
}
