/** Quotes an identifier for DuckDB. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Quotes a string for DuckDB. Only for paths and names created by the service; user input must be bound. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export const literals = (texts: readonly string[]): string => `[${texts.map(literal).join(', ')}]`;
