import { DuckDBTypeId, DuckDBDecimalType, type DuckDBConnection } from '@duckdb/node-api';
import type { StorageType } from '@inlay/query';
import type { ColumnTarget } from './column-target.ts';
import { numberFlags } from './fits.ts';
import { storageTypeOf } from '../../storage-types.ts';
import { identifier } from '../../quote.ts';
import type { StagedColumn } from '../statistics.ts';

/** A numeric column of the previous version. */
interface HeldNumbers {
  readonly column: StagedColumn;
  readonly table: () => Promise<string>;
  /** True if the column is declared as a double, so that converting may lose digits. */
  readonly isNearestAsked: boolean;
}

interface Places {
  readonly before: number;
  readonly behind: number;
}

/** Digits of DuckDB's largest decimal type. */
const maxDigits = 38;
/** Digits of decimals stored in 64 bits. */
const shortDigits = 18;

const isBroken = (flags: number): boolean => (flags & numberFlags.broken) > 0;

/** True if some numbers have more digits than a double can represent. Tests only columns flagged as `long`. */
async function areLong(connection: DuckDBConnection, from: string, text: string, flags: number): Promise<boolean> {
  if ((flags & numberFlags.long) === 0) return false;
  const reader = await connection.runAndReadAll(
    `select coalesce(bool_or(not holds_double(t)), false) from (select ${text} as t from ${from}) where is_number(t)`,
  );
  return reader.getRows()[0]?.[0] === true;
}

async function placesOf(connection: DuckDBConnection, from: string, text: string): Promise<Places> {
  const reader = await connection.runAndReadAll(
    `select coalesce(max(places_before(t)), 0)::double, coalesce(max(places_behind(t)), 0)::double
    from (select ${text} as t from ${from}) where is_number(t)`,
  );
  const [digitsBefore = 9999, digitsBehind = 9999] = (reader.getRows()[0] ?? []).map(Number);
  return { before: digitsBefore, behind: digitsBehind };
}

const integerTarget = (type: string): ColumnTarget => ({
  type,
  fits: (text) => `is_whole(${text})`,
  cast: (text) => `${text}::${type}`,
});

/** Converts to the nearest double, for columns declared as doubles. */
const nearestTarget: ColumnTarget = {
  type: 'DOUBLE',
  fits: (text) => `is_number(${text}) and coalesce(isfinite(try_cast(${text} as double)), false)`,
  cast: (text) => `${text}::DOUBLE`,
  isPart: true,
};

const doubleTarget: ColumnTarget = {
  type: 'DOUBLE',
  fits: (text) => `is_double(${text})`,
  cast: (text) => `${text}::DOUBLE`,
};

function decimal({ before, behind }: Places, precision: number): ColumnTarget {
  const type = `DECIMAL(${precision}, ${behind})`;
  return {
    type: type.replace(' ', ''),
    fits: (text) =>
      `is_number(${text}) and places_behind(${text}) <= ${behind} and places_before(${text}) <= ${Math.max(before, precision - behind)}`,
    cast: (text) => `${text}::${type}`,
    // Converts a double through text, because a direct cast to decimal adds digits.
    widen: (column) => `${column}::VARCHAR::${type}`,
  };
}

const isShort = ({ before, behind }: Places): boolean => before + behind <= shortDigits;
const isSmall = ({ before, behind }: Places): boolean => before + behind <= maxDigits;

const decimalOf = (places: Places): ColumnTarget => decimal(places, isShort(places) ? shortDigits : maxDigits);

const widerPlaces = (left: Places, right: Places): Places => ({
  before: Math.max(left.before, right.before),
  behind: Math.max(left.behind, right.behind),
});

const wholeType = ({ type }: StagedColumn): string =>
  [DuckDBTypeId.HUGEINT, DuckDBTypeId.UHUGEINT, DuckDBTypeId.UBIGINT].includes(type.typeId) ? 'HUGEINT' : 'BIGINT';

/**
 * Returns the narrowest type that represents new and previous numbers exactly. If there is none, returns a double for a
 * column declared as such, otherwise null.
 */
async function joined(
  connection: DuckDBConnection,
  from: string,
  text: string,
  flags: number,
  { column, table: tableOf, isNearestAsked }: HeldNumbers,
): Promise<ColumnTarget | null> {
  const storageType = storageTypeOf(column.type);
  const columnText = `${identifier(column.name)}::VARCHAR`;
  if (storageType === 'integer' && !isBroken(flags))
    return integerTarget((flags & numberFlags.large) > 0 ? 'HUGEINT' : wholeType(column));
  const isLong = await areLong(connection, from, text, flags);
  if (storageType === 'double' && !isLong) return doubleTarget;
  const freshPlaces = await placesOf(connection, from, text);
  if (column.type instanceof DuckDBDecimalType) {
    const { width, scale } = column.type;
    if (freshPlaces.behind <= scale && freshPlaces.before <= width - scale)
      return decimal({ before: width - scale, behind: scale }, width);
  }
  const table = await tableOf();
  const reader = await connection.runAndReadAll(`select bit_or(number_flags(${columnText})) from ${table}`);
  const earlierFlags = Number(reader.getRows()[0]?.[0] ?? 0);
  const isFinite = (earlierFlags & numberFlags.none) === 0;
  const places = widerPlaces(freshPlaces, await placesOf(connection, table, columnText));
  // Integers that get fractions become decimals, because sums of decimals are exact. They become doubles if many digits
  // leave too little room for sums.
  if (isFinite && isShort(places)) return decimalOf(places);
  if (isFinite && !isLong && !(await areLong(connection, table, columnText, earlierFlags))) return doubleTarget;
  if (isFinite && isSmall(places)) return decimalOf(places);
  return storageType === 'double' && isNearestAsked ? nearestTarget : null;
}

/**
 * Returns the narrowest type that represents the new numbers exactly, given the declared type (`requiredType`) or the
 * numbers of the previous version. Returns null if no type does.
 */
export async function numberTarget(
  connection: DuckDBConnection,
  from: string,
  text: string,
  flags: number,
  requiredType: StorageType | null,
  previousNumbers: HeldNumbers | null,
): Promise<ColumnTarget | null> {
  if (previousNumbers !== null) return joined(connection, from, text, flags, previousNumbers);
  const isWanted = requiredType === null || requiredType === 'integer';
  if (isWanted && !isBroken(flags)) return integerTarget((flags & numberFlags.large) > 0 ? 'HUGEINT' : 'BIGINT');
  if (requiredType === 'integer') return null;
  if (requiredType !== 'decimal' && !(await areLong(connection, from, text, flags))) return doubleTarget;
  const places = await placesOf(connection, from, text);
  if (isSmall(places)) return decimalOf(places);
  return requiredType === 'double' ? nearestTarget : null;
}

/** Returns which new numbers fit their column if not all of them fit. */
export function numbersFit(
  requiredType: StorageType,
  previousColumn: StagedColumn | null,
  flags: number,
): ColumnTarget {
  const isLarge = (flags & numberFlags.large) > 0;
  if (requiredType === 'integer')
    return {
      ...integerTarget(isLarge ? 'HUGEINT' : previousColumn === null ? 'BIGINT' : wholeType(previousColumn)),
      isPart: true,
    };
  if (previousColumn?.type instanceof DuckDBDecimalType) {
    const { width, scale } = previousColumn.type;
    return { ...decimal({ before: width - scale, behind: scale }, width), isPart: true };
  }
  return {
    ...(requiredType === 'decimal' ? decimal({ before: 29, behind: 9 }, maxDigits) : doubleTarget),
    isPart: true,
  };
}
