import type { DuckDBConnection } from '@duckdb/node-api';

/**
 * Flags of numbers. `large`: beyond 64 bits; `broken`: not an integer; `long`: possibly more digits than a double can
 * represent; `none`: not a number.
 */
export const numberFlags = { large: 1, broken: 2, long: 4, none: 8 } as const;
/** Flags of times. `date`, `naive` and `zoned`: which kinds of times occur; `none`: not a time. */
export const timeFlags = { date: 1, naive: 2, zoned: 4, none: 8 } as const;

/** A number in decimal or scientific notation. Leading zeros are excluded because they belong to identifiers. */
const number = '[+-]?((0|[1-9][0-9]*)(\\.[0-9]+)?|\\.[0-9]+)([eE][+-]?[0-9]+)?';
const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const clock = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,6}0*)?)?';
const zone = '(Z|[+-][0-9]{2}(:?[0-9]{2})?)';
const booleanWords = ['true', 'false', 'TRUE', 'FALSE', 'True', 'False'].map((word) => `'${word}'`).join(', ');
const era = (of: string): string => `year(${of}) between 1 and 9999`;

/**
 * SQL functions that classify a text. DuckDB's casts round, trim and guess. These functions accept a text only if the
 * value represents all of the text.
 */
const macros: Readonly<Record<string, string>> = {
  is_number: `regexp_full_match(c, '${number}')`,
  is_whole: `regexp_full_match(c, '[+-]?(0|[1-9][0-9]*)') and try_cast(c as hugeint) is not null`,
  has_power: `contains(c, 'e') or contains(c, 'E')`,
  // Decomposes a number into digits and exponent, without leading and trailing zeros.
  mantissa: `split_part(lower(ltrim(c, '+-')), 'e', 1)`,
  power: `case when has_power(c) then try_cast(split_part(lower(c), 'e', 2) as bigint) else 0 end`,
  all_digits: `ltrim(replace(mantissa(c), '.', ''), '0')`,
  digits: `rtrim(all_digits(c), '0')`,
  last_power: `power(c) - length(split_part(mantissa(c), '.', 2)) + length(all_digits(c)) - length(digits(c))`,
  plain_number: `case when digits(c) = '' then '0' else if(c[1] = '-', '-', '') || digits(c) || 'e' || last_power(c) end`,
  // Number of digits before and after the decimal point; 9999 if the text cannot be read as a number.
  places_before: `case when digits(c) = '' then 0 else greatest(coalesce(length(digits(c)) + last_power(c), 9999), 0) end`,
  places_behind: `case when digits(c) = '' then 0 else greatest(coalesce(-last_power(c), 9999), 0) end`,
  holds_double: `case when length(c) <= 15 and not has_power(c) then true
    else coalesce(plain_number(c) = plain_number(try_cast(c as double)::varchar), false) end`,
  is_double: `is_number(c) and holds_double(c)`,
  number_flags: `case when length(c) <= 15 and try_cast(c as bigint)::varchar = c then 0
    when not is_number(c) then ${numberFlags.none}
    else if(is_whole(c), if(try_cast(c as bigint) is null, ${numberFlags.large}, 0), ${numberFlags.large | numberFlags.broken})
      | if(length(c) > 15 or has_power(c), ${numberFlags.long}, 0) end`,
  is_boolean: `c in (${booleanWords})`,
  is_json: `json_valid(c)`,
  is_date: `coalesce(length(c) = 10 and try_cast(c as date)::varchar = c, false)`,
  is_naive: `regexp_full_match(c, '${day}[T ]${clock}') and is_date(left(c, 10)) and try_cast(c as timestamp) is not null`,
  is_zoned: `regexp_full_match(c, '${day}[T ]${clock}${zone}') and is_date(left(c, 10))
    and coalesce(${era(`timezone('UTC', try_cast(c as timestamptz))`)}, false)`,
  time_flags: `case when length(c) = 10 then if(is_date(c), ${timeFlags.date}, ${timeFlags.none})
    when length(c) = 19 and try_cast(c as timestamp)::varchar = c then ${timeFlags.naive}
    when is_naive(c) then ${timeFlags.naive} when is_zoned(c) then ${timeFlags.zoned} else ${timeFlags.none} end`,
  to_instant: `case when is_zoned(c) then try_cast(c as timestamptz) else timezone('UTC', try_cast(c as timestamp)) end`,
};

/** Defines the functions of this file on a connection. */
export async function makeFits(connection: DuckDBConnection): Promise<void> {
  for (const [name, definition] of Object.entries(macros))
    await connection.run(`create or replace temp macro ${name}(c) as (${definition})`);
}
