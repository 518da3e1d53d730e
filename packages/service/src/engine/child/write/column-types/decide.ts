import { DuckDBTypeId, type DuckDBConnection } from '@duckdb/node-api';
import type { StorageType } from '@inlay/query';
import { cellKinds } from '../../../../cells/cells.ts';
import { EngineProblem, type IngestNotice, type InvalidCells, type WrittenForms } from '../../../engine.ts';
import { timeFlags } from './fits.ts';
import { families, misfit, readFlags, readLooks, type Family, type Question } from './flags.ts';
import { storageTypeOf, typeOf } from '../../storage-types.ts';
import type { ColumnTarget, FreshColumn } from './column-target.ts';
import { numberTarget, numbersFit } from './numbers.ts';
import { identifier } from '../../quote.ts';
import { readByForms } from './choose-forms.ts';
import type { KeptStatistics, StagedColumn } from '../statistics.ts';

/** The previous version: a function that returns its relation when it is needed, its columns, and their statistics. */
export interface BaseRows {
  readonly table: () => Promise<string>;
  readonly columns: readonly StagedColumn[];
  readonly facts: KeptStatistics | null;
}

/** Constraints on the types of new rows. */
export interface Rules {
  readonly overrides: ReadonlyMap<string, StorageType>;
  /** Storage types for columns that have no value in the new rows. */
  readonly declared: ReadonlyMap<string, StorageType>;
  readonly onInvalid: 'refuse' | 'null';
  readonly forms: WrittenForms;
  /** The previous version; null if the new rows are the only ones. */
  readonly base: BaseRows | null;
}

export interface RowConversion {
  /** Query for the new rows that casts each cell to the type of its column. */
  readonly query: string;
  /** SQL for the cells of the columns of the previous version that must be widened, by lower-case column name. */
  readonly widened: ReadonlyMap<string, string>;
  readonly invalid: readonly InvalidCells[];
  readonly notices: readonly IngestNotice[];
}

/** Removes candidate families that the first rows of a column rule out. */
async function narrow(
  connection: DuckDBConnection,
  from: string,
  questions: readonly Question[],
): Promise<readonly Question[]> {
  const withoutMisfits = (sample: readonly ReadonlyMap<Family, number | null>[], of: readonly Question[]) =>
    of.map((inner, index): Question => ({
      ...inner,
      may: inner.may.filter((family) => ((sample[index]?.get(family) ?? 0) & misfit) === 0),
    }));
  const { flags, isAll } = await readLooks(connection, from, questions);
  const remaining = withoutMisfits(flags, questions);
  if (isAll) return remaining;
  return withoutMisfits(await readFlags(connection, `(from ${from} limit ${sampleRows})`, remaining, true), remaining);
}

const namedAs = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  time: 'a date or time such as 2026-01-31T09:30:00Z',
  json: 'JSON',
} as const satisfies Record<Family, string>;

/** Names the type that a cell should have. `flags` are those of all cells of its column. */
function misfitName({ base, must }: Question, flags: number): string {
  if (must === null) return namedAs.text;
  if (base === null && must === 'integer') return 'a whole number';
  if (must === 'date') return 'a date such as 2026-01-31';
  const isDigits = families[must] === 'number' && (flags & misfit) === 0;
  return isDigits ? 'a number that the column can hold beside its others with all digits' : namedAs[families[must]];
}

/** Rows sampled to determine the candidate families of text columns. */
const sampleRows = 5000;
function familiesOf(kinds: number): readonly Family[] {
  if (kinds === cellKinds.number) return ['number'];
  if (kinds === cellKinds.text) return ['time'];
  if (kinds === cellKinds.boolean) return ['boolean'];
  if (kinds === cellKinds.json) return ['json'];
  return kinds === cellKinds.any ? ['number', 'time', 'boolean'] : [];
}

const simpleTarget = (type: string, fits: ColumnTarget['fits']): ColumnTarget => ({
  type,
  fits,
  cast: (text) => `${text}::${type}`,
});

/** Returns the SQL name of the type of a column. */
const nameOf = ({ type }: StagedColumn): string => type.alias ?? type.toString();

const isPlainText = ({ type }: StagedColumn): boolean =>
  type.typeId === DuckDBTypeId.VARCHAR && type.alias === undefined;

const asText = simpleTarget('VARCHAR', () => 'true');

/**
 * Returns the narrowest time type for new and previous times; null if there is none. If some times have a zone, times
 * without one count as UTC.
 */
