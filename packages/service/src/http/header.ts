/** Returns the value of a header that occurs exactly once; undefined otherwise. */
export const header = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
