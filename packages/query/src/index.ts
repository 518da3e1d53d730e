export type { Cell, OutColumn } from './cell.ts';
export { clickhouseFor, clickhouseParameter, clickhouseSettings } from './dialect/clickhouse.ts';
export type { Dialect } from './dialect/dialect.ts';
export { duckdb } from './dialect/duckdb.ts';
export { mysql, mysqlFor } from './dialect/mysql.ts';
export { postgres } from './dialect/postgres.ts';
export { refusalsOf } from './dialect/refusals.ts';
export { trino } from './dialect/trino.ts';
export { trinoStatement, trinoText } from './dialect/trino-statement.ts';
export { emit, emitOrNull, unsupportedBy } from './emit.ts';
export { emitScan, scansOf } from './emit/scans.ts';
export type { Relation, Statement } from './emit/statement.ts';
export type { KnownRecords } from './contents/known-records.ts';
export { ReferenceCheck, type NamedRecords } from './contents/reference-check.ts';
export {
  checkFormula,
  columnsOfFormula,
  formulaFault,
  textsOfFormula,
  type FormulaColumnType,
  type FormulaText,
} from './check-formula.ts';
export { faultInSentence, type FormulaFault } from './formula/fault.ts';
export { columnPlaces, longestFormula, type ColumnPlace } from './formula/tokens.ts';
export type { Place as FormulaParameterKind } from './formula/vocabulary.ts';
export {
  formulaFunctions,
  formulaOperators,
  formulaPlace,
  formulaUnits,
  formulaWords,
  parameterOf,
  pieceEnd,
  signatureOf,
  type FormulaFunction,
  type FormulaFunctionName,
  type FormulaParameter,
  type FormulaPlace,
} from './formula/writing.ts';
export { byteOrderMark, csvLine } from './csv.ts';
export { heading, lineFormats, lineRows, type Lines } from './lines.ts';
export * from './model.ts';
export { costOfValues, readRowFilter, maxValues } from './parse/condition.ts';
export type { Fault, ParseContext } from './parse/context.ts';
export { maxQueries, parseQueries, type ParameterValues, type ParsedQueries } from './parse.ts';
export { datasetsOf, measuresOf, plan, planKeys, type QueryContext, type Plan } from './plan.ts';
export { copyScan, type CopyRange } from './plan/copy.ts';
export { orderingOf } from './plan/ordering.ts';
export type { PlanCell } from './plan/cells.ts';
export type { Scan, ScanColumn } from './expression.ts';
export { QueryProblem, queryProblemCodes, type QueryProblemCode } from './problem.ts';
export * from './query.ts';
export { shape } from './shape.ts';
export { emitRollup, emitRollupRows } from './rollup/build.ts';
export { rollupNeeds, type RollupNeed } from './rollup/need.ts';
export { overRollups, type Rollup, type RollupUse } from './rollup/rewrite.ts';
export type { NewestTimes } from './rollup/edges.ts';
export { coversShape, unionOfShapes, type RollupShape } from './rollup/shape.ts';
