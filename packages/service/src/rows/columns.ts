import type { StorageType } from '@inlay/query';
import { foundColumn } from '../data/metadata/found.ts';
import type { EngineColumn } from '../engine/engine.ts';
import type { FoundColumn } from '../commands/sources.ts';

type Kind = 'numeric' | 'datetime' | 'hierarchy';

const kinds = {
  text: 'hierarchy',
  integer: 'numeric',
  decimal: 'numeric',
  double: 'numeric',
  boolean: 'hierarchy',
  date: 'datetime',
  timestamp: 'datetime',
  timestamptz: 'datetime',
  json: 'hierarchy',
} as const satisfies Record<StorageType, Kind>;

/** Column types that a user may choose to correct a column, with the storage type of each. */
export const corrections = {
  numeric: 'double',
  integer: 'integer',
  decimal: 'decimal',
  datetime: 'timestamp',
  date: 'date',
  hierarchy: 'text',
  text: 'text',
  boolean: 'boolean',
} as const satisfies Record<string, StorageType>;

export const isCorrection = (word: string): word is keyof typeof corrections => Object.hasOwn(corrections, word);

/** Converts a column that the engine describes to fields of a column record. */
export function columnOfEngine(column: EngineColumn, order: number): FoundColumn {
  const { name, storageType, nullable, empty, cardinality, minimum, maximum } = column;
  const subtype = storageType === 'date' ? 'date' : kinds[storageType] === 'datetime' ? 'datetime' : null;
  const columnRecord = foundColumn(
    { name, storageType, nullable, type: kinds[storageType], subtype, native: storageType },
    order,
  );
  return {
    ...columnRecord,
    empty: empty ?? columnRecord.empty,
    fields: {
      ...columnRecord.fields,
      ...(cardinality === undefined ? {} : { cardinality }),
      ...(minimum === undefined ? {} : { minimum }),
      ...(maximum === undefined ? {} : { maximum }),
    },
  };
}
