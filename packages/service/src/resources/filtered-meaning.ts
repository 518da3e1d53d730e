import { isList, isObject, sameJson, type Json } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import { loadLinkFilters } from '../data/load-filters.ts';
import { Problem } from '../problems/problem.ts';
import type { Rule, Work } from '../resource/rules.ts';

/** The filters that a caller's own token carries. */
async function tokenFilters({ type, authorizationId }: Caller, work: Work): Promise<readonly Json[]> {
  const record = type === 'embed' ? await work.record('authorization', authorizationId) : null;
  const filters = record?.['filters'] ?? null;
  return isList(filters) ? filters : [];
}

/** Raises Problem `forbidden` where row filters hold for the caller on a dataset. */
async function mustSeeAllRows(caller: Caller | null, securableId: Json | undefined, work: Work): Promise<void> {
  if (caller === null || typeof securableId !== 'string') return;
  const own = await tokenFilters(caller, work);
  const links = await loadLinkFilters(work.transaction, caller, [securableId]);
  const filters = [...own, ...links.map(({ filter }) => filter)];
  const isAbout = (filter: Json): boolean => {
    const named = isObject(filter) ? filter['securable_id'] : null;
    return typeof named !== 'string' || named.toLowerCase() === securableId;
  };
  if (!filters.some(isAbout)) return;
  throw new Problem('forbidden', {
    message: 'Row filters hold for you on this dataset, and this would change what they let through.',
  });
}

const meaning = ['type', 'informat', 'expression'] as const;

/** A column that a filter names must go on meaning what it meant to whoever put the filter there. */
export const columnMeaning: Rule = {
  name: 'meaning-under-filters',
  on: ['update'],
  source: 'decision R6a',
  sentence: 'Whoever row filters of the dataset hold for changes neither type, informat nor expression of its columns.',
  run: async ({ caller, before, after }, work) => {
    if (meaning.some((name) => !sameJson(before?.[name] ?? null, after[name] ?? null)))
      await mustSeeAllRows(caller, after['securable_id'], work);
    return undefined;
  },
};

/** Values are cut into levels where a column has some, and filters may name a level. */
export const levelMeaning: Rule = {
  name: 'levels-under-filters',
  on: ['create', 'delete'],
  source: 'decision R6a',
  sentence: 'Whoever row filters of the dataset hold for neither adds nor deletes levels of its columns.',
  run: async ({ caller, after }, work) => {
    const columnId = after['column_id'];
    const column = typeof columnId === 'string' ? await work.record('column', columnId) : null;
    await mustSeeAllRows(caller, column?.['securable_id'], work);
    return undefined;
  },
};
