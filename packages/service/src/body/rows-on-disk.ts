import type { BatchColumn } from '../engine/engine.ts';
import type { PushedRows, RowsOnDisk } from '../rows/pushed.ts';
import type { SentList } from './messages.ts';
import type { Spooled } from './spool.ts';
import type { BodyThread } from './thread.ts';

/** What one batch holds, as it was sent. */
const batchBytes = 4 * 1024 * 1024;
const batchRows = 2000;

/** The rows of a body that lies in a file; they are read there by the thread for bodies. */
export function rowsOnDisk(list: SentList, spooled: Spooled, thread: BodyThread): RowsOnDisk {
  const { items, count, digest } = list;
  const { fd } = spooled;
  async function* batches(
    first: number,
    columns: readonly BatchColumn[],
    places: readonly number[],
  ): AsyncGenerator<string> {
    const kept = columns.map((column) => column.kept);
    for (let at = first * 2; at < items.length;) {
      const start = items[at] ?? 0;
      let next = at + 2;
      while (next < items.length && next - at < batchRows * 2 && (items[next + 1] ?? 0) - start <= batchBytes)
        next += 2;
      const part = items.slice(at, next);
      yield await spooled.use(() => thread.work({ op: 'batch', fd, items: part, places, kept }));
      at = next;
    }
  }
  return {
    count,
    digest,
    read: async (header): Promise<PushedRows> => {
      const survey = await spooled.use(() => thread.work({ op: 'survey', fd, items, header }));
      const first = survey.header === null ? 0 : 1;
      return {
        ...survey,
        kept: (place) => survey.kept[place] ?? 'text',
        batches: (columns, places) => batches(first, columns, places),
      };
    },
  };
}
