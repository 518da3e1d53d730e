import { type Json, type JsonObject, type View } from '@inlay/contract';
import type { Frame, Row } from '@inlay/embed/picture';
import type { OwnFont } from './drawing/fonts.ts';
import type { Paper, SelectedMarks } from './drawing/pages.ts';
import type { FileType } from './export-spec.ts';
import type { ExportItem } from './queries.ts';

/** An item with the rows of its query. */
export interface FilledItem extends Pick<ExportItem, 'item' | 'query' | 'selection'> {
  /** What a number is compared with; null without a comparison. */
  readonly comparison: NonNullable<Frame['lines']> | null;
  readonly rows: readonly Row[];
  readonly truncated: boolean;
  /** Why there are no rows. */
  readonly failure: string | null;
}

/** Everything that a file needs except the answers, as plain data. */
export interface RenderJob {
  readonly type: FileType;
  /** Names of the columns of a table, as its dashboard labels them in a language. */
  readonly columns: readonly FileColumn[];
  readonly title: Json;
  /** Whether the title is drawn above the items. */
  readonly showsTitle: boolean;
  readonly view: View;
  /** Contents with the parameters that controls set, and nothing else. */
  readonly contents: JsonObject;
  readonly items: readonly ExportItem[];
  readonly themes: readonly Json[];
  readonly locale: string;
  readonly timeZone: string;
  /** ISO 4217 code of the viewer's currency; null where none is known. */
  readonly currency: string | null;
  /** Time of the request, in milliseconds since 1970. */
  readonly nowMs: number;
  readonly widthPx: number;
  /** Pixels of a PNG for one of the drawing. */
  readonly scale: number;
  readonly patterns: boolean;
  /** Fonts of the organization that themes name. */
  readonly fonts: readonly OwnFont[];
  /** Null for a PDF of one page as large as the drawing. */
  readonly paper: Paper | null;
  /** Marks that a viewer selected in charts. */
  readonly selections: readonly SelectedMarks[];
}

/** A column of a file: its name, as the dashboard labels it in a language, and its place in the rows of the answer. */
export interface FileColumn {
  readonly heading: string;
  readonly place: number;
}
