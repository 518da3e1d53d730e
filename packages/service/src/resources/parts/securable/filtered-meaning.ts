import { sameJson, type JsonObject } from '@inlay/contract';
import { mustSeeAllRows } from '../../../data/row-filters/unfiltered.ts';
import type { Rule } from '../../../resource/rules.ts';

const meaning = ['type', 'informat', 'expression', 'securable_id'] as const;
const origin = ['source_dataset', 'source_sheet', 'source_query', 'transformation'] as const;

const changes = (names: readonly string[], before: JsonObject | null, after: JsonObject): boolean =>
  names.some((name) => !sameJson(before?.[name] ?? null, after[name] ?? null));

const refused = 'this would change what the filters let through.';

/**
 * Keeps callers with row filters from changing the meaning of columns, which could make the filters ineffective.
 * specification/resources#column
 */
export const columnMeaning: Rule = {
  name: 'meaning-under-filters',
  on: ['update', 'delete'],
  associated: true,
  description:
    'Callers with row filters on the dataset cannot change type, informat or expression of its columns, cannot delete columns, and cannot move columns to or from the dataset.',
  run: async ({ operation, caller, before, after }, { transaction }) => {
    if (operation !== 'delete' && !changes(meaning, before, after)) return undefined;
    for (const datasetId of new Set([before?.['securable_id'], after['securable_id']]))
      await mustSeeAllRows(transaction, caller, datasetId, refused);
    return undefined;
  },
};

/**
 * Keeps callers with row filters from changing levels. Levels split the values of a column, and filters may name a
 * level.
 */
export const levelMeaning: Rule = {
  name: 'levels-under-filters',
  on: ['create', 'delete'],
  associated: true,
  description: 'Callers with row filters on the dataset cannot add or delete levels of its columns.',
  run: async ({ caller, after }, work) => {
    const columnId = after['column_id'];
    const column = typeof columnId === 'string' ? await work.record('column', columnId) : null;
    await mustSeeAllRows(work.transaction, caller, column?.['securable_id'], refused);
    return undefined;
  },
};

/**
 * Keeps callers with row filters from changing the source, since another table could have any values in the filtered
 * columns.
 */
export const originUnderFilters: Rule = {
  name: 'origin-under-filters',
  on: ['update'],
  description: 'Callers with row filters on the dataset cannot change the source of its rows.',
  run: async ({ id, caller, before, after }, { transaction }) => {
    if (after['type'] === 'dataset' && changes(origin, before, after))
      await mustSeeAllRows(transaction, caller, id, refused);
    return undefined;
  },
};

/**
 * Keeps callers with row filters from setting `shared_across_tenants`, which lifts the refusal of queries after a link
 * was removed.
 */
export const sharedAcrossTenants: Rule = {
  name: 'shared-across-tenants',
  on: ['update'],
  description: 'Callers with row filters on the dataset cannot set shared_across_tenants.',
  run: async ({ id, caller, before, after }, { transaction }) => {
    if (changes(['shared_across_tenants'], before, after))
      await mustSeeAllRows(transaction, caller, id, 'shared_across_tenants is set by people who see all of its rows.');
    return undefined;
  },
};
