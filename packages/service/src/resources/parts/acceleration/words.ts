export const loadTypes = ['full', 'delta', 'full-delta'] as const;

export const storageStrategies = ['insert', 'insert-update', 'insert-update-delete'] as const;
export type StorageStrategy = (typeof storageStrategies)[number];

export const refreshStates = ['pending', 'refreshing', 'ready', 'failed'] as const;

/** The columns that each strategy needs, by the field that names them. */
export const neededFields = {
  insert: ['created_at_column_id'],
  'insert-update': ['primary_key_column_ids', 'created_at_column_id', 'updated_at_column_id'],
  'insert-update-delete': [
    'primary_key_column_ids',
    'created_at_column_id',
    'updated_at_column_id',
    'deleted_at_column_id',
  ],
} as const satisfies Readonly<Record<StorageStrategy, readonly string[]>>;

/** Maximum number of rollups of an acceleration: each is written with every refresh. */
export const maxRollups = 8;
