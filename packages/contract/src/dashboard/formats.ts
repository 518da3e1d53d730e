/** Whether a text is a number format of d3: `[[fill]align][sign][symbol][0][width][,][.precision][~][type]`. */
export const isNumberFormat = (text: string): boolean =>
  text.length <= 40 && /^(?:.?[<>=^])?[-+( ]?[$#]?0?\d{0,3},?(?:\.\d{1,3})?~?[a-z%]?$/iu.test(text);

/** Whether a text is a date pattern: it has at least one part such as `%Y`. */
export const isDateFormat = (text: string): boolean => text.length <= 255 && /%[-_0]?[a-zA-Z]/u.test(text);
