import { done, either, type LargestRequest, type Part } from './request.ts';

/** Searches in the records of an organization. */
export const searches: Part = (stage, { part, ask }) => {
  const find = (name: string, where: object, statuses: readonly number[] = done, more: object = {}): LargestRequest =>
    ask(name, 'dashboard', { find: { where, ...more } }, statuses);
  const terms = (count: number, one: (index: number) => object): object => ({
    or: Array.from({ length: count }, (_, index) => one(index)),
  });
  const ids = Array.from({ length: 10_000 }, () => stage.facts.id);
  const long = 'a'.repeat(4999);
  const mixed = `${long}b${long}`;
  /** Over names in 100 languages that repeat one letter. */
  const hostile = (name: string, asked: object): LargestRequest =>
    ask(`hostile texts: ${name}`, 'collection', { find: { attributes: ['id'], ...asked } }, either);
  const operators = {
    eq: mixed,
    ne: mixed,
    in: [mixed, long],
    notIn: [mixed, long],
    gt: long,
    lte: long,
    between: [long, mixed],
    like: `%${long}%b${long.slice(0, 4000)}%`,
    notLike: `%${mixed.slice(0, 9000)}%`,
    iLike: `%${long}B%`,
    notILike: `%${long}B%`,
    contains: mixed.slice(1),
    startsWith: mixed,
    endsWith: mixed,
  };
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
    ...Object.entries(operators).flatMap(([operator, value]) => [
      hostile(operator, { where: { name: { [operator]: value } } }),
      hostile(`${operator} of one language`, { where: { 'name.xaa': { [operator]: value } } }),
    ]),
    hostile('190 terms', { where: terms(190, (index) => ({ name: { contains: `${long}b${index}` } })) }),
    hostile('a key phrase', { search: { keyphrase: `${'a'.repeat(249)}b${'a'.repeat(250)}` } }),
    hostile('20 words', { search: { keyphrase: Array.from({ length: 20 }, (_, at) => `aaaaaaaaaa${at}`).join(' ') } }),
    hostile('in order', { order: [['name', 'desc']] }),
    hostile('in the order of a language', {
      order: [
        ['name.xaa', 'asc'],
        ['name.xbb', 'desc'],
      ],
    }),
    hostile('counted beside a page', { where: { name: { notLike: `%${mixed.slice(0, 2000)}%` } }, limit: 1 }),
    ask(
      'hostile texts: an include that must match',
      'dashboard',
      {
        find: {
          attributes: ['id'],
          include: [{ model: 'Collections', required: true, where: { name: { contains: mixed.slice(1) } } }],
        },
      },
      either,
    ),
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
