import type { ItemType } from '../charts.ts';
import { newestContents } from '../contents.ts';
import type { ItemSlots } from './slots.ts';
import type { ExportFormat } from '../item/item-menu.ts';
import type { NumberNotation, TimePart } from '../item/item.ts';
import type { Json, JsonObject } from '../json.ts';

/** A heading: a text, or one per language. */
export type Words = string | Readonly<Record<string, string>>;

/** How a column or formula is shown in a slot; what is not said follows the column. */
export interface EntryOptions {
  readonly label?: Words;
  readonly type?: 'numeric' | 'datetime' | 'hierarchy' | 'spatial';
  /** A d3 number format such as `,.2f`, or a date pattern such as `%d-%m-%Y`. */
  readonly format?: string;
  /** ISO 4217 code, or `viewer`. */
  readonly currency?: string;
  readonly unit?: string;
  readonly notation?: NumberNotation;
  readonly aggregationFunc?:
    'sum' | 'cumulativesum' | 'average' | 'median' | 'min' | 'max' | 'stddev' | 'count' | 'distinctcount' | 'none';
  /** Level of a time or hierarchy, from 1. */
  readonly level?: number;
  readonly lowestLevel?: number;
  /** Groups by a part of a time instead of a level. */
  readonly datetimeDisplayMode?: TimePart;
  readonly bins?: { readonly enabled: boolean; readonly number: number };
  /** Where the cells of a table lead. */
  readonly link?: LinkTarget;
}

/** Where a cell or mark leads: an address with values in braces, or a dashboard. */
export type LinkTarget =
  | { readonly href: string; readonly target?: '_blank' | '_self' }
  | { readonly dashboardId: string }
  | { readonly dashboardSlug: string };

/** One entry of a slot. */
export interface Entry extends EntryOptions {
  readonly datasetId: string;
  readonly columnId?: string;
  readonly formulaId?: string;
  readonly formula?: string;
}

/** A column of a dataset in a slot. */
export const column = (datasetId: string, columnId: string, options: EntryOptions = {}): Entry => ({
  datasetId,
  columnId,
  ...options,
});

/** A stored formula of a dataset in a slot. */
export const storedFormula = (datasetId: string, formulaId: string, options: EntryOptions = {}): Entry => ({
  datasetId,
  formulaId,
  ...options,
});

/** The text of a formula over a dataset in a slot. */
export const formula = (datasetId: string, text: string, options: EntryOptions = {}): Entry => ({
  datasetId,
  formula: text,
  ...options,
});

/** One value of a parameter. */
type ChoiceValue = string | number | boolean;

/** What each type has beside the options of all items. */
interface OwnOptions {
  readonly 'area-chart': { readonly stacked?: boolean };
  readonly 'bar-chart': { readonly stacked?: boolean; readonly oneColor?: boolean };
  readonly 'column-chart': { readonly stacked?: boolean; readonly oneColor?: boolean };
  readonly 'dropdown-filter': { readonly multiple?: boolean };
  readonly 'slicer-filter': { readonly multiple?: boolean; readonly style?: 'list' | 'buttons' };
  readonly text: { readonly text: Words; readonly align?: 'start' | 'center' | 'end' };
  readonly image: {
    readonly src: string;
    readonly alt?: Words;
    readonly align?: 'start' | 'center' | 'end';
    readonly fit?: 'contain' | 'cover';
  };
  readonly 'parameter-control': {
    /** Name of the parameter, such as `metadata.region`. */
    readonly parameter: string;
    readonly choices?: readonly (ChoiceValue | { readonly value: ChoiceValue; readonly label?: Words })[];
    readonly style?: 'list' | 'buttons';
  };
  readonly tabs: {
    readonly tabs: readonly { readonly id: string; readonly title: Words; readonly items: readonly string[] }[];
  };
}
/** A value from which a colour counts, and up to which. */
interface ColorRule {
  readonly min?: number;
  readonly max?: number;
  readonly color: string;
  readonly index?: number;
}
interface AxisOptions {
  readonly title?: Words;
  readonly show?: boolean;
  readonly inverted?: boolean;
  readonly format?: string;
  readonly min?: number;
  readonly max?: number;
  readonly scale?: 'linear' | 'log';
}
interface ReferenceLine {
  readonly type?: 'constant' | 'mean' | 'median' | 'today';
  readonly value?: number;
  readonly to?: number;
  readonly label?: Words;
  readonly color?: string;
}
interface MenuOptions {
  /** Whether there is a menu; there is by default. */
  readonly menu?: boolean;
  /** Formats of the files that the menu offers; all by default. */
  readonly exports?: readonly ExportFormat[];
}
interface CommonOptions extends MenuOptions {
  /** Where marks, and in tables cells of dimensions, lead. */
  readonly link?: LinkTarget;
  /** Entries of the menu that are of the page. */
  readonly actions?: readonly { readonly id: string; readonly label: Words }[];
  /** Order of rows: by the values of a slot, of another column or formula, or the members of a slot by hand. */
  readonly sort?: Partial<Entry> & {
    readonly by?: string;
    readonly index?: number;
    readonly order?: 'asc' | 'desc';
    readonly members?: readonly string[];
  };
  /** At most so many rows. */
  readonly limit?: number;
  /** What is beyond the limit is shown as one. */
  readonly others?: boolean;
  readonly description?: Words;
  readonly colors?: Readonly<Record<string, string>>;
  readonly rules?: readonly ColorRule[];
  readonly axis?: { readonly category?: AxisOptions; readonly value?: AxisOptions };
  readonly legend?: 'auto' | 'top' | 'bottom' | 'none';
  readonly labels?: 'auto' | 'all' | 'none';
  readonly percent?: boolean;
  readonly curve?: 'straight' | 'smooth' | 'step';
  readonly points?: boolean;
  readonly references?: readonly ReferenceLine[];
  readonly trend?: boolean;
  readonly comparison?: { readonly with?: 'previous' | 'year' | 'none'; readonly lowerIsBetter?: boolean };
  readonly range?: { readonly min?: number; readonly max?: number };
  readonly shapes?: readonly ('column' | 'line' | 'area')[];
  readonly totals?: boolean;
  readonly subtotals?: boolean;
  readonly sparkline?: { readonly datasetId: string; readonly columnId: string; readonly level?: number };
  readonly scale?: { readonly type?: 'sequential' | 'diverging'; readonly middle?: number };
}
type OptionsOf<Type extends ItemType> = CommonOptions & (Type extends keyof OwnOptions ? OwnOptions[Type] : object);

