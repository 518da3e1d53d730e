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

/** Everything about the viewer that affects drawing. */
export interface SizedContext {
  /** Measures text in the fonts of a picture; undefined on pages, where widths are estimated. */
  readonly measure?: FontMeasure | undefined;
  readonly theme: Theme;
  readonly formats: Formats;
  readonly words: Words;
  /** Colours of members, shared by all items of a page. */
  readonly colors: MemberColors;
  /** Current time in milliseconds since 1970. */
  readonly nowMs: number;
  /** Selected mark of the item; others are dimmed. */
  readonly chosen?: Mark | null;
  /** Legend names hidden by the viewer. */
  readonly hidden?: ReadonlySet<string>;
  /** Renders a tooltip on a page; undefined if the chart is not interactive. */
  readonly tooltipView?: (text: TooltipText) => unknown;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Whether marks have patterns in addition to colours. */
  readonly patterns: boolean;
  readonly reducedMotion: boolean;
  readonly rightToLeft: boolean;
}

/** An ECharts module to register with `use`. */
export type Part = Parameters<typeof use>[0];

/** A chart drawn by ECharts. */
export interface DrawnChart {
  readonly kind: 'drawn';
  readonly type: ItemType;
  readonly parts: Part;
  /**
   * Loads additional data, such as map shapes, and resolves to a chart that can draw any frame of the item. Absent if
   * the chart needs none.
   */
  readonly ready?: (frame: Frame, context: Pick<SizedContext, 'formats'>) => Promise<DrawnChart>;
  /** A note below the chart, such as unmatched members; null if there is nothing to report. */
  readonly note?: (frame: Frame, context: SizedContext) => string | null;
  /** The legend; null if the colours need no explanation. */
  readonly legend?: (frame: Frame, context: SizedContext) => Legend | null;
  /** The marks along its category axis, for clicks that hit no drawn mark. */
  readonly markAt?: (frame: Frame, context: SizedContext) => AxisMarks;
  /** Returns the complete ECharts option. Every datum has a function `mark` that returns its mark. */
  option(frame: Frame, context: SizedContext): EChartsCoreOption;
}

export interface LegendEntry {
  /** Key under which viewers hide the entry. */
  readonly name: string;
  readonly text: string;
  /** Additional text, such as a share. */
  readonly note: string;
  readonly color: string;
  /** Index of its pattern; null without patterns. */
  readonly pattern: number | null;
}

/** A legend and its position. `side` means at the side of a wide chart, and above a narrow one. */
export interface Legend {
  readonly entries: readonly LegendEntry[];
  readonly place: 'top' | 'bottom' | 'side';
}

/** The marks along a category axis. */
export interface AxisMarks {
  readonly axis: 'xAxis' | 'yAxis';
  /** `value` as in ECharts: the index of a member, or a time in milliseconds. */
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
  /** Whether the change is good, according to the item's options. */
  readonly tone: 'good' | 'bad' | 'neutral';
  readonly against: string;
}

export interface Figure {
  readonly text: string;
  /** Short form for narrow cards. */
  readonly short: string;
  /** Name of the period; empty if it has none. */
  readonly label: string;
  /** Colour from the item's rules, if one matches. */
  readonly color: string | null;
  /** Null without a comparison. */
  readonly change: Change | null;
  /** History, oldest first; empty without a time dimension. */
  readonly line: readonly { readonly text: string; readonly value: number | null }[];
  /** Target, and the fraction of it that is reached; null without a target. */
  readonly target: { readonly text: string; readonly share: number } | null;
}

export interface FilterControl {
  readonly kind: 'filter';
  readonly type: ItemType;
  /** Shows the options as a scrolling list. */
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
  /** Null if the item names no parameter. */
  parameter(item: Item, contents: JsonObject | null, context: SizedContext): ParameterSetting | null;
}

/** The state of a parameter control. */
export interface ParameterSetting {
  /** Name of the parameter. */
  readonly name: string;
  readonly control: Control;
  /** Current selection until the viewer changes it. */
  readonly chosen: FilterSelection;
  /** Parameter values for a selection, keyed by `parameterName`; null clears the parameter. */
  readonly valuesOf: (selection: FilterSelection) => JsonObject;
  /** Selection for `values`, cleared by an empty list; null if the control is fixed or does not offer them. */
  readonly startWith: (values: readonly Json[]) => InitialFilter | null;
}

/** Members specific to parameter controls. */
interface ParameterPart {
  /** Text when nothing is set; by default the text of an empty filter. */
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
      /** Whether it takes a single value instead of two ends. */
      readonly isSingle?: true;
      readonly least: number | null;
      readonly most: number | null;
      /** Default comparison; absent if the filter compares no periods. */
      readonly comparison?: ComparisonKind;
      readonly leastText: string;
      readonly maxText: string;
    }
  | { readonly kind: 'text'; readonly field: Field | null };

/** Non-chart content. */
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
  /** `frame` is null if the item has no query, or until its rows arrive. */
  content(item: Item, frame: Frame | null, context: SizedContext): Content;
}

/** An item type; each has its own file. */
export type Chart = DrawnChart | TableChart | FigureChart | FilterControl | ParameterChart | ContentChart;
