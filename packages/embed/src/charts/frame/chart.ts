import type { ComparisonKind, Item, ItemType, Json, JsonObject, FilterSelection } from '@inlay/contract';
import type { InitialFilter } from '@inlay/contract/initial-filter';
import type { Theme } from '@inlay/contract/theme';
import type { Block } from '../content/markdown.ts';
import type { EChartsCoreOption, use } from 'echarts/core';
import type { Formats } from '../../locale/format.ts';
import type { Words } from '../../locale/words.ts';
import type { Mark } from './mark.ts';
import type { MemberColors } from './member-colors.ts';
import type { FontMeasure } from './font-measure.ts';
import type { Field, Frame } from './frame.ts';
import type { Table } from './table.ts';

/** One line of a tooltip. */
export interface TooltipRow {
  readonly color: string | null;
  readonly label: string;
  readonly value: string;
  /** Additional text, such as a share. */
  readonly note?: string;
  readonly isTotal?: true;
}

export interface TooltipText {
  readonly title: string;
  readonly rows: readonly TooltipRow[];
}

/** Everything about a viewer, and about the size of an item, that affects drawing. */
export interface SizedContext {
  /** Measures text in the fonts of a picture. Undefined in pages, where widths are estimated. */
  readonly measure?: FontMeasure | undefined;
  readonly theme: Theme;
  readonly formats: Formats;
  readonly words: Words;
  /** Colours of members, shared by all items of a page. */
  readonly colors: MemberColors;
  /** Current time in milliseconds since 1970. */
  readonly nowMs: number;
  /** Selected mark of the item. All other marks are dimmed. */
  readonly chosen?: Mark | null;
  /** Names of the legend entries that the viewer has hidden. */
  readonly hidden?: ReadonlySet<string>;
  /** Renders a tooltip on a page; undefined if the chart is not interactive. */
  readonly tooltipView?: (text: TooltipText) => unknown;
  readonly widthPx: number;
  readonly heightPx: number;
  /** True if marks have patterns in addition to colours. */
  readonly patterns: boolean;
  readonly reducedMotion: boolean;
  readonly rightToLeft: boolean;
  /** True if the viewer may set no filters or parameters: controls show their selection. */
  readonly isReadOnly?: boolean;
}

/** An ECharts module to register with `use`. */
export type Part = Parameters<typeof use>[0];

/** A chart drawn by ECharts. */
export interface DrawnChart {
  readonly kind: 'drawn';
  readonly type: ItemType;
  readonly parts: Part;
  /**
   * Loads additional data, such as map shapes. Resolves to a chart that can draw any frame of the item. Undefined if
   * the chart needs no additional data.
   */
  readonly ready?: (frame: Frame, context: Pick<SizedContext, 'formats'>) => Promise<DrawnChart>;
  /**
   * Returns a note below the chart, such as one about members without a location; null if there is nothing to report.
   */
  readonly note?: (frame: Frame, context: SizedContext) => string | null;
  /** Returns the legend; null if the colours need no explanation. */
  readonly legend?: (frame: Frame, context: SizedContext) => Legend | null;
  /** Returns the marks along the category axis, for clicks that hit no drawn mark. */
  readonly markAt?: (frame: Frame, context: SizedContext) => AxisMarks;
  /** Returns the complete ECharts option. Every datum has a function `mark` that returns its mark. */
  option(frame: Frame, context: SizedContext): EChartsCoreOption;
}

export interface LegendEntry {
  /** Name by which viewers hide the entry. */
  readonly name: string;
  readonly text: string;
  /** Additional text, such as a share. */
  readonly note: string;
  readonly color: string;
  /** Index of the entry's pattern; null if marks have no patterns. */
  readonly pattern: number | null;
}

/** A legend and its position. `side` is at the side of a wide chart, but above a narrow one. */
export interface Legend {
  readonly entries: readonly LegendEntry[];
  readonly place: 'top' | 'bottom' | 'side';
}

/** The marks along a category axis. */
export interface AxisMarks {
  readonly axis: 'xAxis' | 'yAxis';
  /**
   * Returns the mark at a value of the axis. As in ECharts, `value` is the index of a member, or a time in
   * milliseconds.
   */
  at(value: number): Mark | null;
}

export interface TableChart {
  readonly kind: 'table';
  readonly type: ItemType;
  table(frame: Frame, context: SizedContext): Table;
}

