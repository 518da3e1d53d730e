import { databaseOptions, type DeclaredProperties } from '../properties.ts';

export const properties: DeclaredProperties = {
  ...databaseOptions,
  max_memory_mb: {
    kind: 'whole',
    minimum: 16,
    maximum: 1_000_000,
    default: 4000,
    description: 'Memory in MB that one query may use at the server.',
  },
};

const mebibyte = 1024 ** 2;

/** Returns the number of bytes that one query may use at the server. */
export function memoryBytes(accountProperties: Readonly<Record<string, unknown>>): number {
  const { max_memory_mb: megabytes = properties['max_memory_mb']?.default } = accountProperties;
  return Number(megabytes) * mebibyte;
}
