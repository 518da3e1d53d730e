import {
  filledText,
  listOr,
  member,
  objectOr,
  textOr,
  type Json,
  type JsonObject,
  readFilterSets,
  type FilterSet,
  type ScreenMode,
} from '@inlay/contract';
import { lineFormats, type Lines } from '@inlay/query';
import { asksForRows, paperSizes, type exportTypes } from '../resources/export.ts';

/** File types of dashboards and items. */
export const fileTypes = ['svg', 'png', 'pdf', 'csv', 'xlsx'] as const satisfies readonly (keyof typeof exportTypes)[];
export type FileType = (typeof fileTypes)[number];

/** Types that are drawn instead of written as a table of rows. */
export type DrawnType = Exclude<FileType, 'csv' | 'xlsx'>;

export const isDrawn = (type: FileType): type is DrawnType => type !== 'csv' && type !== 'xlsx';

/** Export of all rows of a query. */
export interface RowsExport {
  readonly kind: 'rows';
  readonly format: Lines['format'];
  readonly query: JsonObject;
  readonly locale: string | null;
  readonly zone: string | null;
}

/** Export of a dashboard or one of its items. */
export interface DashboardExport {
  readonly kind: 'dashboard';
  readonly type: FileType;
  readonly dashboardId: string;
  /** Null for the whole dashboard. */
  readonly itemId: string | null;
  readonly screenMode: ScreenMode;
  /** Filters set by a viewer. */
  readonly filters: readonly FilterSet[];
  /** Parameter values set by a viewer. */
  readonly parameters: JsonObject;
  /** Drill levels of a viewer. */
  readonly steps: readonly Json[];
  readonly theme: Json;
  /** Null for the language of the dashboard or the caller. */
  readonly locale: string | null;
  readonly zone: string | null;
  readonly widthPx: number;
  /** Pixels of a PNG per px of the drawing; 1 for other types. */
  readonly scale: number;
  readonly patterns: boolean;
  /** Null for the default paper of the export. */
  readonly paper: (typeof paperSizes)[number] | null;
  readonly isLandscape: boolean;
}

export type ExportSpec = RowsExport | DashboardExport;

const modes: readonly ScreenMode[] = ['desktop', 'tablet', 'mobile'];

const numberOr = (value: Json | undefined, fallback: number): number => (typeof value === 'number' ? value : fallback);

/** Returns a value if it is in a closed list; null otherwise. */
const oneOf = <Entry extends string>(entries: readonly Entry[], value: Json | undefined): Entry | null =>
  entries.find((entry) => entry === value) ?? null;

function readRowsExport(properties: JsonObject): RowsExport {
  return {
    kind: 'rows',
    format: oneOf(lineFormats, member(properties, 'type')) ?? 'csv',
    query: objectOr(member(properties, 'query')),
    locale: filledText(member(properties, 'locale_id')),
    zone: filledText(member(properties, 'timezone_id')),
  };
}

/** Creates an export from checked properties. Raises Error for properties that were not checked. */
export function readExport(properties: JsonObject): ExportSpec {
  if (asksForRows(properties)) return readRowsExport(properties);
  const type = oneOf(fileTypes, member(properties, 'type'));
  if (type === null) throw new Error('an export of another type passed its check');
  return {
    kind: 'dashboard',
    type,
    dashboardId: textOr(member(properties, 'dashboard_id'), ''),
    itemId: filledText(member(properties, 'item_id')),
    screenMode: oneOf(modes, member(properties, 'screen_mode')) ?? 'desktop',
    filters: readFilterSets(listOr(member(properties, 'filters'))),
    parameters: objectOr(member(properties, 'parameters')),
    steps: listOr(member(properties, 'steps')),
    theme: member(properties, 'theme') ?? null,
    locale: filledText(member(properties, 'locale_id')),
    zone: filledText(member(properties, 'timezone_id')),
    widthPx: numberOr(member(properties, 'width'), 1200),
    scale: type === 'png' ? numberOr(member(properties, 'scale'), 2) : 1,
    patterns: member(properties, 'patterns') === true,
    paper: oneOf(paperSizes, member(properties, 'paper')),
    isLandscape: member(properties, 'orientation') === 'landscape',
  };
}
