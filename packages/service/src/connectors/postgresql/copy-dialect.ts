import type { Dialect } from '@inlay/query';

/** Returns the name of the setting with the value of a parameter. */
export const parameterName = (position: number): string => `inlay.p${position}`;

/**
 * Returns the dialect of statements inside COPY, which takes no parameters: values are settings of the transaction.
 */
export const copyDialect = (dialect: Dialect): Dialect => ({
  ...dialect,
  placeholder: (position) => `current_setting('${parameterName(position)}')`,
});
