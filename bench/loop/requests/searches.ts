import { done, either, type LargestRequest, type Part } from './request.ts';

/** Searches in the records of an organization. */
export const searches: Part = (stage, { part, ask }) => {
  const find = (name: string, where: object, statuses: readonly number[] = done, more: object = {}): LargestRequest =>
    ask(name, 'dashboard', { find: { where, ...more } }, statuses);
  const terms = (count: number, one: (index: number) => object): object => ({
    or: Array.from({ length: count }, (_, index) => one(index)),
  });
  const ids = Array.from({ length: 10_000 }, () => stage.facts.id);
  return [
    find('pattern of 99 wildcards', { description: { iLike: `%${'_a'.repeat(49)}c%` } }, either),
    find('pattern of %a%a…', { description: { iLike: `%${'a%'.repeat(48)}c` } }, either),
    find(
      '200 terms',
      terms(199, (index) => ({ 'name.en': { startsWith: `Des${index}` } })),
      either,
    ),
    find(
      '200 terms in long texts',
      terms(199, (index) => ({ description: { contains: `aaaab${index}` } })),
      either,
    ),
    find('10,000 ids', { id: { in: ids } }, either),
    find('10,000 texts', { 'name.en': { in: ids } }, either),
    ask('a phrase', 'dashboard', { find: { search: { keyphrase: 'aaa b'.repeat(50) } } }, either),
    find('59 MB of dashboards', { id: stage.filled }, either),
    ask(
      'the same for a slow reader',
      'dashboard',
      { find: { where: { id: stage.filled } } },
      [200, 400, 503, 0],
      stage.owner,
      {
        bytesPerSecond: 1_000_000,
        limitMs: part(4000),
      },
    ),
    find('10,000 rows in order', {}, either, { limit: 10_000, order: [['name', 'desc']], attributes: ['id', 'name'] }),
    ask(
      'an include of 100,000 rows',
      'dashboard',
      {
        find: {
          where: { 'name.en': { startsWith: 'Tagged' } },
          attributes: ['id'],
          limit: 10_000,
          include: [{ model: 'Tags', attributes: ['id'] }],
        },
      },
      either,
    ),
    ask(
      'an include that is too large',
      'dashboard',
      {
        find: {
          where: { 'name.en': { startsWith: 'Tagged' } },
          limit: 10_000,
          include: [{ model: 'Tags', include: [{ model: 'Securables' }] }],
        },
      },
      either,
    ),
    ask(
      'includes of everything',
      'securable',
      {
        find: { include: ['Tags', 'Collections', 'Users', 'Groups', 'Datasets'].map((model) => ({ model })) },
      },
      either,
    ),
  ];
};
