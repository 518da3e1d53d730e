import type { ItemType, Json } from '@inlay/contract';
import type { EChartsCoreOption, use } from 'echarts/core';
import type { Formats } from '../../locale/format.ts';
import type { Theme } from '../../theme/theme.ts';
import type { Words } from '../../locale/words.ts';
import type { Field, Frame } from './frame.ts';

/** How a viewer wants it. */
export interface Look {
  readonly theme: Theme;
  readonly formats: Formats;
  readonly words: Words;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Marks carry patterns beside colours. */
  readonly patterns: boolean;
  readonly reducedMotion: boolean;
  readonly rightToLeft: boolean;
}

/** What a drawn mark stands for: cells of dimensions, by which other items can be filtered. */
export interface Mark {
  readonly cells: readonly { readonly field: Field; readonly cell: Json }[];
}

/** A part of ECharts that a chart needs, as `use` takes it. */
export type Part = Parameters<typeof use>[0];

/** A chart drawn by ECharts. */
export interface DrawnChart {
  readonly kind: 'drawn';
  readonly type: ItemType;
  readonly parts: Part;
  /** The whole option object; every datum carries under `mark` a function that gives its mark. */
  option(frame: Frame, look: Look): EChartsCoreOption;
}

/** A cell of a table that is shown as such. */
export interface TableCell {
  readonly text: string;
  readonly numeric: boolean;
  readonly header?: 'row';
  readonly rows?: number;
  readonly total?: true;
  readonly mark?: Mark;
}

/** A table: what pivot and regular tables are, and what stands behind every drawn chart. */
export interface Table {
  readonly head: readonly (readonly { readonly text: string; readonly columns: number; readonly numeric: boolean }[])[];
  readonly body: readonly (readonly TableCell[])[];
}

/** A chart that is a table. */
export interface TableChart {
  readonly kind: 'table';
  readonly type: ItemType;
  table(frame: Frame, look: Look): Table;
}

/** A figure with what it was before. */
export interface FigureChart {
  readonly kind: 'figure';
  readonly type: ItemType;
  figure(frame: Frame, look: Look): Figure;
}

export interface Figure {
  readonly text: string;
  readonly label: string;
  /** Against the period before; null where there is none. */
  readonly change: {
    readonly text: string;
    readonly rising: boolean;
    readonly flat: boolean;
    readonly against: string;
  } | null;
  /** Values over time, oldest first; empty where there is no evolution. */
  readonly line: readonly { readonly text: string; readonly value: number | null }[];
}

/** An item by which a viewer filters the others. */
export interface FilterControl {
  readonly kind: 'filter';
  readonly type: ItemType;
  control(frame: Frame, look: Look): Control;
}

/** What a filter offers. */
export type Control =
  | {
      readonly kind: 'choice';
      readonly field: Field | null;
      readonly many: boolean;
      readonly options: readonly {
        readonly key: string;
        readonly text: string;
        readonly cell: Json;
        readonly measure: string | null;
        readonly share: number | null;
      }[];
    }
  | {
      readonly kind: 'range';
      readonly field: Field | null;
      readonly datetime: boolean;
      readonly least: number | null;
      readonly most: number | null;
      readonly leastText: string;
      readonly mostText: string;
    };

/** One type of item: one file each. */
export type Chart = DrawnChart | TableChart | FigureChart | FilterControl;
