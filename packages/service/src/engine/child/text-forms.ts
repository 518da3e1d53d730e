import type { WrittenForms } from '../engine.ts';
import { literal } from './quote.ts';

type DecimalSign = NonNullable<WrittenForms['decimal']>;

/** A text format of numbers or times. */
export interface TextForm {
  readonly kind: 'number' | 'time';
  /** Description of this format for messages: `a decimal point`, `a decimal comma` or the date pattern. */
  readonly says: string;
  /** Decimal separator; null for times. */
  readonly decimal: DecimalSign | null;
  /** Pattern that matches a text in this format; valid for both JavaScript and RE2. */
  readonly pattern: string;
  /** SQL that converts a text to standard notation, or to an empty text if it does not match. */
  readonly plain: (text: string) => string;
}

const spaces = [' ', '\u00A0', '\u202F'];
const apostrophes = ["'", '\u2019'];

/** Escapes a character for a pattern. */
const escapeSign = (sign: string): string => `[${sign}]`;

const signNames = { '.': 'point', ',': 'comma' } as const satisfies Record<DecimalSign, string>;

export function numberForm(decimal: DecimalSign, thousands: readonly string[]): TextForm {
  const groups = thousands.map((sign) => `(${escapeSign(sign)}[0-9]{3})+`).join('|');
  const integerPattern = `(0|[1-9][0-9]*|[1-9][0-9]{0,2}(${groups}))`;
  const fraction = `${escapeSign(decimal)}[0-9]+`;
  const pattern = `[+-]?(${integerPattern}(${fraction})?|${fraction})([eE][+-]?[0-9]+)?`;
  const plainNumber = (text: string): string =>
    `replace(translate(${text}, ${literal(thousands.join(''))}, ''), ${literal(decimal)}, '.')`;
  return {
    kind: 'number',
    says: `a decimal ${signNames[decimal]}`,
    decimal,
    pattern,
    plain: (text) => `case when regexp_full_match(${text}, ${literal(pattern)}) then ${plainNumber(text)} else '' end`,
  };
}

export const thousandsBeside = {
  '.': [',', ...spaces, ...apostrophes],
  ',': ['.', ...spaces, ...apostrophes],
} as const;
export const point = numberForm('.', thousandsBeside['.']);
export const comma = numberForm(',', thousandsBeside[',']);

/** Fields of date patterns, each with its capture name and regular expression. */
const parts = {
  yyyy: { name: 'y', pattern: '[0-9]{4}' },
  yy: { name: 'y', pattern: '[0-9]{2}' },
  MM: { name: 'm', pattern: '[0-9]{1,2}' },
  M: { name: 'm', pattern: '[0-9]{1,2}' },
  dd: { name: 'd', pattern: '[0-9]{1,2}' },
  d: { name: 'd', pattern: '[0-9]{1,2}' },
  HH: { name: 'h', pattern: '[0-9]{1,2}' },
  H: { name: 'h', pattern: '[0-9]{1,2}' },
  mm: { name: 'i', pattern: '[0-9]{2}' },
  ss: { name: 's', pattern: String.raw`[0-9]{2}(?:\.[0-9]{1,6})?` },
} as const;

const isPart = (word: string): word is keyof typeof parts => Object.hasOwn(parts, word);

const anyPart = /yyyy|yy|MM?|dd?|HH?|mm|ss|[^yMdHms]/gu;

/** Optional time of day after a date. */
const clock = '(?:[ T]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}(?:[.][0-9]{1,6})?))?)?';

/** Two-digit years from this one on belong to the 20th century. */
const lastCentury = 69;

export function timeForm(datePattern: string): TextForm {
  const fields: readonly string[] = datePattern.match(anyPart) ?? [];
  const names = fields.flatMap((word) => (isPart(word) ? [parts[word].name] : []));
  const hasClock = names.includes('h');
  const pattern = `${fields.map((word) => (isPart(word) ? `(${parts[word].pattern})` : escapeSign(word))).join('')}${hasClock ? '' : clock}`;
  const groupNames = hasClock ? names : [...names, 'h', 'i', 's'];
  const plainTime = (text: string): string => {
    const part = (name: string): string => {
      const at = groupNames.indexOf(name);
      return at < 0 ? `''` : `regexp_extract(${text}, ${literal(`^${pattern}$`)}, ${at + 1})`;
    };
    const year = fields.includes('yy')
      ? `if(${part('y')}::int < ${lastCentury}, '20', '19') || ${part('y')}`
      : part('y');
    const day = [year, ...['m', 'd'].map((name) => `lpad(${part(name)}, 2, '0')`)].join(` || '-' || `);
    const time = `'T' || lpad(${part('h')}, 2, '0') || ':' || if(${part('i')} = '', '00', ${part('i')}) || if(${part('s')} = '', '', ':' || ${part('s')})`;
    return `${day} || if(${part('h')} = '', '', ${time})`;
  };
  return {
    kind: 'time',
    says: datePattern,
    decimal: null,
    pattern,
    plain: (text) => `case when regexp_full_match(${text}, ${literal(pattern)}) then ${plainTime(text)} else '' end`,
  };
}

/** Supported date formats. In a format with dots, the day always comes first. */
export const dateForms = [
  'dd.MM.yyyy',
  'dd/MM/yyyy',
  'MM/dd/yyyy',
  'dd-MM-yyyy',
  'MM-dd-yyyy',
  'yyyy/MM/dd',
  'yyyy.MM.dd',
].map(timeForm);
