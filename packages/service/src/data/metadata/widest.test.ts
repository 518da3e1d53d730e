import { expect, it } from 'vitest';
import { rowFilter, type FoundFilter } from '../../access/filter-kinds.ts';
import { widest } from './widest.ts';

const filter = (value: string): FoundFilter => rowFilter(null, { value });
const [a, b, c] = [filter('a'), filter('b'), filter('c')];

it.each([
  ['nothing at all', [], []],
  ['one that nothing bounds beside others', [[a], [], [b]], [[]]],
  [
    'the same ones, in whatever order',
    [
      [a, b],
      [b, a],
      [a, b, a],
    ],
    [[a, b]],
  ],
  ['one that is narrower than another', [[a, b], [a], [a, c]], [[a]]],
  [
    'ones of which none is narrower',
    [
      [a, b],
      [b, c],
    ],
    [
      [a, b],
      [b, c],
    ],
  ],
])('alternatives say the same rows once: %s', (_says, given, storageType) => {
  expect(widest(given)).toEqual(storageType);
});
