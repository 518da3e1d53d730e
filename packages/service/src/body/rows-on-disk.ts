import { batchMost, batchRowsOf } from '../engine/engine.ts';
import { faultsMost, type PushedRows, type RowsOnDisk } from '../resource/incoming/rows.ts';
import { Problem } from '../problems/problem.ts';
import type { SentList } from './messages.ts';
import type { SpooledFile } from './spool.ts';
import type { BodyThread } from './thread.ts';

const megabyte = 1024 * 1024;
/** Maximum size of a row as sent, in bytes. Each row is parsed as a whole, here and in the engine. */
export const maxRowBytes = 4 * megabyte;

/** Raises Problem `rows_invalid` that lists the first rows above the size limit. */
function checkSizes(items: Float64Array): void {
  const faults: Record<string, readonly string[]> = {};
  for (let at = 0; at < items.length && Object.keys(faults).length < faultsMost; at += 2) {
    const bytes = (items[at + 1] ?? 0) - (items[at] ?? 0);
    if (bytes <= maxRowBytes) continue;
    faults[`properties.data[${at / 2}]`] = [
      `takes ${(bytes / megabyte).toFixed(1)} MB, a row may take ${maxRowBytes / megabyte} MB: shorten its texts, or spread it over several rows`,
    ];
  }
  if (Object.keys(faults).length > 0) throw new Problem('rows_invalid', { validation: faults });
}

/** Returns the rows of a body in a file. The body thread reads them from there. */
export function rowsOnDisk(list: SentList, spooledFile: SpooledFile, thread: BodyThread): RowsOnDisk {
  const { items, count, digest } = list;
  const { fd } = spooledFile;
  async function* batches(firstRow: number, places: readonly number[]): AsyncGenerator<string> {
    const maxRows = batchRowsOf(places.length) * 2;
    for (let at = firstRow * 2; at < items.length;) {
      const start = items[at] ?? 0;
      let end = at + 2;
      while (end < items.length && end - at < maxRows && (items[end + 1] ?? 0) - start <= batchMost.bytes) end += 2;
      const part = items.slice(at, end);
      yield await spooledFile.use(() => thread.work({ op: 'batch', fd, items: part, places }));
      at = end;
    }
  }
  return {
    count,
    digest,
    read: async (header): Promise<PushedRows> => {
      checkSizes(items);
      const survey = await spooledFile.use(() => thread.work({ op: 'survey', fd, items, header }));
      const firstRow = survey.header === null ? 0 : 1;
      return {
        ...survey,
        kinds: (place) => survey.kinds[place] ?? 0,
        batches: (places) => batches(firstRow, places),
      };
    },
  };
}
