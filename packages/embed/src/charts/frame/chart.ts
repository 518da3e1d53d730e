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

/** A line of a tooltip: what it is about, and its value. */
export interface TooltipRow {
  readonly color: string | null;
  readonly label: string;
  readonly value: string;
  /** Beside the value, such as its share. */
  readonly note?: string;
  readonly isTotal?: true;
}

/** What a tooltip says. */
export interface TooltipText {
  readonly title: string;
  readonly rows: readonly TooltipRow[];
}

/** How a viewer wants it. */
export interface Look {
  /** Of texts in the fonts that a picture is drawn in; absent on pages, where widths are estimated. */
  readonly measure?: FontMeasure | undefined;
  readonly theme: Theme;
  readonly formats: Formats;
  readonly words: Words;
  /** Colours of members, the same for every item of a page. */
  readonly colors: MemberColors;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** What is chosen in the item: other marks are dimmed. */
  readonly chosen?: Mark | null;
  /** Names of the legend that the viewer hid. */
  readonly hidden?: ReadonlySet<string>;
  /** Makes what a page shows as a tooltip; absent where nobody points. */
  readonly tooltipView?: (text: TooltipText) => unknown;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Marks carry patterns beside colours. */
  readonly patterns: boolean;
  readonly reducedMotion: boolean;
  readonly rightToLeft: boolean;
}

/** A part of ECharts that a chart needs, as `use` takes it. */
export type Part = Parameters<typeof use>[0];

/** A chart drawn by ECharts. */
export interface DrawnChart {
  readonly kind: 'drawn';
  readonly type: ItemType;
  readonly parts: Part;
  /**
   * Loads what an item needs beside its rows, such as the shapes of a map, and gives the chart that has it; that one draws any
   * frame of the item. Absent where nothing is needed.
   */
  readonly ready?: (frame: Frame, look: Pick<Look, 'formats'>) => Promise<DrawnChart>;
  /** What has to be told beside the chart, such as which members have no place in it; null where nothing has. */
  readonly note?: (frame: Frame, look: Look) => string | null;
  /** What its colours stand for; null where that needs no telling. */
  readonly legend?: (frame: Frame, look: Look) => Legend | null;
  /** What lies at a place of its axis of members, whether a mark is drawn there or not; null where nothing does. */
  readonly markAt?: (frame: Frame, look: Look) => AxisMarks;
  /** The whole option object; every datum carries under `mark` a function that gives its mark. */
  option(frame: Frame, look: Look): EChartsCoreOption;
}

/** What a colour of a chart stands for. */
export interface LegendEntry {
  /** By which it is hidden. */
  readonly name: string;
  readonly text: string;
  /** Behind the text, such as a share. */
  readonly note: string;
  readonly color: string;
  /** Which pattern its marks carry beside the colour; null where they carry none. */
  readonly pattern: number | null;
}

/** What the colours of a chart stand for, and where that is told: `side` is beside a chart that is wide enough, else above it. */
export interface Legend {
  readonly entries: readonly LegendEntry[];
  readonly place: 'top' | 'bottom' | 'side';
}

/** The marks of the members along an axis. */
export interface AxisMarks {
  readonly axis: 'xAxis' | 'yAxis';
  /** `value` as ECharts has it: the number of a member, or milliseconds. */
  at(value: number): Mark | null;
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

/** How a number changed from what it was. */
export interface Change {
  readonly text: string;
  readonly direction: 'up' | 'down' | 'flat';
  /** Whether that is good, as the item says. */
  readonly tone: 'good' | 'bad' | 'neutral';
  readonly against: string;
}

export interface Figure {
  readonly text: string;
  /** The same where there is little room. */
  readonly short: string;
  /** The period that it is of; empty where it has none. */
  readonly label: string;
  /** By the rules of the item; null where none fits. */
  readonly color: string | null;
  /** Null where there is nothing to compare with. */
  readonly change: Change | null;
  /** Values over time, oldest first; empty where there is no evolution. */
  readonly line: readonly { readonly text: string; readonly value: number | null }[];
  /** What it should be, and how much of that it is; null where there is no target. */
  readonly target: { readonly text: string; readonly share: number } | null;
}

/** An item by which a viewer filters the others. */
export interface FilterControl {
  readonly kind: 'filter';
  readonly type: ItemType;
  /** Its members stand below each other and scroll. */
  readonly scrolls?: true;
  control(frame: Frame, look: Look): Control;
  readonly parameter?: undefined;
}

/** An item by which a viewer sets a parameter; it needs no rows. */
export interface ParameterChart {
  readonly kind: 'filter';
  readonly type: ItemType;
  readonly control?: undefined;
  readonly scrolls?: undefined;
  /** Null where the item names no parameter. */
  parameter(item: Item, contents: JsonObject | null, look: Look): ParameterSetting | null;
}

/** What a viewer sets a parameter with. */
export interface ParameterSetting {
  /** Of the parameter. */
  readonly name: string;
  readonly control: Control;
  /** What is in force until a viewer sets something else. */
  readonly chosen: FilterSelection;
  /** What is set by a selection, by `parameterName`; null in place of a value where nothing is. */
  readonly valuesOf: (chosen: FilterSelection) => JsonObject;
  /** What the control is set to by values, unset by none; null where it is fixed or does not offer them. */
  readonly startWith: (values: readonly Json[]) => InitialFilter | null;
}

/** What a control of a parameter has beside that of a filter. */
interface ParameterPart {
  /** What is told where nothing is set; by default that all is let through. */
  readonly unset?: string;
  /** Whether nobody can set it. */
  readonly isFixed?: boolean;
}

/** What a filter or a control of a parameter offers. */
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
      /** Whether it is one value in place of two ends. */
      readonly isSingle?: true;
      readonly least: number | null;
      readonly most: number | null;
      /** What a period is compared with where nobody chose; absent where none is compared. */
      readonly comparison?: ComparisonKind;
      readonly leastText: string;
      readonly mostText: string;
    }
  | { readonly kind: 'text'; readonly field: Field | null };

/** What stands between charts. */
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

/** An item that shows what its contents say; it needs no rows. */
export interface ContentChart {
  readonly kind: 'content';
  readonly type: ItemType;
  /** `frame` is null where the item asks for nothing, or its rows are not there. */
  content(item: Item, frame: Frame | null, look: Look): Content;
}

/** One type of item: one file each. */
export type Chart = DrawnChart | TableChart | FigureChart | FilterControl | ParameterChart | ContentChart;
