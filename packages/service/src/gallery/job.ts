import {
  isNumberType,
  itemQuery,
  memberRows,
  readItem,
  type Item,
  type ItemQuery,
  comparedQueries,
} from '@inlay/contract';
import type { RenderJob, FilledItem } from '../export/render-job.ts';
import type { DrawnType } from '../export/export-spec.ts';
import type { SpooledAnswer } from '../export/spool.ts';
import { galleryNowMs } from './gallery.ts';
import type { Sample } from './samples.ts';

/** Settings of a sample: id of a built-in theme, language, and sizes in px. */
export interface SampleSettings {
  readonly theme: string;
  readonly locale: string;
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * Returns the query of a sample, and the query that it is compared with (`compared`); null for a query that the sample
 * lacks.
 */
export const sampleQueries = (item: Item): { readonly query: ItemQuery | null; readonly compared: ItemQuery | null } =>
  isNumberType(item.type)
    ? comparedQueries({ item, own: [] }, [], { timezoneId: 'UTC', dashboardId: null }, galleryNowMs)
    : { query: itemQuery(item), compared: null };

/**
 * Returns the item of a sample with its rows, and a job that draws the item by itself. Raises Error if the sample is
 * not a valid item.
 */
export function jobOf(
  sample: Sample,
  settings: SampleSettings,
  type: DrawnType,
): { readonly job: RenderJob; readonly filled: FilledItem } {
  const sampleItem = readItem(sample.item);
  if (sampleItem === null) throw new Error(`${sample.name} is no item`);
  const item = { ...sampleItem, position: { col: 0, row: 0, sizeX: 1, sizeY: 1 } };
  const { query, compared } = sampleQueries(item);
  const comparison = compared === null ? null : { query: compared, rows: sample.soFar ?? [] };
  const rows = query === null ? [] : memberRows(query, sample.rows);
  return {
    filled: { item, query, comparison, selection: null, rows, truncated: false, failure: null },
    job: {
      type,
      columns: [],
      title: null,
      showsTitle: false,
      items: [{ item, query, comparison: compared, selection: null }],
      view: {
        mode: 'desktop',
        columns: 1,
        rowPx: settings.heightPx,
        items: [item],
        options: {},
        filterGroups: [],
        isStacked: false,
      },
      contents: sample.contents ?? {},
      themes: [{ id: settings.theme }, { margins: [0, 0] }],
      locale: settings.locale,
      timeZone: 'UTC',
      currency: 'EUR',
      nowMs: galleryNowMs,
      widthPx: settings.widthPx,
      scale: 1,
      patterns: false,
      fonts: [],
      paper: null,
      selections: [],
    },
  };
}

/** Returns the rows of a sample in the format of the spool file that the drawing reads. */
export function spoolOf({ rows, soFar = [] }: Sample): {
  readonly text: string;
  readonly answers: readonly SpooledAnswer[];
} {
  const lines = [rows, soFar];
  return {
    text: lines.map((data) => `${JSON.stringify(data)}\n`).join(''),
    answers: lines.map((_, line) => ({ kind: 'rows', line, truncated: false })),
  };
}
