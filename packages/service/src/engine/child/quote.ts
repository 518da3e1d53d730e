/** An identifier as DuckDB reads it. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Text as DuckDB reads it; only for paths and names that the service made itself, values of people are bound. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export const literals = (texts: readonly string[]): string => `[${texts.map(literal).join(', ')}]`;
