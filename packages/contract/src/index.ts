export * from './charts.ts';
export { checkItem, fitsSlot, type ColumnTypes } from './charts-check.ts';
export { isColor } from './color.ts';
export * from './contents.ts';
export { durationSeconds } from './duration.ts';
export { expressionFault, filterExpressions, nullTests } from './filter/expressions.ts';
export { filterTerms, flatFilterMembers, type FilterTerms } from './filter/terms.ts';
export { isUuid, timeOfId, uuidV7 } from './id.ts';
export * from './item/item.ts';
export { exportFormats, type ExportFormat } from './item/item-menu.ts';
export * from './item/item-query.ts';
export * from './item/member-rows.ts';
export {
  isOffered,
  mostChoices,
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
export * from './item/period-item.ts';
export { tabsOf, type Tab } from './item/tabs.ts';
export { sparklineItem } from './item/sparkline.ts';
export {
  emptyListAsObject,
  filledText,
  inWords,
  isList,
  isObject,
  listOr,
  member,
  objectOr,
  parseObject,
  sameJson,
  textOr,
  withEmptyObjects,
  type Json,
  type JsonObject,
} from './json.ts';
export { filledAddress, isAddressTemplate } from './link.ts';
export { fold, isLanguage, languageFault, languagesMax } from './multilingual.ts';
export { nearest } from './wording/nearest.ts';
export type { ProblemBody, Validation } from './problem.ts';
export { checkTheme, type Fault } from './theme.ts';
export { contrasts, densities, shadowSizes, type Density } from './theme-values.ts';
export { parseTimestamp, timestamp } from './timestamp.ts';
export { oneOf, unknownWord, uuidFault, withArticle } from './wording/faults.ts';