function timeTarget(flags: number, requiredType: StorageType | null): ColumnTarget | null {
  const isZoned = (flags & timeFlags.zoned) > 0;
  // If only some times have a zone, the others are ambiguous.
  if (requiredType === null && isZoned && (flags & (timeFlags.naive | timeFlags.date)) > 0) return null;
  const fits = (text: string): string => `time_flags(${text}) <> ${timeFlags.none}`;
  const instant = (text: string): string => `to_instant(${text})`;
  if (requiredType === 'timestamptz' || (requiredType === null && isZoned))
    return { type: 'TIMESTAMPTZ', fits, cast: instant };
  if (requiredType === 'timestamp' || isZoned || (flags & timeFlags.naive) > 0)
    return {
      ...simpleTarget('TIMESTAMP', fits),
      ...(isZoned ? { cast: (text: string) => `timezone('UTC', ${instant(text)})` } : {}),
    };
  return simpleTarget('DATE', fits);
}

const isDateOnly = (text: string): string => `is_date(${text})`;

/** Decides the type of one column from the flags of its cells. */
async function targetOf(
  connection: DuckDBConnection,
  from: string,
  rules: Rules,
  { column, base, must, may }: Question,
  flags: ReadonlyMap<Family, number | null>,
): Promise<ColumnTarget> {
  const isEmpty = [...flags.values()].every((flag) => flag === null);
  if (must === null) {
    const declaredType = rules.declared.get(column.name);
    if (isEmpty && (flags.size > 0 || column.kinds === 0))
      return simpleTarget(typeOf[declaredType ?? 'text'], () => 'true');
    for (const family of may) {
      const familyFlags = flags.get(family) ?? misfit;
      if ((familyFlags & misfit) > 0) continue;
      const target =
        family === 'number'
          ? await numberTarget(connection, from, column.text, familyFlags, null, null)
          : family === 'time'
            ? timeTarget(familyFlags, null)
            : simpleTarget(family === 'json' ? 'JSON' : 'BOOLEAN', () => 'true');
      if (target !== null) return target;
    }
    return asText;
  }
  const mustBits = flags.get(families[must]) ?? 0;
  const isNearestAsked = rules.overrides.get(column.name) === 'double';
  const previousColumn =
    base === null || rules.base === null ? null : { column: base, table: rules.base.table, isNearestAsked };
  if (isEmpty && must !== 'text') return simpleTarget(base === null ? typeOf[must] : nameOf(base), () => 'true');
  switch (families[must]) {
    case 'text':
      return asText;
    case 'boolean':
      return simpleTarget('BOOLEAN', (text) => `is_boolean(${text})`);
    case 'json':
      return simpleTarget('JSON', (text) => `is_json(${text})`);
    case 'time':
      // A declared type `date` excludes times.
      return must === 'date' && base === null
        ? { ...simpleTarget('DATE', isDateOnly), isPart: true }
        : (timeTarget(mustBits, must) ?? asText);
    case 'number':
      return (
        (await numberTarget(connection, from, column.text, mustBits, must, previousColumn)) ??
        numbersFit(must, previousColumn?.column ?? null, mustBits)
      );
  }
}

/**
 * Returns the number of cells that do not fit, and the number of the first row with such a cell, counting from 1; null
 * if all cells fit.
 */
async function misfits(
  connection: DuckDBConnection,
  from: string,
  text: string,
  fits: string,
): Promise<{ readonly count: number; readonly first: number } | null> {
  const reader = await connection.runAndReadAll(
    `select count(*)::double, min(n)::double from (select row_number() over () as n, ${text} as t from ${from})
    where t is not null and not coalesce(${fits}, false)`,
  );
  const [count, firstRow] = reader.getRows()[0] ?? [];
  return typeof count === 'number' && typeof firstRow === 'number' ? { count, first: firstRow } : null;
}

/**
 * Returns the lower-case names of text columns of the previous version that have no values. The type of such a column
 * may still change.
 */
function emptyTexts({ base }: Rules): ReadonlySet<string> {
  const texts = (base?.columns ?? []).filter(isPlainText);
  if (base === null || texts.length === 0) return new Set();
  return new Set(
    texts.filter(({ name }) => base.facts?.get(name)?.cardinality === 0).map(({ name }) => name.toLowerCase()),
  );
}

/** Returns what is known about each column before its cells are read. */
function questionsOf(columns: readonly FreshColumn[], rules: Rules): readonly Question[] {
  const baseByName = new Map((rules.base?.columns ?? []).map((column) => [column.name.toLowerCase(), column]));
  const emptyNames = emptyTexts(rules);
  return columns.map((column): Question => {
    const name = column.name.toLowerCase();
    const base = baseByName.get(name) ?? null;
    const previousType = base === null || emptyNames.has(name) ? null : storageTypeOf(base.type);
    const requiredType = previousType ?? rules.overrides.get(column.name) ?? null;
    return { column, base: emptyNames.has(name) ? null : base, must: requiredType, may: familiesOf(column.kinds) };
  });
}

/**
 * True if the file already gives the cells a type, and the previous version has the same type or does not have the
 * column.
 */
