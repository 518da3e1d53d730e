import type { ContentType, FilterType } from './index.ts';
import { contentTypes, countingTypes, filterTypes, numberTypes } from './tables/query-tables.ts';

export const isFilterType = (text: string): text is FilterType => filterTypes.includes(text);
/** True if items of a type show no rows of their own. */
export const isContentType = (text: string): text is ContentType => contentTypes.includes(text);
/** True if items of a type show a single number. */
export const isNumberType = (type: string): boolean => numberTypes.includes(type);
/** True if items of a type show the number of rows when they have no measure. */
export const countsRows = (type: string): boolean => countingTypes.includes(type);