/** A single number with its context. */
export interface FigureChart {
  readonly kind: 'figure';
  readonly type: ItemType;
  figure(frame: Frame, context: SizedContext): Figure;
}

/** Change from a previous value. */
export interface Change {
  readonly text: string;
  readonly direction: 'up' | 'down' | 'flat';
  /** Says if the change is good or bad, according to the item's options. */
  readonly tone: 'good' | 'bad' | 'neutral';
  readonly against: string;
}

export interface Figure {
  readonly text: string;
  /** Short form for narrow cards. */
  readonly short: string;
  /** Name of the period that the value belongs to; empty if there is none. */
  readonly label: string;
  /** Colour from the item's rules; null if no rule matches. */
  readonly color: string | null;
  /** Change from the compared value; null if there is no comparison. */
  readonly change: Change | null;
  /** Previous values, oldest first; empty if the item has no time dimension. */
  readonly line: readonly { readonly text: string; readonly value: number | null }[];
  /** The target, and the share of it that the value reaches; null if there is no target. */
  readonly target: { readonly text: string; readonly share: number } | null;
}

export interface FilterControl {
  readonly kind: 'filter';
  readonly type: ItemType;
  /** If true, the options are a list that scrolls. */
  readonly scrolls?: true;
  control(frame: Frame, context: SizedContext): Control;
  readonly parameter?: undefined;
}

/** A control that sets a parameter; it needs no rows. */
export interface ParameterChart {
  readonly kind: 'filter';
  readonly type: ItemType;
  readonly control?: undefined;
  readonly scrolls?: undefined;
  /** Returns the state of the control; null if the item names no parameter. */
  parameter(item: Item, contents: JsonObject | null, context: SizedContext): ParameterSetting | null;
}

/** The state of a parameter control. */
export interface ParameterSetting {
  /** Name of the parameter. */
  readonly name: string;
  readonly control: Control;
  /** The selection until the viewer changes it. */
  readonly chosen: FilterSelection;
  /** Returns the parameter values of a selection, keyed by `parameterName`. A null value clears the parameter. */
  readonly valuesOf: (selection: FilterSelection) => JsonObject;
  /**
   * Returns the selection of `values`; an empty list clears the selection. Null if viewers cannot change the control,
   * or if it does not offer these values.
   */
  readonly startWith: (values: readonly Json[]) => InitialFilter | null;
}

/** Members that only parameter controls have. */
interface ParameterPart {
  /** Text of a control without a value. By default it is the text of an empty filter. */
  readonly unset?: string;
  /** True if viewers cannot change the value. */
  readonly isFixed?: boolean;
}

/** Input of a filter or parameter control. */
export type Control = ParameterPart & FilterOffer;

type FilterOffer =
  | {
      readonly kind: 'choice';
      readonly field: Field | null;
      readonly many: boolean;
      readonly view: 'dropdown' | 'list' | 'buttons';
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
      /** True if the viewer enters a single value instead of two ends. */
      readonly isSingle?: true;
      readonly least: number | null;
      readonly most: number | null;
      /** Comparison period until the viewer changes it; undefined if the filter compares no periods. */
      readonly comparison?: ComparisonKind;
      readonly leastText: string;
      readonly maxText: string;
    }
  | { readonly kind: 'text'; readonly field: Field | null };

/** Content that is not a chart. */
export type Content =
  | { readonly kind: 'text'; readonly blocks: readonly Block[]; readonly align: 'start' | 'center' | 'end' }
  | {
      readonly kind: 'image';
      readonly src: string;
      readonly alt: string;
      readonly isCover: boolean;
      readonly align: 'start' | 'center' | 'end';
    }
  | { readonly kind: 'tabs'; readonly tabs: readonly { readonly id: string; readonly title: string }[] }
  | { readonly kind: 'line' | 'none' };

/** An item drawn from its contents alone. */
export interface ContentChart {
  readonly kind: 'content';
  readonly type: ItemType;
  /** Returns the content. `frame` is null if the item has no query, or until the rows of its query arrive. */
  content(item: Item, frame: Frame | null, context: SizedContext): Content;
}

/** How an item type is drawn. Each item type has its own file. */
export type Chart = DrawnChart | TableChart | FigureChart | FilterControl | ParameterChart | ContentChart;
