// What a service reads of a dashboard without drawing it: no charting library comes along.
export { drilled, readSteps } from './drill.ts';
export {
  apart,
  areReadable,
  filtersFor,
  filtersOf,
  onlyOf,
  readFilter,
  readFilterGroups,
  readFilterSets,
  writeCondition,
  type FilterSet,
} from './filters.ts';
export { itemsOf, rowsOf, viewFor, type ScreenMode, type View } from './grid.ts';
export { inLanguage } from './locale/language.ts';
export { queryFor } from './queries.ts';
export { builtInThemes } from './theme/built-in.ts';
export { themesOf } from './theme/order.ts';
export { wordsFor } from './locale/words.ts';
