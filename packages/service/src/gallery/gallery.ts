import { textOr } from '@inlay/contract';
import { filterSamples } from './filters.ts';
import { hierarchySamples } from './hierarchies.ts';
import { mapSamples } from './maps.ts';
import { numberSamples } from './numbers.ts';
import { samples, type Sample } from './samples.ts';
import { tableSamples } from './tables.ts';

/**
 * A sample with an id for addresses and file names. The id has the type of the sample and its index within that type.
 */
export interface GallerySample extends Sample {
  readonly id: string;
  readonly type: string;
}

function withIds(samplesWithoutId: readonly Sample[]): readonly GallerySample[] {
  const counts = new Map<string, number>();
  return samplesWithoutId.map((sample) => {
    const type = textOr(sample.item['type'], '');
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    return { ...sample, id: `${type}-${count}`, type };
  });
}

export const gallerySamples: readonly GallerySample[] = withIds([
  ...numberSamples,
  ...samples,
  ...hierarchySamples,
  ...mapSamples,
  ...tableSamples,
  ...filterSamples,
]);

/** The current time for drawing samples: the day after their last row. */
export const galleryNowMs = Date.parse('2025-02-24T00:00:00.000Z');
