import type { Json } from '../../json.ts';

/** True for a d3 number format: `[[fill]align][sign][symbol][0][width][,][.precision][~][type]`. */
export const isNumberFormat = (text: string): boolean =>
  text.length <= 40 && /^(?:.?[<>=^])?[-+( ]?[$#]?0?\d{0,3},?(?:\.\d{1,3})?~?[a-z%]?$/iu.test(text);

/** True for a date pattern: a text that contains at least one directive such as `%Y`. */
export const isDateFormat = (text: string): boolean => text.length <= 255 && /%[-_0]?[a-zA-Z]/u.test(text);

/** Returns the fault of a format for values of a column type; null if the format can be used. */
export const formatFault = (format: string, type: Json | undefined): string | null =>
  isDateFormat(format) || (type !== 'datetime' && isNumberFormat(format))
    ? null
    : type === 'datetime'
      ? 'is no date pattern such as "%d-%m-%Y"; it has no effect'
      : 'is no d3 number format such as ",.2f" and no date pattern such as "%d-%m-%Y"; it has no effect';
