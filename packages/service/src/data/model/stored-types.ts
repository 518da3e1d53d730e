import type { ModelColumn, StorageType } from '@inlay/query';

type ValueType = Pick<ModelColumn, 'storageType' | 'nativeText'>;

const storageTypes = [
  ...(['text', 'integer', 'decimal', 'double', 'boolean', 'date', 'timestamp', 'timestamptz', 'json'] as const),
] as const satisfies readonly StorageType[];

/** Stored type of a text column that can be compared with text parameters without a cast. */
const nativeText = 'native text';

/** Returns the word that stores a type in the record of a column. */
export const storedWord = ({ storageType, nativeText: isNative = false }: ValueType): string =>
  isNative && storageType === 'text' ? nativeText : storageType;

/** Returns the type for a stored word; undefined if the word is unknown. */
export function readWord(word: unknown): ValueType | undefined {
  if (word === nativeText) return { storageType: 'text', nativeText: true };
  const storageType = storageTypes.find((candidate) => candidate === word);
  return storageType === undefined ? undefined : { storageType };
}
