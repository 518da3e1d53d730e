import { expect, it } from 'vitest';
import { connectionsFor } from './connections.ts';

it('a quarter of the descriptors is left for files and sources, where there are few half of them', () => {
  const limits = [100, 256, 1024, 4096, 1_048_576];
  expect(limits.map(connectionsFor)).toEqual([50, 160, 768, 3072, 1_047_552]);
});
