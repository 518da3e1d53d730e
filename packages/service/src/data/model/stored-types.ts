import type { ModelColumn, StorageType } from '@inlay/query';

type ValueType = Pick<ModelColumn, 'kept' | 'nativeText'>;

const storageTypes = [
  ...(['text', 'integer', 'decimal', 'double', 'boolean', 'date', 'timestamp', 'timestamptz', 'json'] as const),
] as const satisfies readonly StorageType[];

/** A text that compares with texts as it is. */
const nativeText = 'native text';

/** The storage type as it is stored with a column. */
export const storedWord = ({ kept, nativeText: isNative = false }: ValueType): string =>
  isNative && kept === 'text' ? nativeText : kept;

/** The storage type of a stored word; undefined for an unknown one. */
export function readWord(word: unknown): ValueType | undefined {
  if (word === nativeText) return { kept: 'text', nativeText: true };
  const kept = storageTypes.find((one) => one === word);
  return kept === undefined ? undefined : { kept };
}
