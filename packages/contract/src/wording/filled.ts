/**
 * Fills the placeholders of a text, such as `{name}`. Does it in one pass, so that braces in a value stay as they are.
 * Placeholders without a value stay too.
 */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/gu, (placeholder, name: string) => values[name] ?? placeholder);
