/** The value of a header that comes once; undefined where it is absent or comes several times. */
export const header = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
