import { type Json, type JsonObject, type View } from '@inlay/contract';
import type { Frame, Row } from '@inlay/embed/picture';
import type { OwnFont } from './drawing/fonts.ts';
import type { Paper, SelectedMarks } from './drawing/pages.ts';
import type { FileType } from './export-spec.ts';
import type { ExportItem } from './queries.ts';

/** An item with the rows of its query. */
export interface FilledItem extends Pick<ExportItem, 'item' | 'query' | 'selection'> {
  /** Rows to compare a number with; null without a comparison. */
  readonly comparison: NonNullable<Frame['lines']> | null;
  readonly rows: readonly Row[];
  readonly truncated: boolean;
  /** Why the query failed; null if it did not. */
  readonly failure: string | null;
}

/** Everything that a file needs except the rows. Plain data, so that it can be sent to another process. */
export interface RenderJob {
  readonly type: FileType;
  /** Columns of a file of rows, named as in the dashboard. */
  readonly columns: readonly FileColumn[];
  readonly title: Json;
  /** True if the title is drawn above the items. */
  readonly showsTitle: boolean;
  readonly view: View;
  /** The dashboard's contents, reduced to the parameters of controls. */
  readonly contents: JsonObject;
  readonly items: readonly ExportItem[];
  readonly themes: readonly Json[];
  readonly locale: string;
  readonly timeZone: string;
  /** ISO 4217 code of the viewer's currency; null if unknown. */
  readonly currency: string | null;
  /** Time of the request in ms since the epoch. */
  readonly nowMs: number;
  readonly widthPx: number;
  /** Pixels of a PNG per px of the drawing. */
  readonly scale: number;
  readonly patterns: boolean;
  /** Fonts of the organization used by themes. */
  readonly fonts: readonly OwnFont[];
  /** Null for a PDF of a single page as large as the drawing. */
  readonly paper: Paper | null;
  /** Marks selected by a viewer in charts. */
  readonly selections: readonly SelectedMarks[];
}

/** A column of a file: its label, and its index in the rows of the answer. */
export interface FileColumn {
  readonly heading: string;
  readonly place: number;
}
