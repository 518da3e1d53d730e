export { isColor } from './color.ts';
export * from './contents.ts';
export { filterExpressions, nullTests } from './expressions.ts';
export { isUuid, uuidV7 } from './id.ts';
export { inWords, isList, isObject, member, sameJson, type Json, type JsonObject } from './json.ts';
export { fold, isLanguage, languagesMax } from './multilingual.ts';
export type { ProblemBody, Validation } from './problem.ts';
export { checkTheme, type Fault } from './theme.ts';
export { parseTimestamp, timestamp } from './timestamp.ts';
