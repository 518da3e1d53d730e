export * from './charts.ts';
export { checkItem, fitsSlot, type ColumnTypes } from './charts-check.ts';
export { isColor } from './color.ts';
export * from './contents.ts';
export { durationSeconds } from './duration.ts';
export { expressionFault, filterExpressions, nullTests } from './filter/expressions.ts';
export { filterTerms, flatFilterMembers, type FilterTerms } from './filter/terms.ts';
export { isUuid, uuidV7 } from './id.ts';
export * from './item.ts';
export * from './item-query.ts';
export * from './member-rows.ts';
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
export { fold, isLanguage, languageFault, languagesMax } from './multilingual.ts';
export { nearest } from './wording/nearest.ts';
export type { ProblemBody, Validation } from './problem.ts';
export { checkTheme, type Fault } from './theme.ts';
export { parseTimestamp, timestamp } from './timestamp.ts';
export { oneOf, unknownWord, uuidFault, withArticle } from './wording/faults.ts';
