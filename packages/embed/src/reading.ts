// What a service reads of a dashboard without drawing it: no charting library comes along.
export { comparedQueries } from './comparison/compared-queries.ts';
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
export { labelOf, measureHeadings } from './charts/frame/headings.ts';
export { inLanguage } from './locale/language.ts';
export { startOf } from './starting-filters.ts';
export type { FilterSelection } from './selection/filter-selection.ts';
export { queryFor } from './queries.ts';
export { unfolded } from './tabs/unfold.ts';
export { builtInThemes } from './theme/built-in/built-in.ts';
export { pageThemes, stackedThemes, themeNameOf, type NamedThemes } from './theme/merge.ts';
export { resolveTheme, type Theme } from './theme/theme.ts';
export { divergingStops, rampOf, sequentialStops } from './charts/colors/ramp.ts';
export { themesOf } from './theme/order.ts';
export { wordsFor } from './locale/words.ts';
