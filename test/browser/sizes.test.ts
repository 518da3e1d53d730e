import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sizesOf } from '../../bench/embed/sizes.ts';

const isBuilt = existsSync(new URL('../../packages/embed/dist/inlay.js.gz', import.meta.url));
const kilobyte = 1024;

describe.skipIf(!isBuilt)('what a page loads, compressed', () => {
  const { element, editor, types } = isBuilt ? sizesOf() : { element: 0, editor: 0, types: [] };

  it('is at most 33 KB for the elements', () => {
    expect(element).toBeLessThanOrEqual(33 * kilobyte);
  });

  it('is at most 90 KB for the editor, before the first chart', () => {
    expect(editor).toBeLessThanOrEqual(90 * kilobyte);
  });

  it.each(types)('is at most 197 KB for $type as the first chart, 25 KB after another', ({ first, further }) => {
    expect(first).toBeLessThanOrEqual(197 * kilobyte);
    expect(further).toBeLessThanOrEqual(25 * kilobyte);
  });
});
