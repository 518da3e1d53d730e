import type { Json, Zone } from '@inlay/contract';
import { dayTextOf, latinDigits } from '@inlay/embed/day-text';

const dayMs = 86_400_000;

/** How values of a type are written and read in a language. */
export interface ValueText {
  /** Returns the text of a value. */
  write(value: Json): string;
  /** Returns the value of a text; undefined if it is none. */
  read(text: string): Json | undefined;
}

const isDigits = (text: string): boolean => /^\d+$/u.test(text);

/** Texts are values as they are. */
const plainText: ValueText = {
  write: (value) => (typeof value === 'string' ? value : JSON.stringify(value)),
  read: (text) => (text === '' ? undefined : text),
};

/** Numbers with the separators of a language; big ones as texts, which keep their digits. */
function numberText(locale: string): ValueText {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(-1_234_567.8);
  const signOf = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  const [decimal, group] = [signOf('decimal'), signOf('group')];
  const format = new Intl.NumberFormat(locale, {
    numberingSystem: 'latn',
    useGrouping: false,
    maximumFractionDigits: 20,
  });
  const digitsOf = (text: string, point: string): string | null => {
    const [whole = '', fraction, ...more] = text.split(point);
    const [first = '', ...groups] = group === '' || group === point ? [whole] : whole.split(group);
    const isGrouped = groups.every((one) => one.length === 3);
    const digits = [first, ...groups].join('');
    if (more.length > 0 || !isGrouped || !isDigits(digits) || (fraction !== undefined && !isDigits(fraction)))
      return null;
    return fraction === undefined ? digits : `${digits}.${fraction}`;
  };
  return {
    write: (value) => (typeof value === 'number' ? format.format(value) : plainText.write(value)),
    read: (text) => {
      // Languages write spaces and the sign of negative numbers in several ways.
      const typed = latinDigits(text)
        .replaceAll(/[\s\u200e\u200f\u061c]/gu, '')
        .replace('−', '-')
        .replaceAll('٫', decimal)
        .replaceAll('٬', group);
      const isNegative = typed.startsWith('-');
      const unsigned = isNegative ? typed.slice(1) : typed;
      const digits = digitsOf(unsigned, decimal) ?? digitsOf(unsigned, '.');
      if (digits === null) return undefined;
      const own = isNegative ? `-${digits}` : digits;
      return digits.length > 15 ? own : Number(own);
    },
  };
}

/** Days in the order of a language, and moments as a day and the time of the wall clock in a zone. */
function timeText(locale: string, zone: Zone): ValueText {
  const days = dayTextOf(locale);
  const two = (value: number): string => String(value).padStart(2, '0');
  return {
    write: (value) => {
      const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
      if (typeof value !== 'string' || Number.isNaN(at)) return plainText.write(value);
      if (value.length === 10) return days.write(at);
      const local = new Date(zone.toLocal(at));
      const seconds = local.getUTCSeconds();
      return `${days.write(local.getTime())} ${two(local.getUTCHours())}:${two(local.getUTCMinutes())}${seconds === 0 ? '' : `:${two(seconds)}`}`;
    },
    read: (text) => {
      const words = latinDigits(text).trim().split(' ');
      const clock = words.at(-1)?.includes(':') === true ? (words.pop() ?? '') : null;
      const day = days.read(words.join(' '));
      if (day === null) return undefined;
      if (clock === null) return new Date(day).toISOString().slice(0, 10);
      const numbers = clock.split(':');
      const [hours = 0, minutes = 0, seconds = 0] = numbers.map(Number);
      const isClock = numbers.length <= 3 && numbers.every(isDigits) && hours < 24 && minutes < 60 && seconds < 60;
      if (!isClock) return undefined;
      return new Date(zone.toUtc(day + ((hours * 60 + minutes) * 60 + seconds) * 1000)).toISOString();
    },
  };
}

/** Returns how values of a column type are written in a language. Times are those of the zone. */
export const valueTextOf = (type: string, locale: string, zone: Zone): ValueText =>
  type === 'numeric' ? numberText(locale) : type === 'datetime' ? timeText(locale, zone) : plainText;

/** Returns the midnight of the wall clock at a time, as midnight UTC. */
export const dayAt = (unixMs: number, zone: Zone): number => Math.floor(zone.toLocal(unixMs) / dayMs) * dayMs;
