import { usualAggregation } from '../../columns/meaning.ts';
import { inWords, type JsonObject } from '@inlay/contract';
import { storedWord } from '../model/stored-types.ts';
import type { SourceColumn, SourceTable } from '../../connectors/connector.ts';
import type { FoundColumn, NewDataset } from '../../commands/sources.ts';

/** Derives a display name from a column name: "Order date" for `order_date`, "Unit price" for `unitPrice`. */
export function labelOf(source: string): string {
  const words = source
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ')
    .replaceAll(/[_\-.\s]+/gu, ' ')
    .trim()
    .split(' ');
  // A short upper-case word is an abbreviation, unless all words of the name are in upper case.
  const isShouted = words.length > 1 && source === source.toUpperCase();
  const isShort = (word: string): boolean => !isShouted && words.length > 1 && /^[\p{Lu}\p{N}]{2,4}$/u.test(word);
  const labelWords = words.map((word) => (isShort(word) ? word : word.toLowerCase()));
  const text = labelWords.join(' ').slice(0, 1000);
  return text === '' ? source.slice(0, 1000) : text.charAt(0).toUpperCase() + text.slice(1);
}

const subtypes = ['topography', 'coordinates', 'currency', 'duration', 'date', 'datetime', 'ip_address', 'interval'];

/** Builds the record of a column from the description of its source. */
export function foundColumn(column: SourceColumn, order: number): FoundColumn {
  const { type, storageType } = column;
  const name = column.label ?? labelOf(column.name);
  const subtype = subtypes.includes(column.subtype ?? '') ? column.subtype : null;
  return {
    storageType: storedWord(column),
    empty: column.nullable ? null : 0,
    fields: {
      source_name: column.name,
      name: { en: name },
      type,
      subtype,
      aggregation_type: usualAggregation({ name, type, subtype }),
      order,
      lowestLevel: type === 'datetime' ? (storageType === 'date' ? 5 : 9) : null,
      highestLevel: type === 'datetime' ? 1 : null,
    },
  };
}

/**
 * Returns the names of the columns that may have rows without a value. The value is the number of such rows, or null if
 * unknown.
 */
export const emptyValuesOf = (columns: readonly FoundColumn[]): JsonObject =>
  Object.fromEntries(
    columns.flatMap(({ fields, empty }) =>
      empty === 0 ? [] : [[inWords(fields['source_name'] ?? null), empty] as const],
    ),
  );

/** Builds a dataset for a table. `provider` is the provider of its account. */
export function newDataset(
  accountId: string,
  provider: string,
  { id, name, rows, kind }: SourceTable,
  columns: readonly SourceColumn[],
  dueAt: string | null,
): NewDataset {
  const fields: JsonObject = {
    type: 'dataset',
    subtype: provider,
    account_id: accountId,
    name: { en: kind === 'dataset' ? name : labelOf(name) },
    source_dataset: id,
  };
  return { set: fields, columns: columns.map(foundColumn), rows, dueAt };
}
