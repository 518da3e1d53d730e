import type { ItemType } from '../charts.ts';
import { newestContents } from '../contents.ts';
import type { TimePart } from '../item.ts';
import type { Json, JsonObject } from '../json.ts';

/** A heading: a text, or one per language. */
export type Words = string | Readonly<Record<string, string>>;

/** How a column or formula is shown in a slot; what is not said follows the column. */
export interface EntryOptions {
  readonly label?: Words;
  readonly type?: 'numeric' | 'datetime' | 'hierarchy' | 'spatial';
  /** A d3 number format such as `,.2f`, or a date pattern such as `%d-%m-%Y`. */
  readonly format?: string;
  readonly aggregationFunc?:
    'sum' | 'cumulativesum' | 'average' | 'median' | 'min' | 'max' | 'stddev' | 'count' | 'distinctcount' | 'none';
  /** Level of a time or hierarchy, from 1. */
  readonly level?: number;
  readonly lowestLevel?: number;
  /** Groups by a part of a time instead of a level. */
  readonly datetimeDisplayMode?: TimePart;
  readonly bins?: { readonly enabled: boolean; readonly number: number };
}

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

type Several = Entry | readonly Entry[];
interface Line {
  readonly xAxis: Entry;
  readonly measure?: Several;
  readonly legend?: Entry;
}
interface Tiles {
  readonly category: Entry;
  readonly measure?: Entry;
  readonly color?: Entry;
}
interface Rings {
  readonly levels: Several;
  readonly measure?: Entry;
}

/** The slots of each type of item, in camel case. */
export interface ItemSlots {
  readonly 'area-chart': Line;
  readonly 'bar-chart': { readonly yAxis?: Entry; readonly measure?: Several; readonly legend?: Entry };
  readonly 'bubble-chart': Tiles;
  readonly 'circle-pack-chart': Rings;
  readonly 'column-chart': { readonly xAxis?: Entry; readonly measure?: Several; readonly legend?: Entry };
  readonly 'donut-chart': { readonly category?: Entry; readonly measure?: Several };
  readonly 'line-chart': Line;
  readonly 'evolution-number': { readonly measure: Entry; readonly evolution?: Entry };
  readonly 'pivot-table': { readonly row?: Several; readonly column?: Several; readonly measure?: Several };
  readonly 'regular-table': { readonly columns: Several };
  readonly 'scatter-plot': {
    readonly xAxis: Entry;
    readonly yAxis: Entry;
    readonly name?: Several;
    readonly size?: Entry;
    readonly color?: Entry;
  };
  readonly 'sunburst-chart': Rings;
  readonly 'treemap-chart': Tiles;
  readonly 'date-filter': { readonly time: Several };
  readonly 'dropdown-filter': { readonly dimension: Several };
  readonly 'slicer-filter': { readonly dimension?: Several; readonly measure?: Entry };
  readonly 'slider-filter': { readonly slidermetric: Several };
}

/** What each type has beside the options of all items. */
interface OwnOptions {
  readonly 'area-chart': { readonly stacked?: boolean };
  readonly 'bar-chart': { readonly stacked?: boolean; readonly oneColor?: boolean };
  readonly 'column-chart': { readonly stacked?: boolean; readonly oneColor?: boolean };
  readonly 'dropdown-filter': { readonly multiple?: boolean };
  readonly 'slicer-filter': { readonly multiple?: boolean };
}
interface CommonOptions {
  /** Order of rows: by the values of a slot. */
  readonly sort?: { readonly by: string; readonly order: 'asc' | 'desc' };
  /** At most so many rows. */
  readonly limit?: number;
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
export const pivotTable = builder('pivot-table');
export const regularTable = builder('regular-table');
export const scatterPlot = builder('scatter-plot');
export const sunburstChart = builder('sunburst-chart');
export const treemapChart = builder('treemap-chart');
export const dateFilter = builder('date-filter');
export const dropdownFilter = builder('dropdown-filter');
export const slicerFilter = builder('slicer-filter');
export const sliderFilter = builder('slider-filter');

/** Options of a dashboard. */
export interface DashboardOptions {
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
