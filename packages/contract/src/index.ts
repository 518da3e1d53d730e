export { apiVersion } from './api-version.ts';
export { checkItem, fitsSlot, type ColumnTypes } from './item-types/check-item.ts';
export { exportFormats, type ExportFormat } from './item-types/declare/export-formats.ts';
export {
  aggregationFuncs,
  numberNotations,
  timeParts,
  type ColumnType,
  type NumberNotation,
  type TimePart,
} from './item-types/declare/vocabulary.ts';
export * from './item-types/facts.ts';
export * from './item-types/index.ts';
export { takesFormula } from './item-types/formula-slots.ts';
export { isColor } from './color.ts';
export * from './contents.ts';
export { durationSeconds } from './duration.ts';
export * from './features.ts';
export { expressionFault, filterExpressions, nullTests } from './filter/expressions.ts';
export {
  expressionOf,
  operatorNames,
  operatorOf,
  operatorRule,
  toDateUnits,
  type FilterOperator,
  type OperandKind,
} from './filter/operators.ts';
export { filtersWithin, filterTerms, flatFilterMembers, joinedIn, type FilterTerms } from './filter/terms.ts';
export { isUuid, timeOfId, uuidV7 } from './id.ts';
export * from './item/item.ts';
export * from './item/item-query.ts';
export type * from './item/item-rows.ts';
export * from './item/member-rows.ts';
export {
  isOffered,
  maxChoices,
  offerOf,
  parameterControlOf,
  parameterScope,
  valuesIn,
  type ParameterChoice,
  type ParameterControl,
  type ParameterOffer,
  type ParameterScope,
} from './item/parameter-control.ts';
export { isSameParameter, parameterName } from './item/parameter-name.ts';
export * from './item/compared-periods.ts';
export * from './item/period-item.ts';
export { groupsOf, itemGroups, itemIdAt, placedGroups, viewGroups, type PlacedGroup } from './item/view-groups.ts';
export { tabsOf, type Tab } from './item/tabs.ts';
export { sparklineItem } from './item/sparkline.ts';
export {
  emptyListAsObject,
  filledText,
  inWords,
  isList,
  isObject,
  listIn,
  listOr,
  member,
  objectIn,
  objectOr,
  parseObject,
  sameJson,
  textOr,
  withEmptyObjects,
  type Json,
  type JsonObject,
} from './json.ts';
export { filledAddress, isAddressTemplate } from './link.ts';
export { fold, inLanguage, isLanguage, languageFault, languagesMax } from './multilingual.ts';
export { nearest } from './wording/nearest.ts';
export type { ProblemBody, Validation } from './problem.ts';
export { checkTheme, type Fault } from './theme/check-theme.ts';
export { contrasts, densities, shadowSizes, type Density } from './theme/theme-values.ts';
export { parseTimestamp, timestamp } from './timestamp.ts';
export { oneOf, unknownWord, uuidFault, withArticle } from './wording/faults.ts';
export * from './calendar/period.ts';
export { relativeSpan, type Clock, type Span } from './calendar/relative-span.ts';
export { move, startOf, zoneOf, type Level, type Zone } from './calendar/zone.ts';
export { wallClock } from './calendar/wall-clock.ts';
export * from './dashboard/filters/filter.ts';
export { filterNote, type NoteLanguage, type NoteWords } from './dashboard/filters/filter-note.ts';
export { emptySelection, isSet, type FilterSelection } from './dashboard/filters/filter-selection.ts';
export { choiceOn, rangeOn, textOn } from './dashboard/filters/selection-conditions.ts';
export { comparedQueries } from './dashboard/query/comparison/compared-queries.ts';
export { periodsTo } from './dashboard/query/comparison/compared-periods.ts';
export * from './dashboard/query/drill.ts';
export * from './dashboard/query/requested-items.ts';
export * from './dashboard/view/grid.ts';
export { tabState, type TabState } from './dashboard/view/tab-state.ts';
export { unfolded } from './dashboard/view/unfold-tabs.ts';
