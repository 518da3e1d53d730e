import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sizesOf } from '../../bench/embed/sizes.ts';

const isBuilt = existsSync(new URL('../../packages/embed/dist/inlay.js.gz', import.meta.url));
const kilobyte = 1024;

describe.skipIf(!isBuilt)('what a page loads, compressed', () => {
  const { element, types } = isBuilt ? sizesOf() : { element: 0, types: [] };

  it('is at most 32 KB for the elements', () => {
    expect(element).toBeLessThanOrEqual(32 * kilobyte);
  });

  it.each(types)('is at most 196 KB for $type as the first chart, 25 KB after another', ({ first, further }) => {
    expect(first).toBeLessThanOrEqual(196 * kilobyte);
    expect(further).toBeLessThanOrEqual(25 * kilobyte);
  });
});