/** Where an item stands: columns and rows of the grid, 48 columns wide by default. */
export interface Position {
  readonly col: number;
  readonly row: number;
  readonly sizeX: number;
  readonly sizeY: number;
}

/** What a builder of an item takes. */
export type ItemInput<Type extends ItemType> = {
  /** Unique in the dashboard. */
  readonly id: string;
  readonly position: Position;
  readonly title?: Words;
  readonly options?: OptionsOf<Type>;
} & ItemSlots[Type];

const wire = (name: string): string => name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);

const entryOf = (entry: Entry): JsonObject =>
  Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));

/** A builder of one type of item. */
const builder =
  <Type extends ItemType>(type: Type) =>
  ({ id, position, title, options, ...slots }: ItemInput<Type>): JsonObject => ({
    id,
    type,
    position: { ...position },
    ...(title === undefined ? {} : { title }),
    options: Object.fromEntries(Object.entries(options ?? {})),
    slots: Object.entries(slots).map(([name, held]: [string, unknown]) => ({
      name: wire(name),
      content: entriesOf(held).map(entryOf),
    })),
  });

const isEntry = (value: unknown): value is Entry => typeof value === 'object' && value !== null && 'datasetId' in value;
const entriesOf = (held: unknown): readonly Entry[] =>
  Array.isArray(held) ? held.filter(isEntry) : isEntry(held) ? [held] : [];

export const areaChart = builder('area-chart');
export const barChart = builder('bar-chart');
export const bubbleChart = builder('bubble-chart');
export const circlePackChart = builder('circle-pack-chart');
export const columnChart = builder('column-chart');
export const donutChart = builder('donut-chart');
export const lineChart = builder('line-chart');
export const evolutionNumber = builder('evolution-number');
export const conditionalNumber = builder('conditional-number');
export const bulletChart = builder('bullet-chart');
export const circularGauge = builder('circular-gauge');
export const speedometerChart = builder('speedometer-chart');
export const combinationChart = builder('combination-chart');
export const heatTable = builder('heat-table');
export const funnelChart = builder('funnel-chart');
export const waterfallChart = builder('waterfall-chart');
export const histogram = builder('histogram');
export const choroplethMap = builder('choropleth-map');
export const symbolMap = builder('symbol-map');
export const pivotTable = builder('pivot-table');
export const regularTable = builder('regular-table');
export const scatterPlot = builder('scatter-plot');
export const sunburstChart = builder('sunburst-chart');
export const treemapChart = builder('treemap-chart');
export const dateFilter = builder('date-filter');
export const dateComparisonFilter = builder('date-comparison-filter');
export const dropdownFilter = builder('dropdown-filter');
export const searchFilter = builder('search-filter');
export const slicerFilter = builder('slicer-filter');
export const sliderFilter = builder('slider-filter');
export const text = builder('text');
export const image = builder('image');
export const divider = builder('divider');
export const spacer = builder('spacer');
export const tabs = builder('tabs');
export const parameterControl = builder('parameter-control');

/** Options of a dashboard. */
export interface DashboardOptions extends MenuOptions {
  /** Id of a theme, or the name of a built-in one. */
  readonly theme?: string;
  /** IANA time zone; without one, that of the viewer. */
  readonly timeZone?: string;
  /** Columns of the grid, 48 by default. */
  readonly columns?: number;
  /** Height of a row in px, 16 by default. */
  readonly rowHeight?: number;
  /** Filters that hold for every item over their datasets, all of them; see `filter`. */
  readonly filters?: readonly JsonObject[];
  /** Parameters that values of filters name, with the values where a token gives none. */
  readonly parameters?: readonly JsonObject[];
}

/**
 * A filter: `filter('? in ?', column(dataset, region), ['Europe', 'Asia'])`. Null tests take no value.
 * specification/data-queries#filters
 */
export const filter = (expression: string, { datasetId, columnId, level }: Entry, value?: Json): JsonObject => ({
  expression,
  parameters: [
    { dataset_id: datasetId, column_id: columnId ?? '', ...(level === undefined ? {} : { level }) },
    ...(value === undefined ? [] : [value]),
  ],
});

/** Contents of a dashboard with one view, which smaller screens show in their own layout. */
export const dashboardContents = (
  items: readonly JsonObject[],
  { theme = 'default', timeZone, filters = [], parameters = [], ...grid }: DashboardOptions = {},
): JsonObject => ({
  version: newestContents,
  syncScreenModes: true,
  datasetLinks: {},
  views: [
    {
      screenModus: 'desktop',
      options: { theme: { id: theme }, ...grid },
      filterGroups: filters.length === 0 ? [] : [{ id: 'filters', origin: 'global', condition: 'and', filters }],
      items: [...items],
    },
  ],
  parameters: [...parameters],
  timezone: timeZone === undefined ? { type: 'user' } : { type: 'fixed', id: timeZone },
});

export type { ItemSlots } from './slots.ts';