const isNative = ({ column: { native }, base, must }: Question): boolean =>
  native !== undefined && (must === null || (base !== null && nameOf(base) === native.type));

/** A column with its type: SQL for a cell, and the cells that do not fit and become null. */
interface ConvertedColumn {
  readonly target: ColumnTarget;
  readonly cell: string;
  readonly invalid: InvalidCells | null;
}

/**
 * Converts a column. `originalText` is SQL for a cell as it was sent. Raises EngineProblem `input` for the first cell
 * that does not fit, unless cells that do not fit become null.
 */
async function convert(
  connection: DuckDBConnection,
  from: string,
  rules: Rules,
  originalText: string,
  question: Question,
  flags: ReadonlyMap<Family, number | null>,
): Promise<ConvertedColumn> {
  const { column, base, must } = question;
  const target = await targetOf(connection, from, rules, question, flags);
  // Text columns store the original text, even if another format was tried.
  const cell = target.cast(target === asText ? originalText : column.text);
  const mustFlags = must === null ? 0 : (flags.get(families[must]) ?? 0);
  // A cell can misfit only if the type is prescribed.
  const isStrange = must !== null && (mustFlags & misfit) > 0;
  // Report non-numbers before numbers with too many digits.
  const isNumber = must !== null && families[must] === 'number' && (base !== null || must !== 'integer');
  const fits = isStrange && isNumber && rules.onInvalid === 'refuse' ? 'is_number(t)' : target.fits('t');
  const misfitting = isStrange || target.isPart === true ? await misfits(connection, from, column.text, fits) : null;
  if (misfitting === null || must === null) return { target, cell, invalid: null };
  const { count, first: firstRow } = misfitting;
  if (rules.onInvalid === 'refuse')
    throw new EngineProblem('input', `row ${firstRow}, column ${column.name}: not ${misfitName(question, mustFlags)}`);
  return {
    target,
    cell: `case when ${target.fits(column.text)} then ${cell} end`,
    invalid: { column: column.name, count, first: firstRow },
  };
}

/**
 * Returns SQL that casts a column of the previous version to the wider type of the new cells; null if the type does not
 * change. `isUnset` is true if the column has no values.
 */
function widening(baseColumn: StagedColumn, target: ColumnTarget, isUnset: boolean): string | null {
  if (nameOf(baseColumn) === target.type) return null;
  if (baseColumn.type.typeId === DuckDBTypeId.ENUM && target.type === 'VARCHAR') return null;
  const quotedName = identifier(baseColumn.name);
  return isUnset ? `null::${target.type}` : (target.widen?.(quotedName) ?? `${quotedName}::${target.type}`);
}

/**
 * Decides the types of new rows from all their cells, the previous version, and declared types. Conversion never
 * changes a value. Raises EngineProblem `input` that names row and column of the first cell that does not fit, unless
 * such cells become null.
 */
export async function decide(
  connection: DuckDBConnection,
  from: string,
  columns: readonly FreshColumn[],
  rules: Rules,
): Promise<RowConversion> {
  const baseColumns = new Map((rules.base?.columns ?? []).map((column) => [column.name.toLowerCase(), column]));
  const questions = questionsOf(columns, rules);
  const openQuestions = questions.filter((question) => !isNative(question));
  const isAny = openQuestions.some(({ column, must }) => must === null && column.kinds === cellKinds.any);
  const narrowedQuestions = isAny ? await narrow(connection, from, openQuestions) : openQuestions;
  const {
    questions: readableQuestions,
    flags,
    notices,
  } = await readByForms(connection, from, narrowedQuestions, rules.forms);
  const selectedCells: string[] = [];
  const widenedColumns = new Map<string, string>();
  const invalidCells: InvalidCells[] = [];
  for (const question of questions) {
    const at = openQuestions.indexOf(question);
    const [decidedQuestion, knownFlags] = [readableQuestions[at], flags[at]];
    const { column } = decidedQuestion ?? question;
    const name = identifier(column.name);
    if (decidedQuestion === undefined || knownFlags === undefined) {
      selectedCells.push(`${column.native?.sql ?? column.text} as ${name}`);
      continue;
    }
    const convertedColumn = await convert(connection, from, rules, question.column.text, decidedQuestion, knownFlags);
    selectedCells.push(`${convertedColumn.cell} as ${name}`);
    if (convertedColumn.invalid !== null) invalidCells.push(convertedColumn.invalid);
    const widerColumn = baseColumns.get(column.name.toLowerCase());
    const sql =
      widerColumn === undefined ? null : widening(widerColumn, convertedColumn.target, question.base === null);
    if (widerColumn !== undefined && sql !== null) widenedColumns.set(widerColumn.name.toLowerCase(), sql);
  }
  return {
    query: `select ${selectedCells.join(', ')} from ${from}`,
    widened: widenedColumns,
    invalid: invalidCells,
    notices,
  };
}
