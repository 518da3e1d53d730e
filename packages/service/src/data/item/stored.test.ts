import type { JsonObject } from '@inlay/contract';
import { expect, test } from 'vitest';
import { meaningOf, storedItems } from './stored.ts';

const meaning = (options: JsonObject, legend: boolean): string | null | undefined => {
  const slot = (name: string): JsonObject => ({
    name,
    content: [{ datasetId: 'd', columnId: name, type: name === 'measure' ? 'numeric' : 'hierarchy' }],
  });
  const slots = ['y-axis', 'measure', ...(legend ? ['legend'] : [])].map(slot);
  const items = [{ id: 'i', type: 'bar-chart', options, slots }];
  return storedItems({ version: '0.1.99', views: [{ screenModus: 'desktop', items }] }).map(meaningOf)[0];
};

test.each([true, false])(
  'an item asks for something else once its limit or order changes, with a legend: %s',
  (legend) => {
    const sort = { by: 'measure', order: 'desc' };
    const asked = [{}, { limit: 3 }, { limit: 4 }, { sort }, { sort, limit: 3 }].map((options) =>
      meaning(options, legend),
    );
    expect(new Set(asked).size).toBe(asked.length);
    expect(meaning({ limit: 3, stacked: true }, legend)).toBe(asked[1]);
  },
);
