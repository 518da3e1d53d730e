import type { ContentType, FilterType } from './index.ts';
import { contentTypes, countingTypes, filterTypes, numberTypes } from './tables/query-tables.ts';

export const isFilterType = (text: string): text is FilterType => filterTypes.includes(text);
/** Whether items of a type have no rows of their own. */
export const isContentType = (text: string): text is ContentType => contentTypes.includes(text);
/** Whether items of a type show one number. */
export const isNumberType = (type: string): boolean => numberTypes.includes(type);
/** Whether items of a type show the number of rows without a measure. */
export const countsRows = (type: string): boolean => countingTypes.includes(type);
