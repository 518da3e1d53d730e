import { writeFile } from 'node:fs/promises';
import { isDiskFull, isDiskUnwritable } from '../../problems/disk-full.ts';
import type { RenderOrder, RenderReply } from './renderer.ts';
import { draw } from '../drawing/drawing.ts';
import { marksOf, maxMarks } from '../drawing/marks.ts';
import { isDrawn } from '../export-spec.ts';
import { csvOf, withNames, xlsxOf } from '../tables/rows.ts';
import { readFilled } from '../spool.ts';

const tooMany = (marks: number): RenderReply => ({
  kind: 'too_large',
  message: `There are ${marks} cells and marks to draw, more than ${maxMarks}. Narrow the rows with a filter or a coarser level, or ask for one item with item_id.`,
});

/** Renders the file of a job, or returns why that failed. */
async function fileOf({ job, answers }: RenderOrder): Promise<Uint8Array | RenderReply> {
  const items = await readFilled(answers, job.items);
  if (isDrawn(job.type)) {
    const marks = items.reduce((sum, item) => sum + marksOf(item), 0);
    return marks > maxMarks ? tooMany(marks) : draw(job, items);
  }
  const [only] = items;
  if (only === undefined || only.failure !== null)
    return {
      kind: 'refused',
      message: `The rows of the item cannot be computed: ${only?.failure ?? 'no answer came.'}`,
    };
  const rows = withNames(only, job.locale);
  return job.type === 'csv' ? csvOf(job, rows, only) : xlsxOf(job, rows, only);
}

/** Reads the spooled rows of an order and writes its file. Never rejects. */
export async function renderFile(order: RenderOrder): Promise<RenderReply> {
  try {
    const file = await fileOf(order);
    if (!(file instanceof Uint8Array)) return file;
    await writeFile(order.result, file, { mode: 0o600 });
    return { kind: 'rendered' };
  } catch (error) {
    if (isDiskFull(error)) return { kind: 'disk_full' };
    if (isDiskUnwritable(error)) return { kind: 'disk_unwritable' };
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}
