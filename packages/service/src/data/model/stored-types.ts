import type { ModelColumn, StorageType } from '@inlay/query';

type ValueType = Pick<ModelColumn, 'storageType' | 'nativeText'>;

const storageTypes = [
  ...(['text', 'integer', 'decimal', 'double', 'boolean', 'date', 'timestamp', 'timestamptz', 'json'] as const),
] as const satisfies readonly StorageType[];

/** Marks a text column that compares with text parameters without a cast. */
const nativeText = 'native text';

/** Encodes the storage type for the record of a column. */
export const storedWord = ({ storageType, nativeText: isNative = false }: ValueType): string =>
  isNative && storageType === 'text' ? nativeText : storageType;

/** Decodes a stored type; undefined if unknown. */
export function readWord(word: unknown): ValueType | undefined {
  if (word === nativeText) return { storageType: 'text', nativeText: true };
  const storageType = storageTypes.find((candidate) => candidate === word);
  return storageType === undefined ? undefined : { storageType };
}
