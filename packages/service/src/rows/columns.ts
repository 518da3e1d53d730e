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

/** Words by which a type of column can be corrected, and how its values are then kept. */
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

/** A column as the engine keeps it, as the record that is made of it. */
export function columnOfEngine(column: EngineColumn, order: number): FoundColumn {
  const { name, kept, nullable, empty, cardinality, minimum, maximum } = column;
  const subtype = kept === 'date' ? 'date' : kinds[kept] === 'datetime' ? 'datetime' : null;
  const found = foundColumn({ name, kept, nullable, type: kinds[kept], subtype, native: kept }, order);
  return {
    ...found,
    empty: empty ?? found.empty,
    fields: {
      ...found.fields,
      ...(cardinality === undefined ? {} : { cardinality }),
      ...(minimum === undefined ? {} : { minimum }),
      ...(maximum === undefined ? {} : { maximum }),
    },
  };
}
