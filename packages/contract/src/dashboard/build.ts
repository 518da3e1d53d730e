import type { Entry } from '../item-types/declare/entry.ts';
import { newestContents } from '../contents.ts';
import type { Json, JsonObject } from '../json.ts';
import type { ObjectOf } from '../members/value.ts';
import type { menuMembers } from '../item-types/declare/menu.ts';

/** Options of a new dashboard. */
export interface DashboardOptions extends ObjectOf<typeof menuMembers> {
  /** Id of a theme, or name of a built-in theme. */
  readonly theme?: string;
  /** IANA time zone. By default the time zone of the viewer. */
  readonly timeZone?: string;
  /** Number of columns of the grid, 48 by default. */
  readonly columns?: number;
  /** Height of a grid row in px, 16 by default. */
  readonly rowHeight?: number;
  /** Filters joined by `and`. A filter applies to all items that use its dataset. See `filter`. */
  readonly filters?: readonly JsonObject[];
  /** Parameters of filter values, and their default values. */
  readonly parameters?: readonly JsonObject[];
}

/**
 * Creates a filter, such as `filter('? in ?', column(dataset, region), ['Europe', 'Asia'])`. Tests for null take no
 * value. specification/data-queries#filters
 */
export const filter = (expression: string, { datasetId, columnId, level }: Entry, value?: Json): JsonObject => ({
  expression,
  parameters: [
    { dataset_id: datasetId, column_id: columnId ?? '', ...(level === undefined ? {} : { level }) },
    ...(value === undefined ? [] : [value]),
  ],
});

/** Builds contents with a single view, which is rearranged on smaller screens. */
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
