import type { TimePart } from '@inlay/contract';

/** How long a name may be: `Monday`, `Mon`, `M`. */
export const nameLengths = ['long', 'short', 'narrow'] as const;
export type NameLength = (typeof nameLengths)[number];

/** Writes the number of a part of a time, as a query answers it, for a viewer. */
export type PartFormat = (value: number, part: TimePart, length?: NameLength) => string;

/** 1 January 2024 was a Monday. */
const days = {
  weekday_name: { option: 'weekday', at: (value: number) => Date.UTC(2024, 0, value), most: 7 },
  month_name: { option: 'month', at: (value: number) => Date.UTC(2024, value - 1, 1), most: 12 },
} as const;
export type NamedPart = keyof typeof days;

/** Whether a part is shown by names rather than numbers. */
export const isNamed = (part: TimePart): part is NamedPart => Object.hasOwn(days, part);

/** Parts of times in a language: weekdays and months by name where that is asked for, others as numbers without separators. */
export function createPartFormat(locale: string): PartFormat {
  const plain = new Intl.NumberFormat(locale, { useGrouping: false });
  const held = new Map<string, Intl.DateTimeFormat>();
  const formatOf = (option: 'weekday' | 'month', length: NameLength): Intl.DateTimeFormat => {
    const key = `${option} ${length}`;
    const found =
      held.get(key) ?? new Intl.DateTimeFormat(locale, { [option]: length, timeZone: 'UTC', calendar: 'gregory' });
    held.set(key, found);
    return found;
  };
  return (value, part, length = 'long') => {
    if (!isNamed(part)) return plain.format(value);
    const { option, at, most } = days[part];
    return Number.isInteger(value) && value >= 1 && value <= most
      ? formatOf(option, length).format(at(value))
      : plain.format(value);
  };
}
